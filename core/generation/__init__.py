"""Generators make images: the `Generator` protocol, the embedded *drawn* generator, run keys and the job."""
