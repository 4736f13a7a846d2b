"""Validation in the window: prompts that state an attribute, what was drawn of it and what was seen."""
