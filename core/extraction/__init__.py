"""Extractors read labels off images without a person: the protocol, the embedded ones, the job."""
