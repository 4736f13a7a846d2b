"""How far a study has come: the counts behind the coverage grid."""

from __future__ import annotations

from core.records import Condition
from storage.part import Part, condition_of
from storage.study import Coverage

# Each part is counted by itself before they meet, so that nothing multiplies; images and records are
# counted off indexes. A prompt that came with imported pictures states no wording, and no generator is asked
# to make images of it. `IS` and not `=`: pictures made elsewhere may have no condition.
_COVERAGE = """
WITH
cell AS (
    SELECT role_id, condition, sum(wording <> '' OR id NOT IN (
        SELECT prompt_id FROM image JOIN generator ON generator.id = generator_id WHERE kind = 'imported'
    )) AS prompts FROM prompt GROUP BY role_id, condition),
images AS (
    SELECT generator_id, prompt_id, sum(status = 'ok') AS ok, sum(status <> 'ok') AS left_out
    FROM image GROUP BY generator_id, prompt_id),
records AS (
    SELECT generator_id, prompt_id, count(*) AS records
    FROM (SELECT DISTINCT image_id FROM record) AS read JOIN image ON image.id = read.image_id
    GROUP BY generator_id, prompt_id),
made AS (
    SELECT role_id, condition, images.generator_id, sum(ok) AS ok, sum(left_out) AS left_out,
        sum(ifnull(records, 0)) AS records
    FROM images JOIN prompt ON prompt.id = images.prompt_id
    LEFT JOIN records ON records.generator_id = images.generator_id
        AND records.prompt_id = images.prompt_id
    GROUP BY role_id, condition, images.generator_id),
sets AS (
    SELECT role_id, condition, generator_id, count(*) AS image_sets FROM image_set
    WHERE purpose = 'study' GROUP BY role_id, condition, generator_id),
answers AS (
    SELECT role_id, condition, generator_id, count(*) AS answers
    FROM current_answer JOIN image_set ON image_set.id = image_set_id
    WHERE is_confirmed = 1
    GROUP BY role_id, condition, generator_id)
SELECT role.name, cell.condition, generator.name, prompts, ifnull(ok, 0), ifnull(left_out, 0),
    ifnull(records, 0), ifnull(image_sets, 0), ifnull(answers, 0)
FROM cell JOIN role ON role.id = cell.role_id LEFT JOIN generator
LEFT JOIN made ON made.role_id = cell.role_id AND made.condition IS cell.condition
    AND made.generator_id = generator.id
LEFT JOIN sets ON sets.role_id = cell.role_id AND sets.condition IS cell.condition
    AND sets.generator_id = generator.id
LEFT JOIN answers ON answers.role_id = cell.role_id AND answers.condition IS cell.condition
    AND answers.generator_id = generator.id
ORDER BY role.id, cell.condition IS NULL, cell.condition = 'CA-U', cell.condition = 'CA-R', generator.id
"""


class CoverageRows(Part):
    """Counts over the whole study."""

    def coverage(self) -> list[Coverage]:
        """One row for each role × condition that has prompts × generator, in the order of the study."""
        return [
            Coverage(role, condition_of(condition), *rest)
            for role, condition, *rest in self._readers.rows(_COVERAGE)
        ]

    def count_images(self, status: str = "ok") -> int:
        """Number of images of a status, without making a row of each."""
        found = self._readers.row("SELECT count(*) FROM image WHERE status = ?", [status])
        return int(found[0]) if found else 0

    def count_cells(self) -> dict[tuple[str, Condition | None, str], int]:
        """Role, condition, generator -> images that are ok, those with the same pixels once; 0 for others."""
        return {
            (role, condition_of(condition), generator): number
            for role, condition, generator, number in self._readers.rows(_CELLS)
        }

    def count_image_sets(self, round_id: int) -> int:
        """Number of image sets of a round, without reading their images."""
        query = "SELECT count(*) FROM image_set WHERE round_id = ? AND purpose = 'study'"
        return int(self._readers.rows(query, [round_id])[0][0])

    def count_read(self, extractor: str) -> int:
        """Number of images that are ok and have a record of an extractor, whatever became of it."""
        return int(self._readers.rows(_READ, [extractor])[0][0])

    def inputs_of(self, extractor: str) -> list[object]:
        """What the results of an extractor rest on, in a few numbers: the same ones, the same records.

        Records are only ever added, or taken away together, so number, sum and newest say which there are;
        the label map is not in it.
        """
        images = self._readers.rows(
            "SELECT status, count(*), sum(id), sum(prompt_id), sum(generator_id) FROM image"
            " GROUP BY status ORDER BY status"
        )
        prompts = self._readers.rows(
            "SELECT condition, count(*), sum(id), sum(role_id) FROM prompt"
            " GROUP BY condition ORDER BY condition"
        )
        records = self._readers.rows(_RECORDS, [extractor])
        return [[list(row) for row in rows] for rows in (images, prompts, records)]


_CELLS = """
SELECT role.name, prompt.condition, generator.name,
    count(DISTINCT CASE WHEN image.status = 'ok' THEN image.sha256 END)
FROM image JOIN prompt ON prompt.id = image.prompt_id JOIN role ON role.id = prompt.role_id
JOIN generator ON generator.id = image.generator_id
GROUP BY role.id, prompt.condition, generator.id
"""

_READ = """
SELECT count(DISTINCT record.image_id) FROM record JOIN extractor ON extractor.id = extractor_id
JOIN image ON image.id = image_id WHERE extractor.name = ? AND image.status = 'ok'
"""

_RECORDS = """
SELECT record.status, count(*), sum(record.id), max(record.id), sum(image_id)
FROM record JOIN extractor ON extractor.id = extractor_id
WHERE extractor.name = ? GROUP BY record.status ORDER BY record.status
"""
