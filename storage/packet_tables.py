"""The step for packets: what an image set is for, packets that left, hand-ins that came back.

Three things that the tables alone do not say:

* An answer event that came with a hand-in names it in `hand_in_id`, and in `origin` the sitting and the
  number it had there. Undoing a merge sets `hand_in.undone_at` and deletes nothing: `standing_event`
  leaves the events out, and the same file merged again brings them in again as rows of the new hand-in.
* An event that contradicts what the study already has is kept and marked `is_held`; a row in `conflict`
  waits for a person. Deciding for it appends one more event, so the latest standing event is the answer.
* `current_answer` is about the image sets of the study; repeats and training are in `standing_answer` only.
"""

from __future__ import annotations

import sqlite3


def packet_tables(connection: sqlite3.Connection) -> None:
    """Packets, hand-ins, conflicts, key answers, exclusions and adjudications."""
    for statement in _PACKET_TABLES.split(";\n\n"):
        if statement.strip():
            connection.execute(statement)


_PACKET_TABLES = """
ALTER TABLE image_set ADD COLUMN purpose TEXT NOT NULL DEFAULT 'study'
    CHECK (purpose IN ('study', 'repeat', 'training'));

ALTER TABLE image_set ADD COLUMN repeats_id INTEGER REFERENCES image_set (id);

CREATE INDEX image_set_repeated ON image_set (repeats_id) WHERE repeats_id IS NOT NULL;

CREATE TABLE key_answer (
    image_set_id INTEGER NOT NULL REFERENCES image_set (id),
    question TEXT NOT NULL,
    label TEXT,
    slider INTEGER CHECK (slider BETWEEN 0 AND 10),
    marks TEXT NOT NULL,
    source TEXT NOT NULL,
    PRIMARY KEY (image_set_id, question)
) STRICT, WITHOUT ROWID;

CREATE TABLE packet (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    round_id INTEGER NOT NULL REFERENCES round (id),
    annotator_id INTEGER NOT NULL REFERENCES annotator (id),
    slot INTEGER NOT NULL CHECK (slot >= 0),
    plan_json TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    made_at TEXT NOT NULL
) STRICT;

CREATE INDEX packet_of_round ON packet (round_id);

CREATE INDEX packet_of_annotator ON packet (annotator_id);

CREATE TABLE hand_in (
    id INTEGER PRIMARY KEY,
    packet_id INTEGER NOT NULL REFERENCES packet (id),
    file_name TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    counts_json TEXT NOT NULL,
    training_json TEXT NOT NULL,
    application_version TEXT NOT NULL,
    merged_at TEXT NOT NULL,
    undone_at TEXT
) STRICT;

CREATE INDEX hand_in_of_packet ON hand_in (packet_id);

ALTER TABLE answer_event ADD COLUMN hand_in_id INTEGER REFERENCES hand_in (id);

ALTER TABLE answer_event ADD COLUMN origin TEXT;

ALTER TABLE answer_event ADD COLUMN is_held INTEGER NOT NULL DEFAULT 0 CHECK (is_held IN (0, 1));

CREATE INDEX answer_of_hand_in ON answer_event (hand_in_id) WHERE hand_in_id IS NOT NULL;

CREATE TABLE conflict (
    id INTEGER PRIMARY KEY,
    hand_in_id INTEGER NOT NULL REFERENCES hand_in (id),
    ours_id INTEGER NOT NULL REFERENCES answer_event (id),
    theirs_id INTEGER NOT NULL REFERENCES answer_event (id),
    decision TEXT CHECK (decision IN ('ours', 'theirs')),
    decided_by TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    decided_at TEXT
) STRICT;

CREATE INDEX conflict_of_hand_in ON conflict (hand_in_id);

CREATE INDEX conflict_ours ON conflict (ours_id);

CREATE INDEX conflict_theirs ON conflict (theirs_id);

CREATE TABLE exclusion (
    id INTEGER PRIMARY KEY,
    round_id INTEGER NOT NULL REFERENCES round (id),
    annotator_id INTEGER NOT NULL REFERENCES annotator (id),
    question TEXT,
    reason TEXT NOT NULL CHECK (reason <> ''),
    decided_by TEXT NOT NULL,
    decided_at TEXT NOT NULL,
    withdrawn_at TEXT
) STRICT;

CREATE INDEX exclusion_of_round ON exclusion (round_id);

CREATE INDEX exclusion_of_annotator ON exclusion (annotator_id);

CREATE TABLE adjudication (
    id INTEGER PRIMARY KEY,
    image_set_id INTEGER NOT NULL REFERENCES image_set (id),
    question TEXT NOT NULL,
    label TEXT,
    slider INTEGER CHECK (slider BETWEEN 0 AND 10),
    cause TEXT NOT NULL CHECK (cause IN ('ambiguous image', 'guideline gap', 'slip', 'real difference')),
    reason TEXT NOT NULL,
    confidence TEXT NOT NULL CHECK (confidence IN ('low', 'medium', 'high')),
    decided_by TEXT NOT NULL,
    decided_at TEXT NOT NULL
) STRICT;

CREATE INDEX adjudication_by_question ON adjudication (image_set_id, question, id);

DROP VIEW current_answer;

CREATE VIEW standing_event AS
    SELECT * FROM answer_event
    WHERE is_held = 0 AND (hand_in_id IS NULL
        OR hand_in_id NOT IN (SELECT id FROM hand_in WHERE undone_at IS NOT NULL));

CREATE VIEW standing_answer AS
    SELECT answer_event.* FROM answer_event
    JOIN (SELECT max(id) AS id FROM standing_event
          GROUP BY annotator_id, image_set_id, question) AS latest USING (id);

CREATE VIEW current_answer AS
    SELECT standing_answer.* FROM standing_answer
    WHERE image_set_id IN (SELECT id FROM image_set WHERE purpose = 'study');
"""
