"""The extractor that reads pictures with a vision-language model behind an OpenAI-compatible server."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import PurePosixPath, PureWindowsPath
from random import Random
from typing import Any

from core.amounts import are_counted
from core.errors import BadInput
from core.extraction.extractor import RunStopped, Truth, key_for, record_key
from core.extraction.job import ImageSource, RecordSink, unsent
from core.extraction.vlm.budget import Budget, Meter
from core.extraction.vlm.client import Client
from core.extraction.vlm.conversation import ROW_OF_FAILURES, Conversation
from core.extraction.vlm.json_schema import answer_schema, problems_for
from core.extraction.vlm.memory import Memory
from core.extraction.vlm.options import VlmOptions
from core.extraction.vlm.patience import Patience
from core.extraction.vlm.preflight import Found, Preflight, wanted_terms
from core.extraction.vlm.recorder import Recorder
from core.extraction.vlm.request import Asking
from core.extraction.vlm.run import Run, count
from core.extraction.vlm.servers import OWN, check_address, choose_server
from core.extraction.vlm.stepped import SteppedLoop
from core.extraction.vlm.template import Template, load_template
from core.extraction.vlm.throttle import Throttle
from core.jobs import Job, Outcome, Progress, run_here
from core.keys import key_of
from core.records import NewRecord, StoredImage
from core.schema import Schema
from core.secrets import FoundKey, Secret, find_key

_PLANNED = 500
"""Images whose keys are worked out in one step."""

_OWN_VARIABLE = "CONTEXTBIAS_API_KEY"


class VlmExtractor:
    """Reads pictures with a model that a server offers.

    What the server can do shapes the readings, so it is part of `parameters` and of every key: it is found by
    `prepare`, one question to the server, which the first need of it runs.

    Parameters
    ----------
    schema : Schema
        The study's schema.
    options : VlmOptions
        What a person chose.
    template : Template, optional
        Words of the request.
    memory : Memory, optional
        What servers were found to take.

    Raises
    ------
    BadInput
        For an address, a key or a schema with which no question is worth asking.
    """

    is_simulated = False

    def __init__(
        self,
        schema: Schema,
        options: VlmOptions,
        template: Template | None = None,
        memory: Memory | None = None,
    ) -> None:
        self.options = options
        self.server = choose_server(options.server, options.base_url)
        self.address = check_address(
            options.base_url or self.server.base_url, plain_http_is_fine=options.allow_plain_http
        )
        self.schema_version = f"{schema.version}+{schema.hash[:12]}"
        self._schema = schema
        self._template = template or load_template()
        self._memory = memory or Memory()
        self._random = Random()
        self._key = self._find_key()
        self._found: Found | None = None
        self._wanted = wanted_terms(options, self.server)
        self.budget = Budget(options, len(self._template.system(schema)))
        self.meter: Meter | None = None
        self._check_schema()

    @cached_property
    def name(self) -> str:
        """Model and a digest of everything else that shapes a reading: other parameters, another name."""
        model = re.sub(r"[^A-Za-z0-9.]+", "-", str(self.parameters["model"])).strip("-")[:48]
        return f"vlm-{model}-{key_of(dict(self.parameters))[:6]}"

    @property
    def parameters(self) -> Mapping[str, Any]:
        """All that shapes a reading; asks the server if it has not been asked yet."""
        if self._found is None:
            run_here(self.prepare())
        return self._parameters

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know about the server before a long run; empty until it was asked."""
        return self._found.notes if self._found else ()

    def prepare(self) -> Job[None]:
        """Ask the server one question, unless it has been asked; UserError when the run cannot work."""
        if self._found is not None:
            return
        known = self._memory.recall(self.address.base_url, self._wanted)
        asking = Asking(known or self._wanted, self._template, self._schema)
        yield Progress(0, 1, f"asking {self.server.name} what it can do")
        loop, client, patience = self._open()
        preflight = Preflight(asking, self.options, self.server, patience)
        try:
            for _ in (work := _Held(loop.run(preflight.run()))):
                shut = patience.throttle.shut_for
                waiting = f", waiting {shut:.0f} s as it asks" if shut > 1 else ""
                yield Progress(0, 1, f"asking {self.server.name} what it can do{waiting}")
            self._found = work.result
        finally:
            close(loop, client)
        self._memory.keep(self.address.base_url, self._wanted, self._found.terms)
        yield Progress(1, 1, f"{self.server.name} answers as {_shown(self._found.model)}")

    def read(self, image: StoredImage, truth: Truth | None, image_bytes: Callable[[], bytes]) -> NewRecord:
        """The record of one image. `truth` is not looked at."""
        shelf = _Shelf(image_bytes)
        run_here(self.read_many([image], shelf, shelf))
        return shelf.records[0]

    def read_many(self, images: Sequence[StoredImage], source: ImageSource, sink: RecordSink) -> Job[Outcome]:
        """Read many images at once; see `core.extraction.job.extract_records`.

        Raises
        ------
        RunStopped
            When the server, the account or a limit ends the run; what was read is saved.
        """
        yield from self.prepare()
        outcome = Outcome(asked=len(images))
        todo = yield from self.plan(images, sink, outcome)
        if todo:
            yield from self._run(todo, source, sink, outcome)
        outcome.check()
        return outcome

    def record_key(self, image: StoredImage) -> str:
        """The key of this extractor's record of an image; a further attempt has one of its own."""
        key = key_for(image, self)
        if not self.options.attempt:
            return key
        return record_key([key, self.options.attempt], self.schema_version, self.name, self.parameters)

    @property
    def asking(self) -> Asking:
        """What is the same in every request."""
        assert self._found is not None
        return Asking(self._found.terms, self._template, self._schema)

    @property
    def model(self) -> str:
        """The model as the server calls it."""
        assert self._found is not None
        return self._found.model

    @property
    def secret(self) -> Secret | None:
        """The key, if there is one."""
        return self._key.secret if self._key else None

    def connect(self) -> Client:
        """A connection to the server, for one event loop."""
        return Client(self.address, self.secret, self.options.timeout)

    @property
    def recorder(self) -> Recorder:
        """What makes records."""
        return Recorder(self.name, self.schema_version, self._template.version, self.record_key)

    def _run(
        self, todo: Sequence[StoredImage], source: ImageSource, sink: RecordSink, outcome: Outcome
    ) -> Job[None]:
        loop, client, patience = self._open()
        run = self._make_run(loop, patience, source, sink, outcome)
        name = self.name
        try:
            for _ in loop.run(run.read(todo)):
                yield run.progress(name)
        finally:
            close(loop, client)  # also when the job is cancelled between two slices
        yield run.progress(name)
        if patience.stopped is not None:
            self._raise_stopped(patience.stopped, outcome)

    def _raise_stopped(self, stop: RunStopped, outcome: Outcome) -> None:
        left = outcome.asked - outcome.done - outcome.failed - outcome.skipped
        outcome.skipped += left
        tally = (
            f"{are_counted(outcome.done, 'image', were=True)} read, {outcome.failed:,} failed, {left:,} left."
        )
        error = RunStopped(f"{stop.sentence} {tally}", stop.remedy)
        error.outcome = outcome
        raise error

    def plan(
        self, images: Sequence[StoredImage], sink: RecordSink, outcome: Outcome
    ) -> Job[list[StoredImage]]:
        """The images to ask about. Known ones are skipped, and what must not be sent gets its record."""
        known = set(sink.record_keys(self.name))
        todo = []
        for start in range(0, len(images), _PLANNED):
            records = []
            for image in images[start : start + _PLANNED]:
                key = self.record_key(image)
                if key in known:
                    outcome.skipped += 1
                    continue
                known.add(key)
                record = unsent(image, self.name, key)
                if record is None:
                    todo.append(image)
                else:
                    records.append(record)
            if records:
                sink.add_records(records)
                for record in records:
                    count(outcome, record, "not sent")
            yield Progress(
                outcome.skipped + outcome.failed, outcome.asked, "looking what is there", outcome.failed
            )
        return todo

    def _open(self) -> tuple[SteppedLoop, Client, Patience]:
        client = self.connect()
        loop = SteppedLoop()
        throttle = Throttle(self.options.concurrency, loop.clock, self._random)
        patience = Patience(client, self.options, throttle, self.budget, loop.clock, self._random)
        return loop, client, patience

    def _make_run(
        self,
        loop: SteppedLoop,
        patience: Patience,
        source: ImageSource,
        sink: RecordSink,
        outcome: Outcome,
    ) -> Run:
        found, options = self._found, self.options
        assert found is not None
        self.meter = Meter(self.budget, loop.clock)
        conversation = Conversation(
            self.asking,
            patience,
            self.recorder,
            found.model,
            repairs=options.repairs,
            most_failures=max(ROW_OF_FAILURES, 2 * options.concurrency),
            may_change_model=options.allow_other_model,
        )
        return Run(
            conversation,
            patience,
            self.meter,
            source,
            sink,
            size=options.image_size,
            quality=options.image_quality,
            at_once=options.concurrency,
            outcome=outcome,
        )

    @cached_property
    def _parameters(self) -> Mapping[str, Any]:
        found = self._found
        assert found is not None
        terms = found.terms
        return {
            "schema": self.schema_version,
            "template": self._template.version,
            "server": self.server.id,
            "api": terms.api,
            "model": _shown(found.model),
            "model_asked": _shown(terms.model),
            "output": terms.output,
            "bounds": terms.bounds,
            "max_tokens": terms.max_tokens if terms.tokens_as else None,
            "temperature": terms.temperature,
            "reasoning_effort": terms.reasoning_effort,
            "image_format": "jpeg",
            "image_size": self.options.image_size,
            "image_quality": self.options.image_quality,
            "image_detail": terms.image_detail,
            "repairs": self.options.repairs,
        }

    def _find_key(self) -> FoundKey | None:
        server, options = self.server, self.options
        variables: tuple[str, ...] = (_OWN_VARIABLE,)
        if options.key_variable:
            variables = (options.key_variable,)
        elif server.id != OWN and (not server.needs_key or self._is_home()):
            # A key for a paid service goes to that service and nowhere else.
            variables = server.key_variables
        found = find_key(self.address.origin, variables)
        if found is None and (options.key_variable or server.needs_key):
            raise BadInput(
                f"No key was found for {self.address.origin}.",
                f"Set the environment variable {variables[0]}, or keep the key in the system's keyring.",
            )
        return found

    def _is_home(self) -> bool:
        """Whether the address is the server's own."""
        return check_address(self.server.base_url).origin == self.address.origin

    def _check_schema(self) -> None:
        """Say before the run that a strict schema would not be taken."""
        if self.server.limits is None or self._wanted.output != "json_schema":
            return
        problems = problems_for(answer_schema(self._schema), self.server.limits)
        if problems:
            raise BadInput(
                f"{self.server.name} would not take this schema as a strict JSON schema: {problems[0]}",
                "Shorten it, or use --output json_object.",
            )


class _Held:
    """Steps a generator and holds what it returns."""

    def __init__(self, steps: Any) -> None:
        self._steps = steps
        self.result: Any = None

    def __iter__(self) -> Any:
        self.result = yield from self._steps


class _Shelf:
    """Source and sink for a single image."""

    def __init__(self, image_bytes: Callable[[], bytes]) -> None:
        self._image_bytes = image_bytes
        self.records: list[NewRecord] = []

    def truth_of(self, image_ids: object) -> Mapping[int, Truth]:
        """Nothing is known about the image."""
        return {}

    def image_bytes(self, image: StoredImage) -> bytes:
        """The image's file."""
        return self._image_bytes()

    def record_keys(self, extractor: str) -> set[str]:
        """No record is there yet."""
        return set()

    def add_records(self, records: Sequence[NewRecord]) -> None:
        """Keep the record."""
        self.records += records


def close(loop: SteppedLoop, client: Client) -> None:
    """End everything that runs, the connections and the loop."""
    try:
        loop.cancel()
        loop.run_whole(client.close())
    finally:
        loop.close()


def _shown(model: str) -> str:
    """A model's name; of one that is a file on the server, the file's name alone."""
    if PurePosixPath(model).is_absolute() or PureWindowsPath(model).is_absolute():
        return PureWindowsPath(model).name
    return model
