"""The plan and the makers: roles, prompts, generators, extractors."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.errors import BadInput
from core.records import Prompt, PromptKind, Role
from storage.part import Part, as_json, condition_of, from_json, now
from storage.study import ExtractorInfo, GeneratorInfo


class PlanRows(Part):
    """Roles, prompts, generators and extractors of a study."""

    def add_roles(self, roles: Iterable[Role]) -> None:
        """Add roles; one that is there already takes the new way of writing it."""
        rows = [
            (role.name, role.display_name, role.article, role.plural, role.soc_code, role.soc_title)
            for role in roles
        ]

        def act(connection: sqlite3.Connection) -> None:
            connection.executemany(
                "INSERT INTO role (name, display_name, article, plural, soc_code, soc_title)"
                " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET"
                " display_name = excluded.display_name, article = excluded.article,"
                " plural = excluded.plural, soc_code = excluded.soc_code, soc_title = excluded.soc_title",
                rows,
            )

        self._writer.do(act, "role")

    def add_prompts(self, prompts: Sequence[Prompt]) -> None:
        """Add prompts in their order; one with the same role, condition and text stays as it is."""

        def act(connection: sqlite3.Connection) -> None:
            roles = role_ids(connection)
            for prompt in prompts:
                put_prompt(connection, prompt, roles)

        self._writer.do(act, "prompt")

    def add_generator(self, name: str, kind: str, settings: Mapping[str, Any]) -> None:
        """Add a generator with all settings that shape its images; the same one again changes nothing.

        Another set of settings under the same name raises BadInput once there are images, because those
        of both would be counted as one generator's; until then it takes the place of the first.
        """

        def act(connection: sqlite3.Connection) -> None:
            text = as_json(settings)
            if _has_images(connection, name):
                _refuse_other(connection, "generator", "settings_json", name, text)
            connection.execute(
                "INSERT INTO generator (name, kind, settings_json, added_at) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (name) DO UPDATE SET kind = excluded.kind,"
                " settings_json = excluded.settings_json WHERE settings_json <> excluded.settings_json",
                (name, kind, text, now()),
            )

        self._writer.do(act, "generator")

    def add_extractor(self, name: str, parameters: Mapping[str, Any], is_simulated: bool = False) -> None:
        """Add an extractor with its parameters; the same one again changes nothing.

        Other parameters under the same name raise BadInput, as for a generator.
        """

        def act(connection: sqlite3.Connection) -> None:
            text = as_json(parameters)
            _refuse_other(connection, "extractor", "parameters_json", name, text)
            connection.execute(
                "INSERT INTO extractor (name, parameters_json, is_simulated, added_at) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (name) DO NOTHING",
                (name, text, int(is_simulated), now()),
            )

        self._writer.do(act, "extractor")

    def roles(self) -> list[Role]:
        """All roles in the order they were added."""
        columns = "name, display_name, article, plural, soc_code, soc_title"
        return [Role(*row) for row in self._readers.rows(f"SELECT {columns} FROM role ORDER BY id")]

    def prompts(self) -> list[Prompt]:
        """All prompts in the order they were added."""
        rows = self._readers.rows(
            "SELECT role.name, condition, kind, text, wording, place, activity"
            " FROM prompt JOIN role ON role.id = role_id ORDER BY prompt.id"
        )
        return [
            Prompt(role, condition_of(condition), PromptKind(kind), *rest)
            for role, condition, kind, *rest in rows
        ]

    def generators(self) -> list[GeneratorInfo]:
        """All generators in the order they were added."""
        rows = self._readers.rows("SELECT name, kind, settings_json FROM generator ORDER BY id")
        return [GeneratorInfo(name, kind, from_json(settings)) for name, kind, settings in rows]

    def extractors(self) -> list[ExtractorInfo]:
        """All extractors in the order they were added."""
        rows = self._readers.rows("SELECT name, parameters_json, is_simulated FROM extractor ORDER BY id")
        return [
            ExtractorInfo(name, from_json(parameters), bool(simulated))
            for name, parameters, simulated in rows
        ]


def role_ids(connection: sqlite3.Connection) -> dict[str, int]:
    """Row of each role by name."""
    return dict(connection.execute("SELECT name, id FROM role"))


def id_of(ids: Mapping[str, int], name: str, noun: str) -> int:
    """Row of a name; BadInput when the study has none of that name."""
    try:
        return ids[name]
    except KeyError:
        raise BadInput(f"This study has no {noun} {name!r}.", f"Add the {noun} to the study first.") from None


def put_prompt(connection: sqlite3.Connection, prompt: Prompt, roles: Mapping[str, int]) -> int:
    """Row of a prompt, added when it is new."""
    condition = None if prompt.condition is None else prompt.condition.value
    role_id = id_of(roles, prompt.role, "role")
    connection.execute(
        "INSERT INTO prompt (role_id, condition, kind, text, wording, place, activity)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (role_id, condition, prompt.kind.value, prompt.text, prompt.wording, prompt.place, prompt.activity),
    )
    (number,) = connection.execute(
        "SELECT id FROM prompt WHERE role_id = ? AND ifnull(condition, '') = ? AND text = ?",
        (role_id, condition or "", prompt.text),
    ).fetchone()
    return int(number)


def _has_images(connection: sqlite3.Connection, generator: str) -> bool:
    found = connection.execute(
        "SELECT 1 FROM image JOIN generator ON generator.id = generator_id WHERE name = ? LIMIT 1",
        (generator,),
    )
    return found.fetchone() is not None


def _refuse_other(connection: sqlite3.Connection, table: str, column: str, name: str, text: str) -> None:
    found = connection.execute(f"SELECT {column} FROM {table} WHERE name = ?", (name,)).fetchone()
    if found is not None and found[0] != text:
        raise BadInput(
            f"The {table} {name!r} is in this study already, with other settings.",
            f"Give the {table} another name, so that what the two make is never counted together.",
        )
