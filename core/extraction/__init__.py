"""Extractors read labels off images without a person: the `Extractor` protocol, the embedded ones and the job."""
