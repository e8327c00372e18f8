-- What a list of documents shows, so that none of their structures is parsed for it.

ALTER TABLE document ADD COLUMN pages INTEGER NOT NULL DEFAULT 0; -- physical pages; 0 where it has none
ALTER TABLE document ADD COLUMN metadata TEXT; -- JSON of the front matter, for reports
UPDATE document SET pages = coalesce(json_array_length(structure, '$.pages'), 0),
    metadata = CASE WHEN report_id IS NOT NULL THEN structure ->> '$.metadata' END;

-- Holds every column of a list: text and structure lie between them in the table, and would be read as well.
CREATE INDEX document_listed ON document (corpus_id, path, root, origin, report_id, source_type, format, title,
    source_hash, text_version, config_hash, word_count, token_count, ingested_at, pages, metadata);
