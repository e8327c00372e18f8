-- The bin, the folders in which files were found, and what a check of a folder holds back.

-- A document in the bin belongs to no corpus, so that nothing that looks for documents of a corpus finds it. How a
-- constraint is lifted without writing every row anew: https://sqlite.org/lang_altertable.html, section 8.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'corpus_id    INTEGER NOT NULL REFERENCES corpus', 'corpus_id    INTEGER REFERENCES corpus')
WHERE type = 'table' AND name = 'document';
PRAGMA writable_schema = RESET;

CREATE TABLE binned (
    document     INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    workspace_id INTEGER REFERENCES workspace (id) ON DELETE CASCADE, -- NULL: shared by all workspaces
    corpus       TEXT NOT NULL, -- JSON of the corpus as it was
    chunks       TEXT NOT NULL, -- JSON of its chunks, which no index holds meanwhile
    reason       TEXT NOT NULL CHECK (reason IN ('deleted', 'gone', 'replaced')),
    at           TEXT NOT NULL
);
CREATE INDEX binned_at ON binned (at);

-- What leaves the bin with its workspace or for good goes; what was restored belongs to a corpus again.
CREATE TRIGGER binned_removed AFTER DELETE ON binned BEGIN
    DELETE FROM document WHERE id = old.document AND corpus_id IS NULL;
END;

-- The folder in which the file of a document was found last: device, number of the folder on it, and when it was made.
CREATE TABLE found_in (
    document INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    identity TEXT NOT NULL
);

-- The folders that a job listed, until it has dealt with what is missing from them.
CREATE TABLE job_folder (
    job      INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
    path     TEXT NOT NULL,
    identity TEXT NOT NULL,
    PRIMARY KEY (job, path)
) WITHOUT ROWID;

-- Documents whose file was not found, and of which nothing is deleted or marked for now.
CREATE TABLE held_document (
    document INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    -- away: their folder is not the one that it was; many: too many were gone at once; kept: somebody wants them to stay
    reason   TEXT NOT NULL CHECK (reason IN ('away', 'many', 'kept')),
    gone     TEXT NOT NULL CHECK (gone IN ('mark', 'delete')), -- what was to become of them
    since    TEXT NOT NULL
);

-- Each watched folder is ingested once, so that it is known where its files are before one is missing.
UPDATE watched_folder SET seen = '';
