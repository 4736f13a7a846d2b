"""Sections: how to cite, and hashes and versions by which the report can be checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.amounts import counted
from core.report.blocks import Code, Facts, Paragraph, Points, Section
from core.report.material import Material, digest_of

PAPER = (
    "Kolli et al., “ContextBias: Controlled Evaluation of Bias Persistence Under Context Shift in "
    "Text-to-Image "
    "Models”, arXiv:2608.29847, 2026."
)
BIBTEX = """@article{contextbias2026,
  title  = {ContextBias: Controlled Evaluation of Bias Persistence Under Context Shift
            in Text-to-Image Models},
  author = {Kolli and others},
  year   = {2026},
  eprint = {2608.29847},
  archivePrefix = {arXiv}
}"""


def citing_section(material: Material) -> Section:
    """What to cite, and as what."""
    facts = material.facts
    own = (
        f"This study: {facts.get('name', '')}, study {facts.get('study_key', '')}, data as of "
        f"{material.as_of[:10]}, ContextBias Studio {material.versions.get('contextbias-studio', '')}."
    )
    return Section(
        "How to cite",
        [
            Paragraph("The method:"),
            Points([PAPER]),
            Code(BIBTEX),
            Paragraph(own),
            Paragraph(
                "Cite the generators by name, revision and settings as listed under “Models and settings”: "
                "other versions may draw other people."
            ),
        ],
    )


def versions_section(material: Material) -> Section:
    """Everything that is needed to see whether two reports are of the same data and the same program."""
    run, facts = material.run, material.facts
    schema = run.get("schema", {})
    rows = [
        ("Study", str(facts.get("study_key", ""))),
        (
            "Made with",
            f"ContextBias Studio {facts.get('application_version', '')}, {facts.get('created_at', '')}",
        ),
        ("Data as of", material.as_of),
        ("Schema", f"version {schema.get('version', '')}, {schema.get('hash', '')}"),
        ("Role and context bank", str(facts.get("bank_hash", ""))),
        ("Label map", _map_words(run.get("label_map", {}))),
        ("Images", material.images_digest or "none"),
        ("Mode, seed", f"{run.get('mode', '')}, {run.get('seed', '')}"),
        ("Intervals", _resampled_words(run.get("resampled", {}))),
        ("Options", ", ".join(f"{name} {value}" for name, value in sorted(run.get("options", {}).items()))),
    ]
    if material.people is not None:
        people = material.people.run
        drawn = f"{people.get('bootstrap', 0)} draws of {people.get('resampled', '')}"
        rows.append(
            ("Agreement", f"{drawn}, seed {people.get('seed', '')}; unknown: {people.get('unknown', '')}")
        )
    versions = [(name, version) for name, version in material.versions.items() if version]
    tables = {**material.tables, **(material.people.tables if material.people is not None else {})}
    digests = [
        (f"{name} ({counted(len(table), 'row')})", digest_of(table)) for name, table in sorted(tables.items())
    ]
    return Section(
        "Hashes and versions",
        [Facts(rows)],
        [
            Section("Programs", [Facts(versions)]),
            Section(
                "Result tables",
                [
                    Paragraph(
                        "SHA-256 of the content of each result table, as this report was made from it:"
                    ),
                    Facts(digests),
                ],
            ),
        ],
    )


def _resampled_words(drawn: Mapping[str, Any]) -> str:
    """Over what the intervals of the results are."""
    return f"Bias Intensity {drawn['bi']}; labels {drawn['labels']}" if drawn else "over roles or prompts"


def _map_words(label_map: Mapping[str, Any]) -> str:
    """The label map that the results were made with."""
    moved = label_map.get("labels_mapped", 0)
    if not moved:
        return f"version {label_map.get('version', 0)}, no label has another name"
    return f"version {label_map.get('version', 0)}, {moved} labels mapped, {label_map.get('hash', '')}"
