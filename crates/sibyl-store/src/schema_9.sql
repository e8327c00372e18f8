-- The bin, the folders in which files were found, and what a check of a folder holds back. Documents that stay the same where
-- their file moves, and texts that something cites as they were.

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

-- What names a document in the ids of its chunks: the path at which it was first stored. NULL where that is its path.
ALTER TABLE document ADD COLUMN name TEXT;
CREATE UNIQUE INDEX document_name ON document (corpus_id, coalesce(name, path));
CREATE INDEX document_version ON document (text_version);

-- Paths that documents had before, so that labels which name them by their path find them.
CREATE TABLE former_place (
    document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
    path     TEXT NOT NULL,
    until    TEXT NOT NULL, -- when it moved away
    PRIMARY KEY (document, path)
) WITHOUT ROWID;
CREATE INDEX former_place_path ON former_place (path);

-- Row ids of documents that turned out to be another one.
CREATE TABLE former_document (
    id       INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE
);
CREATE INDEX former_document_now ON former_document (document);

-- Path of the document that the file was recognised as, where it had another one before.
ALTER TABLE job_file ADD COLUMN moved_from TEXT;

-- Documents that look like one whose file is gone. Somebody is asked whether they are the same; who denies it is not asked
-- again.
CREATE TABLE likeness (
    gone   INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
    found  INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
    share  REAL NOT NULL, -- 0 to 1
    job    INTEGER NOT NULL, -- that asked first
    denied INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (gone, found)
) WITHOUT ROWID;
CREATE INDEX likeness_found ON likeness (found);

-- Former texts of documents, as long as something cites them.
CREATE TABLE kept_text (
    text_version TEXT PRIMARY KEY,
    document     INTEGER NOT NULL, -- row of the document, which may be gone
    path         TEXT NOT NULL, -- as it was then
    title        TEXT NOT NULL, -- as it was read then
    read_at      TEXT NOT NULL, -- when it was stored
    replaced_at  TEXT NOT NULL,
    hash         BLOB NOT NULL, -- SHA-256 of the content before it was compressed
    content      BLOB NOT NULL -- zlib: JSON of sibyl_text::Document
);

-- What cites which text. One that nobody knows any more has no version.
CREATE TABLE text_use (
    text_version TEXT NOT NULL,
    kind         TEXT NOT NULL, -- 'answer', 'review' or 'gold'
    owner        TEXT NOT NULL, -- its row
    document     INTEGER NOT NULL, -- row of the document; 0 where that is not known
    workspace_id INTEGER NOT NULL,
    PRIMARY KEY (text_version, kind, owner, document)
) WITHOUT ROWID;
CREATE INDEX text_use_owner ON text_use (kind, owner);
CREATE INDEX text_use_document ON text_use (document);

-- The text may have changed while the answer was written.
CREATE TRIGGER answer_log_cites AFTER INSERT ON answer_log BEGIN
    INSERT OR IGNORE INTO text_use
    SELECT coalesce((SELECT d.text_version FROM document d WHERE d.text_version = c.value ->> '$.text_version'),
            (SELECT k.text_version FROM kept_text k WHERE k.text_version = c.value ->> '$.text_version'), ''),
        'answer', new.id, c.value ->> '$.document_id', new.workspace_id
    FROM json_each(new.answer, '$.citations') c WHERE c.value ->> '$.document_id' > 0;
END;
CREATE TRIGGER answer_log_cites_no_more AFTER DELETE ON answer_log BEGIN
    DELETE FROM text_use WHERE kind = 'answer' AND owner = CAST(old.id AS TEXT);
END;

-- A passage may have been pinned in a text that nobody has any more.
CREATE VIEW pinned AS
SELECT r.workspace_id, r.report_id, r.paragraph_id, r.workspace_id || ' ' || r.report_id || ' ' || r.paragraph_id AS owner,
    p.value ->> '$.text_version' AS text_version,
    coalesce((SELECT d.id FROM document d WHERE d.text_version = p.value ->> '$.text_version' AND d.report_id = r.report_id),
        (SELECT k.document FROM kept_text k WHERE k.text_version = p.value ->> '$.text_version')) AS document
FROM review r, json_each(r.passages) p;

CREATE TRIGGER review_insert_cites AFTER INSERT ON review BEGIN
    INSERT OR IGNORE INTO text_use SELECT text_version, 'review', owner, document, workspace_id FROM pinned
    WHERE (workspace_id, report_id, paragraph_id) = (new.workspace_id, new.report_id, new.paragraph_id)
        AND document IS NOT NULL;
END;
CREATE TRIGGER review_update_cites AFTER UPDATE OF passages, report_id ON review BEGIN
    DELETE FROM text_use
    WHERE kind = 'review' AND owner = old.workspace_id || ' ' || old.report_id || ' ' || old.paragraph_id;
    INSERT OR IGNORE INTO text_use SELECT text_version, 'review', owner, document, workspace_id FROM pinned
    WHERE (workspace_id, report_id, paragraph_id) = (new.workspace_id, new.report_id, new.paragraph_id)
        AND document IS NOT NULL;
END;
CREATE TRIGGER review_cites_no_more AFTER DELETE ON review BEGIN
    DELETE FROM text_use
    WHERE kind = 'review' AND owner = old.workspace_id || ' ' || old.report_id || ' ' || old.paragraph_id;
END;

-- A label names its document by path; which one it is follows from the text that it was marked in.
CREATE VIEW marked AS
SELECT l.id, l.target ->> '$.text_version' AS text_version, s.workspace_id,
    coalesce((SELECT d.id FROM document d WHERE d.text_version = l.target ->> '$.text_version'
            ORDER BY d.path = l.target ->> '$.path' DESC, d.id LIMIT 1),
        (SELECT k.document FROM kept_text k WHERE k.text_version = l.target ->> '$.text_version')) AS document
FROM gold_label l JOIN gold_query q ON q.id = l.query JOIN gold_set s ON s.id = q.set_id
WHERE coalesce(l.target ->> '$.text_version', '') <> '';

CREATE TRIGGER gold_label_insert_cites AFTER INSERT ON gold_label BEGIN
    INSERT OR IGNORE INTO text_use SELECT text_version, 'gold', id, document, workspace_id FROM marked
    WHERE id = new.id AND document IS NOT NULL;
END;
CREATE TRIGGER gold_label_update_cites AFTER UPDATE OF target ON gold_label BEGIN
    DELETE FROM text_use WHERE kind = 'gold' AND owner = CAST(old.id AS TEXT);
    INSERT OR IGNORE INTO text_use SELECT text_version, 'gold', id, document, workspace_id FROM marked
    WHERE id = new.id AND document IS NOT NULL;
END;
CREATE TRIGGER gold_label_cites_no_more AFTER DELETE ON gold_label BEGIN
    DELETE FROM text_use WHERE kind = 'gold' AND owner = CAST(old.id AS TEXT);
END;

-- Citations of before say nothing of versions. One was made from the text that its document has now, where that was stored
-- before, or has every quote at its place.
INSERT OR IGNORE INTO text_use
SELECT CASE WHEN d.id IS NOT NULL AND min(d.ingested_at <= a.at OR
            substr(d.text, 1 + (c.value ->> '$.span[0]'), length(c.value ->> '$.quote')) = c.value ->> '$.quote')
        THEN d.text_version ELSE '' END,
    'answer', a.id, c.value ->> '$.document_id', a.workspace_id
FROM answer_log a, json_each(a.answer, '$.citations') c LEFT JOIN document d ON d.id = c.value ->> '$.document_id'
WHERE c.value ->> '$.document_id' > 0 GROUP BY a.id, c.value ->> '$.document_id';
INSERT OR IGNORE INTO text_use
SELECT text_version, 'review', owner, document, workspace_id FROM pinned WHERE document IS NOT NULL;
UPDATE gold_label SET target = json_set(target, '$.text_version', coalesce((
    SELECT d.text_version FROM document d JOIN corpus o ON o.id = d.corpus_id
        JOIN gold_query q ON q.id = gold_label.query JOIN gold_set s ON s.id = q.set_id
    WHERE d.path = gold_label.target ->> '$.path' AND instr(d.text, gold_label.target ->> '$.quote') > 0
        AND (o.workspace_id IS NULL OR o.workspace_id = s.workspace_id)
    ORDER BY o.workspace_id IS NULL, d.id LIMIT 1), ''))
WHERE target ->> '$.kind' = 'span';
