-- Printed page labels, answers, and phrasings.

-- Labels printed on pages ("iv", "A-3"), so that no structure is parsed to cite a passage.

CREATE TABLE page_label (
    document_id INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
    page        INTEGER NOT NULL, -- physical, from 1
    label       TEXT NOT NULL, -- never the page's number
    PRIMARY KEY (document_id, page)
) WITHOUT ROWID;
INSERT OR IGNORE INTO page_label
SELECT d.id, p.value ->> '$.number', p.value ->> '$.label' FROM document d, json_each(d.structure, '$.pages') p
WHERE p.value ->> '$.label' IS NOT NULL AND p.value ->> '$.label' <> CAST(p.value ->> '$.number' AS TEXT);

-- Questions that were asked, with their answers, and what people thought of them.

CREATE TABLE answer_log (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    at           TEXT NOT NULL,
    session      TEXT NOT NULL DEFAULT '',
    question     TEXT NOT NULL,
    outcome      TEXT NOT NULL,
    confidence   REAL NOT NULL,
    generator    TEXT NOT NULL,
    config_hash  TEXT NOT NULL,
    request      TEXT NOT NULL, -- JSON
    answer       TEXT NOT NULL, -- JSON
    rating       TEXT,          -- JSON
    rated_at     TEXT
);
CREATE INDEX answer_log_by_workspace ON answer_log (workspace_id, id);

INSERT OR IGNORE INTO generation VALUES ('answer', 0);
CREATE TRIGGER answer_log_insert_counted AFTER INSERT ON answer_log BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'answer';
END;
CREATE TRIGGER answer_log_update_counted AFTER UPDATE ON answer_log BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'answer';
END;
CREATE TRIGGER answer_log_delete_counted AFTER DELETE ON answer_log BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'answer';
END;

-- Search phrasings that somebody added to a chunk by hand. They name the chunk by what it answers to and says, so that they
-- find it again when its document is cut anew.

CREATE TABLE phrasing (
    id          INTEGER PRIMARY KEY, -- in the order in which they were added
    document_id INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
    reference   TEXT NOT NULL, -- paragraph id, topic code or the like; empty where the chunk has none
    passage     TEXT NOT NULL, -- what the chunk said
    phrase      TEXT NOT NULL
);
CREATE INDEX phrasing_document ON phrasing (document_id);

-- What questions without an answer score in what a workspace sees, so that a score can be told from chance. Derived: where
-- it is missing or its corpora have changed, it is measured anew.

CREATE TABLE calibration (
    workspace_id INTEGER PRIMARY KEY REFERENCES workspace (id) ON DELETE CASCADE,
    moment       TEXT NOT NULL, -- generations of chunks and vectors when its corpora were last counted
    corpora      TEXT NOT NULL, -- JSON: what they held
    scores       TEXT NOT NULL  -- JSON
);
