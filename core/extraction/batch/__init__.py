"""Reading pictures through OpenAI's Batch interface: half the price, within a day.

`read_in_batches` is the job. It makes files of requests (`parts`), sends, orders and fetches them (`tending`
over `remote`), and makes records of the answers (`join`). How far each file is stands in a ledger beside the
study (`ledger`), written before and after every step that the server sees, so a run can die anywhere and the
next one goes on: nothing is ordered twice, and an answer that was paid for is fetched.

A record that came this way has the same key as one that was asked for directly, so both can be mixed.
"""

from __future__ import annotations

from core.extraction.batch.job import read_in_batches
from core.extraction.batch.options import BatchOptions

__all__ = ["BatchOptions", "read_in_batches"]
