-- Schema 1. Truth: workspace … vector. Derived and rebuilt at will: keyword, chunk_key, chunk_tag, the code files.

CREATE TABLE workspace (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    name       TEXT NOT NULL UNIQUE CHECK (length(name) > 0),
    language   TEXT NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'sv')),
    created_at TEXT NOT NULL
);

-- workspace_id NULL: shared by all workspaces.
CREATE TABLE corpus (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER REFERENCES workspace (id) ON DELETE CASCADE,
    name         TEXT NOT NULL CHECK (length(name) > 0),
    source_type  TEXT NOT NULL CHECK (source_type IN ('ifrs_s1', 'ifrs_s2', 'sasb', 'report', 'docs', 'text', 'licensed')),
    strategy     TEXT NOT NULL,
    settings     TEXT NOT NULL DEFAULT '{}',
    base_url     TEXT NOT NULL DEFAULT '',
    remote       INTEGER NOT NULL DEFAULT 0, -- whether its text may leave the machine
    created_at   TEXT NOT NULL
);
CREATE UNIQUE INDEX corpus_name ON corpus (coalesce(workspace_id, 0), name);

CREATE TABLE document (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    corpus_id    INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    path         TEXT NOT NULL, -- below the import root, '/' between its parts
    root         TEXT NOT NULL, -- import root; empty for an upload
    origin       TEXT NOT NULL, -- where it was read from
    report_id    TEXT,
    source_type  TEXT NOT NULL,
    format       TEXT NOT NULL,
    title        TEXT NOT NULL,
    source_hash  TEXT NOT NULL, -- SHA-256 of the source bytes
    text_version TEXT NOT NULL, -- source hash + format + format version
    config_hash  TEXT NOT NULL, -- strategy + settings + counter + counterparts + base URL
    text         TEXT NOT NULL,
    structure    TEXT NOT NULL, -- JSON of sibyl_text::Document without its text
    word_count   INTEGER NOT NULL,
    token_count  INTEGER NOT NULL,
    ingested_at  TEXT NOT NULL,
    UNIQUE (corpus_id, path)
);
CREATE INDEX document_report ON document (report_id) WHERE report_id IS NOT NULL;

CREATE TABLE source (
    document_id   INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    bytes         BLOB NOT NULL,
    page_metadata BLOB
);

CREATE TABLE chunk (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    chunk_id     TEXT NOT NULL UNIQUE, -- 16 hex digits
    document_id  INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
    corpus_id    INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    workspace_id INTEGER REFERENCES workspace (id) ON DELETE CASCADE,
    ordinal      INTEGER NOT NULL,
    parent       INTEGER, -- ordinal of the chunk it is part of
    source_type  TEXT NOT NULL,
    text         TEXT NOT NULL, -- exactly what is embedded and searched
    input_hash   BLOB NOT NULL, -- SHA-256 of text
    pieces       TEXT NOT NULL, -- JSON of sibyl_text::Piece
    metadata     TEXT NOT NULL, -- JSON of the strategy's schema
    start        INTEGER NOT NULL,
    "end"        INTEGER NOT NULL,
    page_start   INTEGER,
    page_end     INTEGER,
    tokens       INTEGER NOT NULL,
    word_count   INTEGER NOT NULL,
    oversize     INTEGER NOT NULL,
    report_id    TEXT,
    paragraph_id TEXT,
    standard     TEXT,
    pillar       TEXT,
    section      TEXT,
    industry     TEXT,
    topic        TEXT,
    module       TEXT,
    chapter      TEXT,
    content_type TEXT,
    path         TEXT NOT NULL,
    ingested_at  TEXT NOT NULL,
    UNIQUE (document_id, ordinal)
);
CREATE INDEX chunk_scope ON chunk (workspace_id, source_type);
CREATE INDEX chunk_corpus ON chunk (corpus_id, input_hash);
CREATE INDEX chunk_input ON chunk (input_hash);
CREATE INDEX chunk_paragraph ON chunk (paragraph_id) WHERE paragraph_id IS NOT NULL;
CREATE INDEX chunk_report ON chunk (report_id) WHERE report_id IS NOT NULL;

-- Canonical references a chunk answers to: its paragraph id, topic code, metric codes.
CREATE TABLE chunk_key (
    key   TEXT NOT NULL COLLATE NOCASE,
    chunk INTEGER NOT NULL REFERENCES chunk (id) ON DELETE CASCADE,
    PRIMARY KEY (key, chunk)
) WITHOUT ROWID;
CREATE INDEX chunk_key_chunk ON chunk_key (chunk);

CREATE TABLE chunk_tag (
    tag   TEXT NOT NULL,
    chunk INTEGER NOT NULL REFERENCES chunk (id) ON DELETE CASCADE,
    PRIMARY KEY (tag, chunk)
) WITHOUT ROWID;
CREATE INDEX chunk_tag_chunk ON chunk_tag (chunk);

CREATE VIRTUAL TABLE keyword USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE keyword_terms USING fts5vocab (keyword, row);

-- The row goes with the chunk, whatever deletes it.
CREATE TRIGGER chunk_keyword_insert AFTER INSERT ON chunk BEGIN
    INSERT INTO keyword (rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER chunk_keyword_delete AFTER DELETE ON chunk BEGIN
    DELETE FROM keyword WHERE rowid = old.id;
END;

CREATE TABLE space (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    space_id    TEXT NOT NULL UNIQUE, -- 16 hex digits, Space::id
    tier        TEXT NOT NULL,
    dimensions  INTEGER NOT NULL,
    description TEXT NOT NULL, -- JSON of Space
    created_at  TEXT NOT NULL
);

CREATE TABLE vector (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    space      INTEGER NOT NULL REFERENCES space (id),
    input_hash BLOB NOT NULL, -- SHA-256 of the text embedded
    vector     BLOB NOT NULL, -- f32 little endian, length 1
    UNIQUE (space, input_hash)
);

CREATE TABLE job (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    kind        TEXT NOT NULL CHECK (kind IN ('ingest', 'embed')),
    state       TEXT NOT NULL CHECK (state IN ('queued', 'running', 'paused', 'cancelled', 'failed', 'done')),
    wish        TEXT CHECK (wish IN ('paused', 'cancelled')), -- what its owner is asked to do
    workspace   TEXT NOT NULL,
    request     TEXT NOT NULL, -- JSON
    report      TEXT NOT NULL DEFAULT '{}', -- JSON; what the rows of job_file do not say
    expanded    INTEGER NOT NULL DEFAULT 0, -- whether its files are known
    error       TEXT,
    owner       TEXT, -- who holds the lease
    lease_until INTEGER NOT NULL DEFAULT 0, -- Unix seconds
    created_at  TEXT NOT NULL,
    updated_at  TEXT NOT NULL
);

CREATE TABLE job_file (
    job           INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
    ordinal       INTEGER NOT NULL,
    corpus_id     INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    root          TEXT NOT NULL, -- import root; empty for an upload
    origin        TEXT NOT NULL, -- path, 'upload:ORDINAL' or 'stored:DOCUMENT'
    path          TEXT NOT NULL, -- below the import root
    page_metadata TEXT, -- path of the page metadata beside it
    report_id     TEXT,
    replaces      INTEGER NOT NULL DEFAULT 0, -- whether it stands for every document of that report
    state         TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'skipped')),
    stage         TEXT NOT NULL DEFAULT 'read' CHECK (stage IN ('read', 'chunk', 'embed', 'store')),
    result        TEXT CHECK (result IN ('created', 'updated', 'unchanged')),
    changes       TEXT NOT NULL DEFAULT '{}', -- JSON of ChunkChanges
    chunks        INTEGER NOT NULL DEFAULT 0,
    notices       TEXT NOT NULL DEFAULT '[]', -- JSON of FileReport
    code          TEXT,
    error         TEXT,
    PRIMARY KEY (job, ordinal)
) WITHOUT ROWID;

-- Files that came as bytes, until they are stored as documents.
CREATE TABLE job_upload (
    job           INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
    ordinal       INTEGER NOT NULL,
    bytes         BLOB NOT NULL,
    page_metadata BLOB,
    PRIMARY KEY (job, ordinal)
);

-- Folders that a job read completely: documents that are no longer there go when it ends.
CREATE TABLE job_root (
    job       INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
    corpus_id INTEGER NOT NULL REFERENCES corpus (id) ON DELETE CASCADE,
    root      TEXT NOT NULL,
    PRIMARY KEY (job, corpus_id, root)
) WITHOUT ROWID;

-- corpus_id NULL: for every corpus.
CREATE TABLE thesaurus (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    corpus_id INTEGER REFERENCES corpus (id) ON DELETE CASCADE,
    term      TEXT NOT NULL COLLATE NOCASE,
    expansion TEXT NOT NULL COLLATE NOCASE,
    weight    REAL NOT NULL DEFAULT 0.5 CHECK (weight > 0 AND weight <= 1),
    shipped   INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX thesaurus_entry ON thesaurus (coalesce(corpus_id, 0), term, expansion);

-- What reviewers decide. It cites paragraph ids and report ids, never chunk ids.
CREATE TABLE review (
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    report_id    TEXT NOT NULL,
    paragraph_id TEXT NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('met', 'partly', 'gap', 'not_applicable', 'open')),
    note         TEXT NOT NULL DEFAULT '',
    passages     TEXT NOT NULL DEFAULT '[]', -- JSON of PinnedPassage
    updated_at   TEXT NOT NULL,
    PRIMARY KEY (workspace_id, report_id, paragraph_id)
) WITHOUT ROWID;

CREATE TABLE search_run (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    at           TEXT NOT NULL,
    request      TEXT NOT NULL,
    response     TEXT NOT NULL,
    config_hash  TEXT NOT NULL
);

CREATE TABLE setting (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- Counted up by whatever changes rows that a derived file or cache mirrors.
CREATE TABLE generation (
    name  TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO generation VALUES ('chunk', 0), ('vector', 0);
