"""Generators that diffusers runs: where a model lies, whether it fits, how an image is sampled and checked.

Start with `generator.py`. `weights` and `hub` find and look over a model without torch; `devices` chooses
where it runs; `loading` and `sampling` make images; `arrival` checks each one; `truncation` says which
words an encoder will not see. torch, transformers and diffusers are imported inside functions, so that a
window can list generators at once. No model is ever loaded that brings code of its own; weights that are
anything but safetensors only where an entry allows them (`pickled.py`).
"""
