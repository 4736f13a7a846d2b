"""Extractors read labels off images without a person: the protocol, the embedded ones, the job.

Start at `extractor` (what an extractor is and the key of a record), then `job`. `drawn_truth` holds the two
that read drawn pictures from their known truth: one without error, one with errors that are stated in
`resources/extractors/drawn_reader.json`. Both are simulated and say so; both refuse any other picture.
`pixels` measures any photograph, `vlm` asks a server, `batch` does so at half price; `outcomes` counts what
became of every image.
"""
