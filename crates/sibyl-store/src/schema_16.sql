-- What only some kinds of sources have of their chunks stands in one table, a row for each value: which fields there are is
-- the program's to say. It is filled, as `chunk_key` is, when the library is opened: both follow from the metadata. What is
-- long comes last in a chunk, so that nothing reads it to get at the rest.
DROP TABLE chunk_tag;
DROP TABLE chunk_key;
CREATE TABLE chunk_anew (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    chunk_id     TEXT NOT NULL UNIQUE, -- 16 hex digits
    document_id  INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
    corpus_id    INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    workspace_id INTEGER REFERENCES workspace (id) ON DELETE CASCADE,
    ordinal      INTEGER NOT NULL,
    parent       INTEGER, -- ordinal of the chunk it is part of
    source_type  TEXT NOT NULL,
    report_id    TEXT,
    path         TEXT NOT NULL,
    input_hash   BLOB NOT NULL, -- SHA-256 of text
    start        INTEGER NOT NULL,
    "end"        INTEGER NOT NULL,
    page_start   INTEGER,
    page_end     INTEGER,
    tokens       INTEGER NOT NULL,
    word_count   INTEGER NOT NULL,
    oversize     INTEGER NOT NULL,
    ingested_at  TEXT NOT NULL,
    metadata     TEXT NOT NULL, -- JSON of the strategy's schema
    pieces       TEXT NOT NULL, -- JSON of sibyl_text::Piece
    text         TEXT NOT NULL, -- exactly what is embedded and searched
    UNIQUE (document_id, ordinal)
);
INSERT INTO chunk_anew (id, chunk_id, document_id, corpus_id, workspace_id, ordinal, parent, source_type, report_id, path,
    input_hash, start, "end", page_start, page_end, tokens, word_count, oversize, ingested_at, metadata, pieces, text)
SELECT id, chunk_id, document_id, corpus_id, workspace_id, ordinal, parent, source_type, report_id, path, input_hash, start,
    "end", page_start, page_end, tokens, word_count, oversize, ingested_at, metadata, pieces, text
FROM chunk ORDER BY id;
-- Row ids that were given before are not given again.
DELETE FROM sqlite_sequence WHERE name = 'chunk_anew';
INSERT INTO sqlite_sequence (name, seq) SELECT 'chunk_anew', seq FROM sqlite_sequence WHERE name = 'chunk';
DROP TABLE chunk;
ALTER TABLE chunk_anew RENAME TO chunk;
CREATE INDEX chunk_scope ON chunk (workspace_id, source_type);
CREATE INDEX chunk_corpus ON chunk (corpus_id, input_hash);
CREATE INDEX chunk_input ON chunk (input_hash);
CREATE INDEX chunk_report ON chunk (report_id) WHERE report_id IS NOT NULL;
CREATE TRIGGER chunk_keyword_insert AFTER INSERT ON chunk BEGIN
    INSERT INTO keyword (rowid, text) VALUES (new.id, as_indexed(new.text));
END;
CREATE TRIGGER chunk_keyword_delete AFTER DELETE ON chunk BEGIN
    DELETE FROM keyword WHERE rowid = old.id;
END;
CREATE TRIGGER chunk_removed AFTER DELETE ON chunk BEGIN
    INSERT INTO removed_chunk (chunk) VALUES (old.id);
    DELETE FROM removed_chunk WHERE id <= (SELECT max(id) FROM removed_chunk) - 100000;
END;

-- Canonical references a chunk answers to: its paragraph id, topic code, metric codes.
CREATE TABLE chunk_key (
    key   TEXT NOT NULL COLLATE NOCASE,
    chunk INTEGER NOT NULL REFERENCES chunk (id) ON DELETE CASCADE,
    PRIMARY KEY (key, chunk)
) WITHOUT ROWID;
CREATE INDEX chunk_key_chunk ON chunk_key (chunk);

CREATE TABLE chunk_field (
    chunk INTEGER NOT NULL REFERENCES chunk (id) ON DELETE CASCADE,
    field TEXT NOT NULL, -- its name in the list of the kinds of sources
    rank  INTEGER NOT NULL, -- 0 for the value that names it, more for the others
    value TEXT NOT NULL COLLATE NOCASE,
    PRIMARY KEY (chunk, field, rank)
) WITHOUT ROWID;
CREATE INDEX chunk_field_value ON chunk_field (field, value, chunk);

-- From what a derived table was made. Where this program makes it from something else, it is made anew.
CREATE TABLE derived (
    name    TEXT PRIMARY KEY,
    made_of TEXT NOT NULL
) WITHOUT ROWID;
