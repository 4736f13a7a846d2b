"""The queries behind `frames`, in the column order that is written there."""

from __future__ import annotations

_STUDY_ORDER = """
    generator.id, role.id, prompt.condition IS NULL, prompt.condition = 'CA-U', prompt.condition = 'CA-R',
    prompt.id, image.seed, image.id
"""

_TABLES = """
    image
    JOIN generator ON generator.id = image.generator_id
    JOIN prompt ON prompt.id = image.prompt_id
    JOIN role ON role.id = prompt.role_id
"""

_LATEST = """
    LEFT JOIN (SELECT image_id, max(id) AS id FROM record WHERE extractor_id = ? GROUP BY image_id)
        AS latest ON latest.image_id = image.id
    LEFT JOIN record ON record.id = latest.id
"""
"""An image's record by one extractor; the id of the extractor is the first value of the query."""

_STATED_SEED = """
    CASE WHEN json_valid(provenance_json) AND json_extract(provenance_json, '$.seed_is_stated') = 0
        THEN NULL ELSE CAST(image.seed AS TEXT) END
"""
"""NULL where an imported image came without its seed and has only a number in its place."""

IMAGES_AND_RECORDS = f"""
SELECT generator.name, role.name, ifnull(prompt.condition, ''), prompt.text, image.id, {_STATED_SEED},
    image.status, record.id, record.status
FROM {_TABLES} {_LATEST} ORDER BY {_STUDY_ORDER}
"""

IMAGES_OF_PART = f"""
SELECT generator.name, role.name, ifnull(prompt.condition, ''), prompt.text, image.id, {_STATED_SEED},
    image.status, record.id, record.status
FROM {_TABLES}
LEFT JOIN record ON record.id = (SELECT max(id) FROM record AS given
    WHERE given.extractor_id = ? AND given.image_id = image.id AND given.id <= ?)
WHERE generator.name = ? AND ifnull(role.name = ?, 1)
    AND (? IS NULL OR prompt.condition IN (SELECT value FROM json_each(?))) ORDER BY {_STUDY_ORDER}
"""
"""Values: extractor, last record, generator, role (NULL for all), a JSON list of conditions (NULL for all)
twice. Looked up by image, as there are few."""

SET_IMAGES = f"""
SELECT image_set.key, image_set_image.position, image.id, record.id, record.status
FROM image_set
JOIN image_set_image ON image_set_image.image_set_id = image_set.id
JOIN image ON image.id = image_set_image.image_id
{_LATEST}
WHERE image_set.round_id = ? ORDER BY image_set.id, image_set_image.position
"""

IMAGES = f"""
SELECT generator.name, role.name, ifnull(prompt.condition, ''), prompt.text, image.id, image.seed,
    image.status, image.run_key, image.sha256, image.path, image.thumbnail, image.width, image.height,
    image.seconds, image.source, image.arrived_at
FROM {_TABLES} ORDER BY {_STUDY_ORDER}
"""

VALUES = "SELECT id, dimension, label, status FROM reading_value ORDER BY id"

READINGS = """
SELECT record_id, value_id FROM reading WHERE record_id IN (SELECT value FROM json_each(?))
ORDER BY record_id, position
"""
"""The value is a JSON list of records; SQLite seeks each by its key, whether few or all."""

READINGS_OF_DIMENSION = """
SELECT record_id, value_id FROM reading WHERE record_id IN (SELECT value FROM json_each(?))
    AND value_id IN (SELECT id FROM reading_value WHERE dimension = ?)
ORDER BY record_id, position
"""

_EXCLUDED = """
    SELECT 1 FROM exclusion WHERE withdrawn_at IS NULL AND exclusion.round_id = image_set.round_id
        AND exclusion.annotator_id = given.annotator_id
        AND ifnull(exclusion.question = given.question, 1)
"""

ANSWERS = f"""
SELECT annotator.name, image_set.key, question, ifnull(label, ''), slider,
    CASE WHEN is_unknown THEN 'unknown' ELSE 'ok' END,
    CASE marks WHEN '[]' THEN '' ELSE marks END, annotator.is_simulated, is_flagged, comment,
    wall_seconds, active_seconds, at
FROM current_answer AS given
JOIN annotator ON annotator.id = annotator_id
JOIN image_set ON image_set.id = image_set_id
WHERE image_set.round_id = ? AND is_confirmed = 1 AND NOT EXISTS ({_EXCLUDED})
ORDER BY annotator.id, image_set.id, question
"""

REPEATS = f"""
SELECT annotator.name, shown_first.key, question, ifnull(label, ''), slider,
    CASE WHEN is_unknown THEN 'unknown' ELSE 'ok' END, annotator.is_simulated
FROM standing_answer AS given
JOIN annotator ON annotator.id = annotator_id
JOIN image_set ON image_set.id = image_set_id
JOIN image_set AS shown_first ON shown_first.id = image_set.repeats_id
WHERE image_set.round_id = ? AND image_set.purpose = 'repeat' AND is_confirmed = 1
    AND NOT EXISTS ({_EXCLUDED})
ORDER BY annotator.id, image_set.id, question
"""

UNCONFIRMED = """
SELECT count(*) FROM current_answer JOIN image_set ON image_set.id = image_set_id
WHERE image_set.round_id = ? AND is_confirmed = 0
"""

EXCLUDED = f"""
SELECT count(*) FROM current_answer AS given JOIN image_set ON image_set.id = image_set_id
WHERE image_set.round_id = ? AND is_confirmed = 1 AND EXISTS ({_EXCLUDED})
"""

DECIDED = """
SELECT image_set.key, question, label, slider FROM adjudication
JOIN image_set ON image_set.id = image_set_id
WHERE round_id = ? AND adjudication.id IN (
    SELECT max(id) FROM adjudication WHERE taken_back_at IS NULL GROUP BY image_set_id, question)
"""
"""What a person decided about questions of image sets; the latest decision that was not taken back."""
