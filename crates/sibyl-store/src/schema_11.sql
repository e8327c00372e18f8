-- Numbers that documents report, each with what it is a number of. All of it is made from text and structure of the document.
CREATE TABLE figure (
    id           INTEGER PRIMARY KEY,
    document_id  INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
    ordinal      INTEGER NOT NULL,
    start        INTEGER NOT NULL,
    "end"        INTEGER NOT NULL,
    row_start    INTEGER NOT NULL,
    row_end      INTEGER NOT NULL,
    head_start   INTEGER,
    head_end     INTEGER,
    -- The same place in UTF-16 code units, and where that is in the source.
    unit_start   INTEGER NOT NULL,
    unit_end     INTEGER NOT NULL,
    page         INTEGER,
    sheet        TEXT,
    cells        TEXT,
    label        TEXT NOT NULL,
    "column"     TEXT NOT NULL,
    above        TEXT NOT NULL,
    year         INTEGER,
    part         TEXT,
    unit         TEXT,
    measure      TEXT,
    per          INTEGER NOT NULL,
    printed      TEXT NOT NULL,
    value        REAL NOT NULL,
    normal       REAL,
    status       TEXT NOT NULL,
    origin       TEXT NOT NULL,
    UNIQUE (document_id, ordinal)
);
CREATE VIRTUAL TABLE figure_word USING fts5 (
    label, "column", above, content = 'figure', content_rowid = 'id', tokenize = 'porter unicode61'
);
CREATE TRIGGER figure_added AFTER INSERT ON figure BEGIN
    INSERT INTO figure_word (rowid, label, "column", above) VALUES (new.id, new.label, new."column", new.above);
END;
CREATE TRIGGER figure_deleted AFTER DELETE ON figure BEGIN
    INSERT INTO figure_word (figure_word, rowid, label, "column", above)
    VALUES ('delete', old.id, old.label, old."column", old.above);
END;
-- Which rules made the figures of a document; those of other rules are made anew.
ALTER TABLE document ADD COLUMN figures_by INTEGER NOT NULL DEFAULT 0;
