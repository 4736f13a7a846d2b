"""The default engine: this machine, one worker a device, each in a thread of its own.

A worker hands over its steps through a short queue. Whoever takes no reports (a paused job) therefore
holds the workers within a few steps, and whoever closes stops them within one. Checking, encoding and
storing of a finished image happen beside the next one. Whoever waits for a report is woken at each image's
first step and then at most five times a second: each waking takes the interpreter from the worker.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias

from core.errors import GeneratorError
from core.generation.generator import Generator, MakesMany
from core.generation.reports import NotMade, Report, Reports, Step, Task, Waiting
from core.generation.worker import OnDevices, Stopped
from core.records import NewImage

AHEAD = 8
"""Steps that a worker may be ahead of whoever takes its reports: enough to store an image meanwhile."""

SECONDS_BETWEEN_STEPS = 0.2
"""Shortest time between two steps for which whoever waits is woken; images always wake it."""

SECONDS_BETWEEN_SIGNS = 0.25
"""Longest time without a report, while a model is loaded or a step takes long."""

SECONDS_TO_STOP = 30.0
"""How long closing waits for a step to end; a model that is just being loaded is not waited for."""


class LocalEngine:
    """Runs generators on devices of this machine.

    Parameters
    ----------
    devices : sequence of str, optional
        Such as ("cuda:0", "cuda:1"); the same name twice makes two workers on it. What the generator
        finds best when left out. Generators that need no device ignore it.
    """

    def __init__(self, devices: Sequence[str] | None = None) -> None:
        self._devices = devices

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices that were named; none where the generator chooses."""
        return tuple(self._devices or ())

    def titles(self, generator: OnDevices) -> dict[str, str]:
        """What each device is that a generator would run on."""
        return {name: generator.title_of(name) for name in self._devices or generator.devices()}

    def run(self, generator: Generator, tasks: Sequence[Task]) -> Reports:
        """One image or `NotMade` for every task."""
        if isinstance(generator, OnDevices):
            return _on_devices(generator, tasks, self._devices)
        if isinstance(generator, MakesMany):
            return _many(generator, tasks)
        return _one_by_one(generator, tasks)


def _one_by_one(generator: Generator, tasks: Sequence[Task]) -> Reports:
    for task in tasks:
        try:
            yield generator.make(*task)
        except GeneratorError as error:
            yield NotMade(task, error)


def _many(generator: MakesMany, tasks: Sequence[Task]) -> Reports:
    results = generator.make_many(tasks)
    try:
        for task, result in zip(tasks, results, strict=True):
            yield NotMade(task, result) if isinstance(result, GeneratorError) else result
    finally:
        results.close()


def _on_devices(generator: OnDevices, tasks: Sequence[Task], names: Sequence[str] | None) -> Reports:
    if not tasks:
        return
    for progress in generator.prepare():
        yield Waiting(f"{progress.text}: {progress.done / 1e9:.1f} of {progress.total / 1e9:.1f} GB")
    crew = _Crew(generator, tasks, names or generator.devices())
    try:
        yield from crew.reports()
    finally:
        crew.stop()


@dataclass(frozen=True, slots=True)
class _Sampled:
    """An image whose last touches are being put on in another thread."""

    image: Future[NewImage]


@dataclass(frozen=True, slots=True)
class _Ended:
    """A worker has nothing left to do, or cannot go on."""

    error: BaseException | None = None


_Event: TypeAlias = Report | _Sampled | _Ended


class _Crew:
    """The workers of one run and the queue they report through."""

    def __init__(self, generator: OnDevices, tasks: Sequence[Task], devices: Sequence[str]) -> None:
        self._generator = generator
        self._tasks = iter(tasks)
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._loading: set[str] = set()
        self._is_waited_for = False
        self._devices = devices
        self._events: queue.Queue[_Event] = queue.Queue(AHEAD * len(devices))
        self._finishers = ThreadPoolExecutor(len(devices), thread_name_prefix="finish-image")
        # A model that is being loaded cannot be stopped, and must not keep the program from ending.
        self._threads = [
            threading.Thread(target=self._work, args=(name,), name=f"worker-{name}", daemon=True)
            for name in devices
        ]

    def reports(self) -> Iterator[Report]:
        """Everything the workers report, until all have ended."""
        for thread in self._threads:
            thread.start()
        left = len(self._threads)
        while left:
            event = self._next_event()
            if event is None:
                yield Waiting(self._what_goes_on())
                continue
            if isinstance(event, _Ended):
                left -= 1
                if event.error is not None:
                    raise event.error
            else:
                yield event.image.result() if isinstance(event, _Sampled) else event

    def _next_event(self) -> _Event | None:
        """What a worker says next; None when none says anything for a while."""
        self._is_waited_for = True
        try:
            return self._events.get(timeout=SECONDS_BETWEEN_SIGNS)
        except queue.Empty:
            return None
        finally:
            self._is_waited_for = False

    def stop(self) -> None:
        """Stop all workers within a step; nothing that is half-made comes out."""
        self._stop.set()
        for thread in self._threads:
            if thread.ident is not None and thread.name not in self._loading:
                thread.join(SECONDS_TO_STOP)
        self._finishers.shutdown(wait=True, cancel_futures=True)

    def _what_goes_on(self) -> str:
        return f"loading onto {', '.join(self._devices)}" if self._loading else ""

    def _work(self, device: str) -> None:
        try:
            self._make_images(device)
        except Stopped:
            pass
        except BaseException as error:  # noqa: BLE001 - whatever it is must reach the job
            self._hand_over(_Ended(error), is_last=True)
        else:
            self._hand_over(_Ended(), is_last=True)

    def _make_images(self, device: str) -> None:
        name = threading.current_thread().name
        self._loading.add(name)
        worker = self._generator.open(device)
        self._loading.discard(name)
        try:
            while not self._stop.is_set() and (task := self._next_task()) is not None:
                try:
                    finish = worker.sample(*task, self._on_step(task))
                except GeneratorError as error:
                    self._hand_over(NotMade(task, error))
                else:
                    self._hand_over(_Sampled(self._finishers.submit(finish)))
        finally:
            worker.close()

    def _next_task(self) -> Task | None:
        with self._lock:
            return next(self._tasks, None)

    def _on_step(self, task: Task) -> Callable[[int, int], None]:
        due = 0.0

        def after(number: int, total: int) -> None:
            nonlocal due
            if self._stop.is_set():
                raise Stopped
            # Steps that nobody waits for pile up in the queue, which is what holds this worker.
            if not self._is_waited_for or time.monotonic() >= due:
                self._hand_over(Step(task, number, total))
                due = time.monotonic() + SECONDS_BETWEEN_STEPS

        return after

    def _hand_over(self, event: _Event, *, is_last: bool = False) -> None:
        """Put an event into the queue; wait while nobody takes any, and leave when nobody wants any."""
        while not self._stop.is_set():
            try:
                self._events.put(event, timeout=0.1)
                return
            except queue.Full:
                continue
        if not is_last:
            raise Stopped
