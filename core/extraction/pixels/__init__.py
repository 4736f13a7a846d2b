"""An extractor that measures: no network, no key, any photograph. Experimental, and it says so.

`measures` turns pixels into numbers (lightness, tint, sharpness, shares of colours), `words` turns numbers
into labels of the schema, `faces` finds faces and, with an optional package, how they are presented and
about how old they look; `reader` is the extractor. What it cannot measure is unknown. How often it was right,
and on what, is in `resources/extractors/pixels_measured.json`, written by `tests/benchmarks/bench_pixels.py`.
"""
