"""Step 1: the tables of release 0.1. Never edited once released.

What is where: the study (its plan, frozen with the schema and questions it was made with), roles and
prompts, generators and images, extractors and records, then the human half: annotators, rounds, image
sets, and answers as append-only events with `current_answer` as the view of the latest.

Three things that the tables alone do not say:

* A paper-sized study has 2.6 million readings of some thousand different values, so `reading` holds
  numbers and `reading_value` each distinct (dimension, label, status) once; `reading_in_words` joins
  them. A dimension that was read and holds no label (an empty list) is a value with the label ''.
* A record key is unique except among records with the status `error`: an error of the world is worth
  another go, and each go is kept. An image's record is its latest.
* Triggers refuse to change an answer event at all and to delete a person's; only what simulated
  annotators answered can go (`Store.remove_simulated`).
"""

from __future__ import annotations

import sqlite3


def first_tables(connection: sqlite3.Connection) -> None:
    """Everything of release 0.1: plan, images, records, answers, jobs."""
    for statement in _FIRST_TABLES.split(";\n\n"):
        if statement.strip():
            connection.execute(statement)


_FIRST_TABLES = """
CREATE TABLE study (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    study_key TEXT NOT NULL,
    name TEXT NOT NULL,
    seed INTEGER NOT NULL,
    design TEXT NOT NULL CHECK (design IN ('paper', 'balanced')),
    unrelated TEXT NOT NULL CHECK (unrelated IN ('permuted', 'everyday')),
    images_per_prompt INTEGER NOT NULL CHECK (images_per_prompt > 0),
    count_mode TEXT NOT NULL CHECK (count_mode IN ('marks+slider', 'slider only', 'marks only')),
    show_role INTEGER NOT NULL CHECK (show_role IN (0, 1)),
    is_sample INTEGER NOT NULL CHECK (is_sample IN (0, 1)),
    schema_version TEXT NOT NULL,
    schema_json TEXT NOT NULL,
    questions_json TEXT NOT NULL,
    bank_hash TEXT NOT NULL,
    settings_json TEXT NOT NULL,
    application_version TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE role (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    display_name TEXT NOT NULL,
    article TEXT NOT NULL,
    plural TEXT NOT NULL,
    soc_code TEXT,
    soc_title TEXT
) STRICT;

CREATE TABLE prompt (
    id INTEGER PRIMARY KEY,
    role_id INTEGER NOT NULL REFERENCES role (id),
    condition TEXT CHECK (condition IN ('CF', 'CA-R', 'CA-U')),
    kind TEXT NOT NULL CHECK (kind IN ('base', 'paraphrase', 'substitution')),
    text TEXT NOT NULL,
    wording TEXT NOT NULL,
    place TEXT,
    activity TEXT
) STRICT;

CREATE UNIQUE INDEX prompt_once ON prompt (role_id, ifnull(condition, ''), text);

CREATE TABLE generator (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    settings_json TEXT NOT NULL,
    added_at TEXT NOT NULL
) STRICT;

CREATE TABLE image (
    id INTEGER PRIMARY KEY,
    generator_id INTEGER NOT NULL REFERENCES generator (id),
    prompt_id INTEGER NOT NULL REFERENCES prompt (id),
    seed INTEGER NOT NULL,
    run_key TEXT NOT NULL UNIQUE,
    sha256 TEXT NOT NULL,
    path TEXT NOT NULL,
    thumbnail TEXT NOT NULL,
    format TEXT NOT NULL,
    width INTEGER NOT NULL CHECK (width > 0),
    height INTEGER NOT NULL CHECK (height > 0),
    bytes INTEGER NOT NULL CHECK (bytes > 0),
    status TEXT NOT NULL CHECK (status IN ('ok', 'black', 'flagged', 'wrong_size')),
    seconds REAL,
    source TEXT NOT NULL,
    provenance_json TEXT NOT NULL,
    arrived_at TEXT NOT NULL
) STRICT;

CREATE INDEX image_by_prompt ON image (generator_id, prompt_id, status);

CREATE TABLE truth (
    image_id INTEGER PRIMARY KEY REFERENCES image (id),
    labels_json TEXT NOT NULL
) STRICT;

CREATE TABLE extractor (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    parameters_json TEXT NOT NULL,
    is_simulated INTEGER NOT NULL CHECK (is_simulated IN (0, 1)),
    added_at TEXT NOT NULL
) STRICT;

CREATE TABLE record (
    id INTEGER PRIMARY KEY,
    image_id INTEGER NOT NULL REFERENCES image (id),
    extractor_id INTEGER NOT NULL REFERENCES extractor (id),
    record_key TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN
        ('ok', 'refused', 'invalid', 'truncated', 'flagged', 'missing_image', 'error')),
    reason TEXT NOT NULL,
    raw TEXT NOT NULL,
    n_persons INTEGER,
    seconds REAL,
    recorded_at TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX record_once ON record (record_key) WHERE status <> 'error';

CREATE INDEX record_by_image ON record (extractor_id, image_id);

CREATE INDEX record_of_image ON record (image_id);

CREATE TABLE reading_value (
    id INTEGER PRIMARY KEY,
    dimension TEXT NOT NULL,
    label TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('ok', 'unknown', 'invalid')),
    UNIQUE (dimension, label, status)
) STRICT;

CREATE TABLE reading (
    record_id INTEGER NOT NULL REFERENCES record (id),
    position INTEGER NOT NULL,
    value_id INTEGER NOT NULL REFERENCES reading_value (id),
    PRIMARY KEY (record_id, position)
) STRICT, WITHOUT ROWID;

CREATE VIEW reading_in_words AS
    SELECT record_id, position, dimension, label, status
    FROM reading JOIN reading_value ON reading_value.id = reading.value_id;

CREATE TABLE annotator (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    is_simulated INTEGER NOT NULL CHECK (is_simulated IN (0, 1)),
    joined_at TEXT NOT NULL
) STRICT;

CREATE TABLE round (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    seed INTEGER NOT NULL,
    questions_json TEXT NOT NULL,
    count_mode TEXT NOT NULL CHECK (count_mode IN ('marks+slider', 'slider only', 'marks only')),
    show_role INTEGER NOT NULL CHECK (show_role IN (0, 1)),
    settings_json TEXT NOT NULL,
    designed_at TEXT NOT NULL,
    locked_at TEXT
) STRICT;

CREATE TABLE image_set (
    id INTEGER PRIMARY KEY,
    round_id INTEGER NOT NULL REFERENCES round (id),
    key TEXT NOT NULL UNIQUE,
    role_id INTEGER NOT NULL REFERENCES role (id),
    condition TEXT CHECK (condition IN ('CF', 'CA-R', 'CA-U')),
    generator_id INTEGER NOT NULL REFERENCES generator (id)
) STRICT;

CREATE TABLE image_set_image (
    image_set_id INTEGER NOT NULL REFERENCES image_set (id),
    position INTEGER NOT NULL CHECK (position BETWEEN 0 AND 9),
    image_id INTEGER NOT NULL REFERENCES image (id),
    PRIMARY KEY (image_set_id, position),
    UNIQUE (image_set_id, image_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX image_set_of_image ON image_set_image (image_id);

CREATE TABLE answer_event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    annotator_id INTEGER NOT NULL REFERENCES annotator (id),
    image_set_id INTEGER NOT NULL REFERENCES image_set (id),
    question TEXT NOT NULL,
    act TEXT NOT NULL,
    label TEXT,
    is_unknown INTEGER NOT NULL CHECK (is_unknown IN (0, 1)),
    slider INTEGER CHECK (slider BETWEEN 0 AND 10),
    slider_source TEXT CHECK (slider_source IN ('marks', 'slider', 'key')),
    marks TEXT NOT NULL,
    is_confirmed INTEGER NOT NULL CHECK (is_confirmed IN (0, 1)),
    is_flagged INTEGER NOT NULL CHECK (is_flagged IN (0, 1)),
    comment TEXT NOT NULL,
    undoes INTEGER REFERENCES answer_event (id),
    wall_seconds REAL NOT NULL CHECK (wall_seconds >= 0),
    active_seconds REAL NOT NULL CHECK (active_seconds >= 0),
    first_act_seconds REAL CHECK (first_act_seconds >= 0),
    theme TEXT NOT NULL,
    at TEXT NOT NULL,
    CHECK (label IS NULL OR is_unknown = 0),
    CHECK ((slider IS NULL) = (slider_source IS NULL))
) STRICT;

CREATE INDEX answer_by_question ON answer_event (annotator_id, image_set_id, question, id);

CREATE INDEX answer_by_image_set ON answer_event (image_set_id);

CREATE INDEX answer_undone ON answer_event (undoes) WHERE undoes IS NOT NULL;

CREATE TRIGGER answer_stays BEFORE UPDATE ON answer_event
BEGIN
    SELECT raise(ABORT, 'an answer event is never changed');
END;

CREATE TRIGGER answer_is_kept BEFORE DELETE ON answer_event
WHEN NOT EXISTS (SELECT 1 FROM annotator WHERE id = OLD.annotator_id AND is_simulated = 1)
BEGIN
    SELECT raise(ABORT, 'a person''s answer event is never deleted');
END;

CREATE VIEW current_answer AS
    SELECT answer_event.* FROM answer_event
    JOIN (SELECT max(id) AS id FROM answer_event
          GROUP BY annotator_id, image_set_id, question) AS latest USING (id);

CREATE TABLE job (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    settings_json TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'done', 'cancelled', 'failed', 'interrupted')),
    asked INTEGER NOT NULL,
    done INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    skipped INTEGER NOT NULL,
    process_json TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT
) STRICT;

CREATE INDEX job_running ON job (state) WHERE state = 'running';

CREATE TABLE failure (
    id INTEGER PRIMARY KEY,
    job_id INTEGER NOT NULL REFERENCES job (id),
    item TEXT NOT NULL,
    kind TEXT NOT NULL,
    reason TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
"""
