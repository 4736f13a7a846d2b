"""The job that writes a report."""

from __future__ import annotations

from pathlib import Path

from core.errors import BadInput
from core.jobs import Job, Progress
from core.report.blocks import Section
from core.report.html import html_page
from core.report.material import Material
from core.report.pdf import PdfReport
from core.report.sections import sections_of, title_of
from core.whole_files import make_folder, write_whole


def write_report(material: Material, path: Path, *, pdf: bool = False) -> Job[list[Path]]:
    """Write a report.

    Parameters
    ----------
    material : Material
    path : Path
        By its ending, HTML or PDF; other endings are HTML.
    pdf : bool
        Also write a PDF of the same name beside an HTML.

    Yields
    ------
    Progress
        One step a section and file.

    Returns
    -------
    Job of list of Path
        What was written. The same material gives the same bytes.

    Raises
    ------
    BadInput
        A place that cannot be written.
    MissingPart
        No package that writes PDF.
    """
    sections = sections_of(material)
    files = [path, path.with_suffix(".pdf")] if pdf and path.suffix.lower() != ".pdf" else [path]
    written: list[Path] = []
    for number, file in enumerate(files):
        first, total = number * len(sections), len(files) * len(sections)
        made = _pdf if file.suffix.lower() == ".pdf" else _html
        data = yield from made(material, sections, first, total)
        written.append(_write(file, data))
    yield Progress(1, 1, "report")
    return written


def _subtitle(material: Material) -> str:
    version = material.versions.get("contextbias-studio", "")
    return f"Report of ContextBias Studio {version}, data as of {material.as_of[:10]}"


def _html(material: Material, sections: list[Section], first: int, total: int) -> Job[bytes]:
    parts = []
    for done, part in enumerate(html_page(title_of(material), _subtitle(material), sections)):
        parts.append(part)
        yield Progress(min(first + done, total), total, sections[min(done, len(sections) - 1)].title)
    return "".join(parts).encode("utf-8")


def _pdf(material: Material, sections: list[Section], first: int, total: int) -> Job[bytes]:
    document = PdfReport(title_of(material), _subtitle(material), material.as_of)
    for done, section in enumerate(sections):
        yield Progress(first + done, total, section.title)
        document.add(section)
    return document.content()


def _write(path: Path, data: bytes) -> Path:
    try:
        make_folder(path.parent)
        return write_whole(path, lambda place: place.write_bytes(data))
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror or error}.") from error
