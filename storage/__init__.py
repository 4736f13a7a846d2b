"""The only SQL: one study folder with `study.sqlite` and `images/`.

One writer thread owns the only read-write connection of a process (`writer`); whoever reads has a read-only
connection of the thread (`readers`, for `Store`) or of the call (`frames`, `check`, `export`). `Store` is
composed of one file for each kind of row (`plan_rows`, `image_rows` … `job_rows`).

Files that leave the study: `packet_file` writes a packet, `packet_book` is one in use, `handin_file` and
`handin_reader` are what comes back; `packet_schema` has their tables.

May import `core` only. `frames`, `label_frame` and `export` bring in pandas; everything else is the standard
library, so that a study opens and takes answers at once. Start at `first_tables`, then `store`.
"""
