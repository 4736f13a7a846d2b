"""A look at each annotator's answers to each question: time, unknowns, sameness, gold, repeats, end counts.

Every figure is a flag at most. Nothing is excluded by itself: an exclusion is a person's act, with a reason,
and stands in every table it changes. What raises a flag is written here and nowhere else:

* *fast*, *slow*: more than a tenth of the answers, and at least five, lie 3.5 robust standard deviations of
  the logarithm below (above) everybody's median for that question;
* *under 1 s*: more than half of the answers, and at least five, took less than a second, in which nobody
  looks at ten images; this one needs nobody to compare with;
* *unknown*: at least 0.2 more unknowns than the others have, and at least five;
* *one label*: one label in nine of ten answers or more, while the others give it to six of ten at most;
* *gold*: fewer than 0.7 of at least five gold answers are right (category, and count within 1);
* *repeats*: fewer than 0.7 of at least five answers came out the same the second time;
* *ends*: nine of ten counts set by hand, at least ten, are 0, 5 or 10, where a slider is easily left.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, TypeAlias

from annotation.packet_session import COUNT_MAY_MISS_BY
from core.packets import KeyAnswer
from core.records import UNKNOWN, Answer

Given: TypeAlias = tuple[str, str, str, str, Answer, float]
"""Annotator, image set, set that it repeats or '', question, answer, active seconds."""

ALL = "ALL"
FEWEST = 5
RESTS = (0, 5, 10)
ROBUST = 3.5
SHORTEST_SECONDS = 1.0
TOO_FAST = "under 1 s"
NO_GOLD = "no right answer is known to what was answered here"
"""Why nothing was scored as gold."""

MAD_TO_SD = 1.4826

MEANINGS = {
    "fast": "more than a tenth of the answers took far less time than everybody's median for that question",
    "slow": "more than a tenth of the answers took far more time than everybody's median for that question",
    TOO_FAST: "more than half of the answers took less than a second, in which nobody looks at ten images",
    "unknown": "at least 20 percentage points more unknowns than the others have",
    "one label": "one label in nine of ten answers or more, which the others give in six of ten at most",
    "gold": "fewer than 70 % of the gold answers are right, in category and in count within 1",
    "repeats": "fewer than 70 % of the answers came out the same the second time",
    "ends": "nine of ten counts set by hand are 0, 5 or 10, where a slider is easily left",
}
"""What each flag says, in words."""

QUALITY_COLUMNS = (
    *("annotator", "question", "answers", "median_seconds", "usual_seconds", "fast", "slow"),
    *(
        "unknown_share",
        "top_label",
        "top_share",
        "longest_run",
        "gold",
        "gold_right",
        "gold_reason",
        "repeats",
    ),
    *("repeats_same", "by_hand", "at_rest_share", "flags"),
)


@dataclass(frozen=True, slots=True)
class _One:
    """One answer, with what is compared."""

    annotator: str
    image_set: str
    question: str
    label: str
    slider: int | None
    is_by_hand: bool
    seconds: float


def quality_rows(given: Iterable[Given], keys: Mapping[tuple[str, str], KeyAnswer]) -> list[dict[str, Any]]:
    """One row an annotator and question, and one for all questions; None where there is nothing to say.

    Parameters
    ----------
    given : iterable
        Confirmed answers of study and repeats in the order in which they were given, from
        `storage.quality_rows`.
    keys : mapping
        The right answers by image set and question (`annotation.right_answers`); those of training are not
        used. Where there is none, nothing is scored as gold, and `gold_reason` says so.

    Returns
    -------
    list of dict
        With the columns `QUALITY_COLUMNS`. Shares are 0 to 1; `fast` and `slow` count answers;
        `usual_seconds` is everybody's median, as `median_seconds` is the annotator's.
    """
    first: list[_One] = []
    again: dict[tuple[str, str, str], _One] = {}
    for annotator, image_set, repeated, question, answer, seconds in given:
        one = _One(
            *(annotator, repeated or image_set, question, _label(answer), answer.slider),
            answer.slider_source in ("slider", "key"),
            seconds,
        )
        if repeated:
            again[(annotator, repeated, question)] = one
        else:
            first.append(one)
    pace = _pace(first)
    everybody = _by(first, lambda one: (one.annotator, one.question))
    rows = []
    for person in dict.fromkeys(one.annotator for one in first):
        own = [row for key, row in everybody.items() if key[0] == person]
        rows += [_row(person, some[0].question, some, everybody, again, keys, pace) for some in own]
        every = [one for some in own for one in some]
        rows.append(_row(person, ALL, every, everybody, again, keys, pace))
    return rows


def repeated_rows(given: Iterable[Given]) -> list[dict[str, Any]]:
    """Agreement of each annotator with themself over all repeated answers, as one row an annotator."""
    from core.statistics.repeats import repeated_labels

    first, second = {}, {}
    for annotator, image_set, repeated, question, answer, _ in given:
        if repeated:
            second[(annotator, repeated, question)] = _label(answer)
        else:
            first[(annotator, image_set, question)] = _label(answer)
    rows = []
    for person in dict.fromkeys(key[0] for key in first):
        pairs = [(first[key], second[key]) for key in second if key[0] == person and key in first]
        words = sorted({(key[2], label) for store in (first, second) for key, label in store.items()})
        code = {word: number for number, word in enumerate(words)}
        places = [key for key in second if key[0] == person and key in first]
        found = repeated_labels(
            [code[(key[2], first[key])] for key in places],
            [code[(key[2], second[key])] for key in places],
            max(len(words), 2),
        )
        for name in ("raw_agreement", "kappa", "ac1"):
            estimate = getattr(found, name)
            rows.append(
                {
                    **{"annotator": person, "statistic": name, "pairs": len(pairs), "value": estimate.value},
                    **{"low": estimate.low, "high": estimate.high, "reason": estimate.reason},
                }
            )
    return rows


def _row(
    person: str,
    question: str,
    own: Sequence[_One],
    everybody: Mapping[tuple[str, str], Sequence[_One]],
    again: Mapping[tuple[str, str, str], _One],
    keys: Mapping[tuple[str, str], KeyAnswer],
    pace: Mapping[str, tuple[float, float]],
) -> dict[str, Any]:
    others = [
        one
        for (name, asked), some in everybody.items()
        if name != person and (question in (ALL, asked))
        for one in some
    ]
    counts = Counter(one.label for one in own)
    top, times = counts.most_common(1)[0]
    gold = [
        (one, keys[(one.image_set, one.question)]) for one in own if (one.image_set, one.question) in keys
    ]
    pairs = [(one, again[key]) for one in own if (key := (person, one.image_set, one.question)) in again]
    timed = [one for one in own if one.seconds > 0]
    by_hand = [one.slider for one in own if one.is_by_hand and one.slider is not None]
    row: dict[str, Any] = {
        "annotator": person,
        "question": question,
        "answers": len(own),
        "median_seconds": _median(own),
        "usual_seconds": _median([*own, *others]),
        "fast": sum(_distance(one, pace) < -ROBUST for one in timed),
        "slow": sum(_distance(one, pace) > ROBUST for one in timed),
        "unknown_share": counts[UNKNOWN] / len(own),
        "top_label": top if question != ALL else "",
        "top_share": times / len(own) if question != ALL else None,
        "longest_run": _longest_run([one.label for one in own]) if question != ALL else None,
        "gold": len(gold),
        "gold_right": sum(_is_right(one, key) for one, key in gold) / len(gold) if gold else None,
        "gold_reason": "" if gold else NO_GOLD,
        "repeats": len(pairs),
        "repeats_same": sum(one.label == two.label for one, two in pairs) / len(pairs) if pairs else None,
        "by_hand": len(by_hand),
        "at_rest_share": sum(count in RESTS for count in by_hand) / len(by_hand) if by_hand else None,
    }
    hurried = sum(one.seconds < SHORTEST_SECONDS for one in timed)
    is_hurried = hurried >= FEWEST and hurried > 0.5 * len(timed)
    row["flags"] = ", ".join([*([TOO_FAST] if is_hurried else []), *_flags(row, others)])
    return row


def _median(answers: Iterable[_One]) -> float | None:
    """Median of the seconds of those answers that have a time."""
    seconds = [one.seconds for one in answers if one.seconds > 0]
    return median(seconds) if seconds else None


def _flags(row: Mapping[str, Any], others: Sequence[_One]) -> Iterable[str]:
    for word in ("fast", "slow"):
        if row[word] >= FEWEST and row[word] > 0.1 * row["answers"]:
            yield word
    if others:
        theirs = Counter(one.label for one in others)
        unknown = theirs[UNKNOWN] / len(others)
        if row["unknown_share"] >= unknown + 0.2 and row["unknown_share"] * row["answers"] >= FEWEST:
            yield "unknown"
        is_one = row["top_share"] is not None and row["top_share"] >= 0.9 and row["answers"] >= 2 * FEWEST
        if is_one and theirs[row["top_label"]] / len(others) <= 0.6:
            yield "one label"
    for word, number, share in (("gold", "gold", "gold_right"), ("repeats", "repeats", "repeats_same")):
        if row[number] >= FEWEST and row[share] < 0.7:
            yield word
    if row["by_hand"] >= 2 * FEWEST and row["at_rest_share"] >= 0.9:
        yield "ends"


def _pace(answers: Iterable[_One]) -> dict[str, tuple[float, float]]:
    """Median and robust standard deviation of the logarithm of the seconds, by question."""
    logs: dict[str, list[float]] = defaultdict(list)
    for one in answers:
        if one.seconds > 0:
            logs[one.question].append(math.log(one.seconds))
    found = {}
    for question, some in logs.items():
        middle = median(some)
        found[question] = (middle, MAD_TO_SD * median(abs(value - middle) for value in some))
    return found


def _distance(one: _One, pace: Mapping[str, tuple[float, float]]) -> float:
    middle, spread = pace[one.question]
    return (math.log(one.seconds) - middle) / spread if spread > 0 else 0.0


def _is_right(one: _One, key: KeyAnswer) -> bool:
    if key.label is None:
        return one.label == UNKNOWN
    if not key.accepts(one.label):
        return False
    return key.slider is None or (
        one.slider is not None and abs(one.slider - key.slider) <= COUNT_MAY_MISS_BY
    )


def _longest_run(labels: Sequence[str]) -> int:
    longest = run = 0
    before = None
    for label in labels:
        run = run + 1 if label == before else 1
        longest, before = max(longest, run), label
    return longest


def _label(answer: Answer) -> str:
    return UNKNOWN if answer.is_unknown else answer.label or ""


def _by(answers: Iterable[_One], key: Any) -> dict[tuple[str, str], list[_One]]:
    found: dict[tuple[str, str], list[_One]] = defaultdict(list)
    for one in answers:
        found[key(one)].append(one)
    return found
