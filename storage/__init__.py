"""The only SQL: one study folder with `study.sqlite` and `images/`.

One writer thread owns the only read-write connection (`store`); readers are read-only, one per thread
(`frames`). May import `core` only. Start at `schema` (the tables), then `store`.
"""
