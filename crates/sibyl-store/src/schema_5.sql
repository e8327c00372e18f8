-- Gold sets with their judgments, and runs of evaluations.

-- Judged queries of a workspace. A set has a version, which counts up with every change of what is judged.

CREATE TABLE gold_set (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id  INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    name          TEXT NOT NULL CHECK (length(name) > 0),
    version       INTEGER NOT NULL DEFAULT 1,
    relevant_from INTEGER NOT NULL, -- grade from which a label counts as relevant
    created_at    TEXT NOT NULL,
    updated_at    TEXT NOT NULL,
    UNIQUE (workspace_id, name)
);

CREATE TABLE gold_query (
    id         INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order of the set
    set_id     INTEGER NOT NULL REFERENCES gold_set (id) ON DELETE CASCADE,
    query_id   TEXT NOT NULL CHECK (length(query_id) > 0),
    text       TEXT NOT NULL CHECK (length(text) > 0),
    kind       TEXT NOT NULL DEFAULT '',
    UNIQUE (set_id, query_id)
);

-- A label names an identifier or a span of a document: never a chunk, so that one set judges every chunking.
CREATE TABLE gold_label (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    query  INTEGER NOT NULL REFERENCES gold_query (id) ON DELETE CASCADE,
    judge  TEXT NOT NULL DEFAULT '', -- empty for what came with the set
    key    TEXT NOT NULL, -- what tells its target from others
    target TEXT NOT NULL, -- JSON
    grade  INTEGER NOT NULL,
    at     TEXT NOT NULL,
    UNIQUE (query, key, judge)
);

-- Proposed questions that somebody has decided about, so that they are proposed no more.
CREATE TABLE gold_decision (
    set_id    INTEGER NOT NULL REFERENCES gold_set (id) ON DELETE CASCADE,
    candidate TEXT NOT NULL,
    accepted  INTEGER NOT NULL,
    PRIMARY KEY (set_id, candidate)
) WITHOUT ROWID;

-- Runs. What is in the JSON is the business of whoever measures.

CREATE TABLE evaluation (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    name         TEXT NOT NULL CHECK (length(name) > 0),
    gold_set     TEXT NOT NULL, -- name that the set had
    cell         TEXT NOT NULL DEFAULT '', -- hash of all that decides a cell of a matrix; empty for other runs
    at           TEXT NOT NULL,
    summary      TEXT NOT NULL -- JSON: configuration, means, versions
);
CREATE INDEX evaluation_by_workspace ON evaluation (workspace_id, id);
CREATE INDEX evaluation_by_cell ON evaluation (workspace_id, cell) WHERE cell <> '';

CREATE TABLE evaluation_query (
    run      INTEGER NOT NULL REFERENCES evaluation (id) ON DELETE CASCADE,
    ordinal  INTEGER NOT NULL,
    query_id TEXT NOT NULL,
    scores   TEXT NOT NULL, -- JSON: the query and its values
    ranking  TEXT NOT NULL, -- JSON: what was found, best first
    PRIMARY KEY (run, ordinal),
    UNIQUE (run, query_id)
) WITHOUT ROWID;

INSERT OR IGNORE INTO generation VALUES ('gold', 0), ('evaluation', 0);
CREATE TRIGGER gold_set_insert_counted AFTER INSERT ON gold_set BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'gold';
END;
CREATE TRIGGER gold_set_update_counted AFTER UPDATE ON gold_set BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'gold';
END;
CREATE TRIGGER gold_set_delete_counted AFTER DELETE ON gold_set BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'gold';
END;
CREATE TRIGGER evaluation_insert_counted AFTER INSERT ON evaluation BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'evaluation';
END;
CREATE TRIGGER evaluation_update_counted AFTER UPDATE ON evaluation BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'evaluation';
END;
CREATE TRIGGER evaluation_delete_counted AFTER DELETE ON evaluation BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'evaluation';
END;

-- Folders whose changes are taken in by themselves.

CREATE TABLE watched_folder (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    path         TEXT NOT NULL,
    corpus       TEXT NOT NULL CHECK (length(corpus) > 0), -- name of the corpus that its files go to
    gone         TEXT NOT NULL CHECK (gone IN ('keep', 'mark', 'delete')),
    every        INTEGER NOT NULL CHECK (every >= 0), -- seconds between two looks; 0: only when the system tells of a change
    paused       INTEGER NOT NULL DEFAULT 0,
    owner        TEXT, -- the program that watches it
    lease_until  INTEGER NOT NULL DEFAULT 0,
    seen         TEXT NOT NULL DEFAULT '', -- hash of names, sizes and times when it was taken in last
    looked_at    TEXT,
    job          INTEGER, -- the job that took it in last
    code         TEXT, -- why it cannot be looked into
    error        TEXT,
    created_at   TEXT NOT NULL,
    UNIQUE (workspace_id, path)
);

-- Documents of watched folders whose file is gone, where they are to be marked.
CREATE TABLE missing_document (
    document INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    since    TEXT NOT NULL
);

CREATE TRIGGER watched_folder_insert_counted AFTER INSERT ON watched_folder BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'corpus';
END;
CREATE TRIGGER watched_folder_update_counted AFTER UPDATE OF gone, every, paused, owner, looked_at, job, error ON watched_folder BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'corpus';
END;
CREATE TRIGGER watched_folder_delete_counted AFTER DELETE ON watched_folder BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'corpus';
END;
