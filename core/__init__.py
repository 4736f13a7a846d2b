"""The field's words, rules and numbers: no Qt, no SQL.

Everything else is built on this package, and it imports nothing of the others. A job that has to save
something declares the few methods it needs as a `Protocol` beside itself; `storage.Store` has those
methods without knowing why, and a test passes a list-backed stand-in.

Start at `records` (the words), then follow the data: `bank`, `prompts`, `generation`, `extraction`,
`statistics`, `analysis`.
"""

__version__ = "0.1.0"
