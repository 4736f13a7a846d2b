"""The tiny models of the generators' tests, and tasks to make with them."""

from __future__ import annotations

from tests.core.generation.diffusers.conftest import entry_of, generator_of, models

__all__ = ["entry_of", "generator_of", "models"]
