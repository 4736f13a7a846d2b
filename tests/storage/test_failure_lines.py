"""What `main.py doctor` says of what could not be done."""

from __future__ import annotations

from core.jobs import Failure, Outcome
from core.records import Status
from storage.failure_lines import failure_lines_of
from storage.store import Store
from tests.storage.builders import make_image, make_record


def test_what_the_last_run_of_each_kind_could_not_do_is_listed_by_class(store: Store) -> None:
    for items in (["old.png"], ["a.png", "b.png"]):
        job = store.begin_job("import", 2, {"folder": "pics"})
        failures = [Failure(item, "damaged", "It cannot be decoded.") for item in items]
        store.end_job(job, Outcome(2, 2 - len(items), 0, failures))
    image = store.add_image(make_image(1))
    refused = make_record(
        image, status=Status.REFUSED, readings={}, n_persons=None, reason="It is no drawing."
    )
    store.add_records([refused])

    assert failure_lines_of(store.folder) == [
        "Not done by the last `import pics`, damaged: 2.",
        "  a.png: It cannot be decoded.",
        "  b.png: It cannot be decoded.",
        "Not done by the last `extract reader`, refused: 1.",
        f"  image {image}: It is no drawing.",
    ]
