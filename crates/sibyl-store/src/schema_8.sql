-- What a gold set was before each change, so that a former version of it can be told and given out. Of a set of a former
-- schema, the version that it has now is the first that is known.

CREATE TABLE gold_version (
    set_id        INTEGER NOT NULL REFERENCES gold_set (id) ON DELETE CASCADE,
    version       INTEGER NOT NULL,
    at            TEXT NOT NULL,
    relevant_from INTEGER NOT NULL,
    PRIMARY KEY (set_id, version)
) WITHOUT ROWID;

INSERT INTO gold_version (set_id, version, at, relevant_from)
    SELECT id, version, updated_at, relevant_from FROM gold_set;

-- One line for each query and label that a change touched. They are only ever added.
CREATE TABLE gold_change (
    id       INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order of the changes
    set_id   INTEGER NOT NULL REFERENCES gold_set (id) ON DELETE CASCADE,
    version  INTEGER NOT NULL, -- that the change led to
    query_id TEXT NOT NULL,
    key      TEXT, -- of a label, with its judge; null for the query itself
    judge    TEXT,
    place    INTEGER, -- row id that it had, which orders it; null where there was nothing
    before   TEXT -- JSON: what it was; null where there was nothing
);
CREATE INDEX gold_change_by_version ON gold_change (set_id, version);
