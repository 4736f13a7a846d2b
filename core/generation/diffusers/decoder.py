"""The image decoder under watch: what comes out not a number, or black, is decoded once more in float32.

In 16 bits some decoders overflow; the latents are sound then, and only the last step has to be taken
again. This stands in for `vae.decode`, so it works for every pipeline class, however it packs its latents.
"""

from __future__ import annotations

from typing import Any

BLACK = -0.97
"""Decoders give −1 for black and 1 for white; a picture with nothing above this is black."""


class Decoder:
    """Call it as `vae.decode`; `was_retried` says whether the last call took the second way."""

    def __init__(self, vae: Any, device: str) -> None:
        self._vae = vae
        self._decode = vae.decode
        self._device = device
        self.was_retried = False

    def __call__(self, latents: Any, *args: Any, **options: Any) -> Any:
        """Decode; a second time in float32 where that can help."""
        import torch

        self.was_retried = False
        found = self._decode(latents.to(self._vae.dtype), *args, **options)
        if self._vae.dtype == torch.float32 or is_sound(found):
            return found
        self.was_retried = True
        return self._in_float32(latents, *args, **options)

    def _in_float32(self, latents: Any, *args: Any, **options: Any) -> Any:
        import torch

        before = self._vae.dtype
        self._take_off_hooks()
        self._vae.to(dtype=torch.float32)
        try:
            return self._decode(latents.to(torch.float32), *args, **options)
        finally:
            self._vae.to(dtype=before)

    def _take_off_hooks(self) -> None:
        """Layer-by-layer off-load keeps the weights elsewhere, where their kind cannot be changed."""
        if any(parameter.is_meta for parameter in self._vae.parameters()):
            from accelerate.hooks import remove_hook_from_module

            remove_hook_from_module(self._vae, recurse=True)
            self._vae.to(self._device)


def is_sound(found: Any) -> bool:
    """Whether a decoder's output is all numbers and not all black."""
    import torch

    picture = found[0] if isinstance(found, tuple) else found.sample
    return bool(torch.isfinite(picture).all()) and bool(picture.max() > BLACK)
