"""The HTML report: loads nothing, runs nothing, shows what the tables hold, can be read by everybody."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest

from core.jobs import run_here
from core.paths import RESOURCES
from core.report.blocks import Section
from core.report.html import POLICY, html_page
from core.report.material import Material
from core.report.sections import sections_of, title_of
from core.report.writing import write_report
from core.table_files import read_table
from core.tables import write_tables
from tests.core.report.conftest import HOSTILE

TOLD = ("reason", "method", "verdict")
VOID = {"meta", "img", "source", "br", "hr"}


class Page(HTMLParser):
    """Tags with their attributes in order, and the cells of every table."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.tables: dict[str, list[list[tuple[str | None, str]]]] = {}
        self.columns: dict[str, list[str]] = {}
        self._table, self._value, self._text = "", None, ""
        self._id: str | None = None

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        self.tags.append((tag, given))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self._table = str(given["data-table"])
            self.tables[self._table] = []
            self.columns[self._table] = str(given["data-columns"]).split(" ")
        elif tag == "tr":
            self.tables[self._table].append([])
        elif tag == "td":
            self._value, self._text = given.get("data-value"), ""
            self._id = given.get("data-id")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag == "td":
            self.tables[self._table][-1].append((self._value, self._id or self._text))

    def handle_data(self, data: str) -> None:
        self._text += data

    def frame(self, name: str) -> pd.DataFrame:
        rows = [
            [text if value is None else (float(value) if value else None) for value, text in row]
            for row in self.tables[name]
            if row
        ]
        return pd.DataFrame(rows, columns=self.columns[name])


def written(material: Material) -> str:
    """The page with a small stand-in for each figure, which other tests draw."""
    parts = html_page(
        title_of(material), "test", sections_of(material), lambda drawing, look: "data:image/png;base64,AA"
    )
    return "".join(parts)


@cache
def _of(key: int, text: str) -> Page:
    page = Page()
    page.feed(text)
    assert page.open == []
    return page


@pytest.fixture(scope="module")
def page(material: Material) -> Page:
    return _of(0, written(material))


@pytest.fixture(scope="module")
def hostile_text(hostile: Material) -> str:
    return written(hostile)


def test_nothing_is_loaded_and_nothing_runs(page: Page):
    for tag, given in page.tags:
        assert tag not in ("script", "iframe", "object", "embed", "link", "form", "input", "base")
        for name in ("src", "srcset", "href", "action", "poster", "background"):
            if given.get(name):
                assert str(given[name]).startswith(("data:image/", "#"))
        assert not [name for name in given if name.startswith("on") or name == "style"]
    assert {"http-equiv": "Content-Security-Policy", "content": POLICY} in [given for _, given in page.tags]
    assert "url(" not in (RESOURCES / "report.css").read_text(encoding="utf-8")
    assert "@import" not in (RESOURCES / "report.css").read_text(encoding="utf-8")


def test_labels_names_and_reasons_that_are_html_stay_text(hostile_text: str):
    _of(1, hostile_text)
    assert HOSTILE not in hostile_text
    assert "<script" not in hostile_text
    assert "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;" in hostile_text
    assert hostile_text.count("example.org") >= 3  # generator, reason, label: there, as text


def test_no_secret_and_no_annotator_is_named(hostile_text: str):
    for word in ("sk-secret", "hf-secret", "Adaline", "Benedikt", "Cemile"):
        assert word not in hostile_text
    assert "steps: 30" in hostile_text


@pytest.mark.parametrize("name", ["bi", "bi_change", "persistence", "ccs_mean"])
def test_tables_of_the_report_equal_the_csv_files(page: Page, material: Material, tmp_path: Path, name: str):
    write_tables({name: material.tables[name]}, tmp_path, {})
    csv = read_table(tmp_path / f"{name}.csv")
    shown = page.frame(name)
    numbers = [column for column in shown if pd.api.types.is_float_dtype(shown[column])]
    keys = [column for column in shown if column not in numbers and column in csv and column not in TOLD]
    if name in ("bi", "bi_change"):
        csv = csv[(csv.aggregation == "pool") & (csv.dimension == "ALL")]
        if name == "bi":
            plugin = csv[csv.estimator == "plugin"].set_index(keys)["value"]
            csv = csv.assign(plugin=plugin.reindex(pd.MultiIndex.from_frame(csv[keys])).to_numpy())
        csv = csv[csv.estimator == "matched"]

    found = shown.merge(csv.astype(dict.fromkeys(keys, object)), on=keys, suffixes=("", "_csv"), how="left")

    assert len(shown) == len(found) > 5
    assert len(numbers) >= 2
    for column in numbers:
        pd.testing.assert_series_equal(
            found[column], found[f"{column}_csv"].astype(float), check_names=False, check_exact=True
        )


def test_what_is_seen_is_the_value_rounded(page: Page):
    value, seen = next(cell for row in page.tables["bi"] for cell in row if cell[0])

    assert seen.replace("−", "-") == f"{float(value):.3f}"


def test_headings_go_down_one_step_at_a_time_and_every_name_is_there_once(page: Page):
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h\d", tag)]
    names = [given["id"] for _, given in page.tags if "id" in given]
    aims = [str(given["href"])[1:] for tag, given in page.tags if tag == "a"]

    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))
    assert len(set(names)) == len(names)
    assert set(aims) <= set(names)


def test_every_figure_has_words_and_every_table_a_caption_and_scopes(page: Page):
    pictures = [given for tag, given in page.tags if tag == "img"]
    heads = [given for tag, given in page.tags if tag == "th"]

    assert len(pictures) == 8
    assert all(len(str(given["alt"])) > 40 for given in pictures)
    assert all(given.get("scope") == "col" for given in heads)
    assert [tag for tag, _ in page.tags].count("caption") == len(page.tables)
    assert ("html", {"lang": "en-GB"}) in page.tags


def test_dark_figures_are_for_dark_screens_only(page: Page):
    sources = [given for tag, given in page.tags if tag == "source"]

    assert {given["media"] for given in sources} == {"screen and (prefers-color-scheme: dark)"}


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("place", [0, 1], ids=["light", "dark"])
def test_text_stands_out_from_its_ground(place: int):
    css = (RESOURCES / "report.css").read_text(encoding="utf-8")
    roles = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", css.split(":root")[place + 1]))

    for ground, words in (("surface", ("text", "muted", "accent", "warn")), ("warn-soft", ("text",))):
        for word in words:
            low, high = sorted((luminance(roles[ground]), luminance(roles[word])))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (ground, word)


def test_a_report_without_people_says_so(material: Material):
    from dataclasses import replace

    assert "Nobody has labelled anything" in written(replace(material, people=None))


def test_a_table_without_rows_is_said_to_be_empty():
    from core.report.blocks import Table

    section = Section("Nothing", [Table("x", "Empty", pd.DataFrame({"a": []}))])

    assert "No rows." in "".join(html_page("t", "s", [section]))


def test_the_same_report_is_the_same_bytes(
    material: Material, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("core.report.html.figure_bytes", lambda drawing, kind, **more: drawing.name.encode())
    first = run_here(write_report(material, tmp_path / "a.html"))[0].read_bytes()
    again = run_here(write_report(material, tmp_path / "b.html"))[0].read_bytes()

    assert first == again
