-- Refused texts, counters of every change, the list of documents, facts, and words of findings.

-- Texts that a provider would not embed. They are not sent again unless somebody retries the job.

CREATE TABLE refusal (
    space      INTEGER NOT NULL REFERENCES space (id),
    input_hash BLOB NOT NULL, -- SHA-256 of the text
    job        INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE, -- that asked
    reason     TEXT NOT NULL, -- the provider's own words
    PRIMARY KEY (space, input_hash)
) WITHOUT ROWID;
CREATE INDEX refusal_job ON refusal (job);

-- Chunks that were deleted, in order: what is kept in memory of a library is brought up to date by it instead of being
-- made anew. A 0 stands for a change of anything.

CREATE TABLE removed_chunk (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    chunk INTEGER NOT NULL
);
CREATE TRIGGER chunk_removed AFTER DELETE ON chunk BEGIN
    INSERT INTO removed_chunk (chunk) VALUES (old.id);
    DELETE FROM removed_chunk WHERE id <= (SELECT max(id) FROM removed_chunk) - 100000;
END;

-- Every table that a window shows counts its changes, so that what another program wrote can be told.

INSERT OR IGNORE INTO generation VALUES
    ('corpus', 0), ('job', 0), ('review', 0), ('run', 0), ('setting', 0), ('thesaurus', 0), ('workspace', 0);

CREATE TRIGGER corpus_insert_counted AFTER INSERT ON corpus BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'corpus';
END;
CREATE TRIGGER corpus_update_counted AFTER UPDATE ON corpus BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'corpus';
END;
CREATE TRIGGER corpus_delete_counted AFTER DELETE ON corpus BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'corpus';
END;
CREATE TRIGGER review_insert_counted AFTER INSERT ON review BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'review';
END;
CREATE TRIGGER review_update_counted AFTER UPDATE ON review BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'review';
END;
CREATE TRIGGER review_delete_counted AFTER DELETE ON review BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'review';
END;
CREATE TRIGGER search_run_insert_counted AFTER INSERT ON search_run BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'run';
END;
CREATE TRIGGER search_run_update_counted AFTER UPDATE ON search_run BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'run';
END;
CREATE TRIGGER search_run_delete_counted AFTER DELETE ON search_run BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'run';
END;
CREATE TRIGGER setting_insert_counted AFTER INSERT ON setting BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'setting';
END;
CREATE TRIGGER setting_update_counted AFTER UPDATE ON setting BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'setting';
END;
CREATE TRIGGER setting_delete_counted AFTER DELETE ON setting BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'setting';
END;
CREATE TRIGGER workspace_insert_counted AFTER INSERT ON workspace BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'workspace';
END;
CREATE TRIGGER workspace_update_counted AFTER UPDATE ON workspace BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'workspace';
END;
CREATE TRIGGER workspace_delete_counted AFTER DELETE ON workspace BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'workspace';
END;
-- A lease is renewed every second and shown nowhere.
CREATE TRIGGER job_insert_counted AFTER INSERT ON job BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'job';
END;
CREATE TRIGGER job_update_counted AFTER UPDATE OF state, wish, report, error, expanded ON job BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'job';
END;
CREATE TRIGGER job_delete_counted AFTER DELETE ON job BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'job';
END;
CREATE TRIGGER job_file_update_counted AFTER UPDATE OF state ON job_file BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'job';
END;

-- What a list of documents shows, so that none of their structures is parsed for it.

ALTER TABLE document ADD COLUMN pages INTEGER NOT NULL DEFAULT 0; -- physical pages; 0 where it has none
ALTER TABLE document ADD COLUMN metadata TEXT; -- JSON of the front matter, for reports
UPDATE document SET pages = coalesce(json_array_length(structure, '$.pages'), 0),
    metadata = CASE WHEN report_id IS NOT NULL THEN structure ->> '$.metadata' END;

-- Holds every column of a list: text and structure lie between them in the table, and would be read as well.
CREATE INDEX document_listed ON document (corpus_id, path, root, origin, report_id, source_type, format, title,
    source_hash, text_version, config_hash, word_count, token_count, ingested_at, pages, metadata);

-- Values that filed reports tag in their text (Inline XBRL), with their place in it.

CREATE TABLE fact (
    document_id INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
    ordinal     INTEGER NOT NULL,
    start       INTEGER, -- bytes of the document's text; NULL where it is not shown
    "end"       INTEGER,
    concept     TEXT NOT NULL, -- with its prefix
    value       TEXT NOT NULL, -- scale and sign applied
    numeric     INTEGER NOT NULL,
    unit        TEXT,
    decimals    TEXT,
    period      TEXT NOT NULL, -- a day, DAY/DAY or 'forever'
    entity      TEXT NOT NULL,
    dimensions  TEXT NOT NULL, -- JSON, a list of axis and member
    anchor      TEXT, -- in the source
    PRIMARY KEY (document_id, ordinal)
) WITHOUT ROWID;

-- A finding on an item of a metric keeps the item's words: they name the item again where its text was changed.

ALTER TABLE review ADD COLUMN words TEXT NOT NULL DEFAULT '';
