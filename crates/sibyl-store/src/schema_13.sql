-- What a workspace keeps is its own: a text that several have is kept for each that cites it, under the name that its document
-- has there.
CREATE TEMP TABLE kept_before AS
SELECT k.*, o.id IS NOT NULL AND o.workspace_id IS NULL AS shared, o.workspace_id AS owner
FROM kept_text k LEFT JOIN document d ON d.id = k.document LEFT JOIN corpus o ON o.id = d.corpus_id;
DROP TABLE kept_text;
CREATE TABLE kept_text (
    text_version TEXT NOT NULL,
    workspace_id INTEGER NOT NULL, -- of the corpus that its document was in; 0 where every workspace sees that
    document     INTEGER NOT NULL, -- row of the document, which may be gone; 0 where that is not known
    path         TEXT NOT NULL, -- as it was then
    title        TEXT NOT NULL, -- as it was read then
    read_at      TEXT NOT NULL, -- when it was stored
    replaced_at  TEXT NOT NULL,
    hash         BLOB NOT NULL, -- SHA-256 of the content before it was compressed
    content      BLOB NOT NULL, -- zlib: JSON of sibyl_text::Document
    PRIMARY KEY (text_version, workspace_id)
);
INSERT INTO kept_text
SELECT text_version, 0, document, path, title, read_at, replaced_at, hash, content FROM kept_before WHERE shared;
-- Whose a document was that is gone is known where an answer cites it.
INSERT INTO kept_text
SELECT text_version, reader, iif(own, document, 0), iif(own, path, ''), iif(own, title, ''), iif(own, read_at, ''),
    replaced_at, hash, content
FROM (SELECT k.*, u.workspace_id AS reader,
        coalesce(k.owner = u.workspace_id, EXISTS (SELECT 1 FROM text_use a
            WHERE a.kind = 'answer' AND a.document = k.document AND a.workspace_id = u.workspace_id)) AS own
    FROM kept_before k JOIN (SELECT DISTINCT text_version, workspace_id FROM text_use) u USING (text_version)
    WHERE NOT k.shared);
DROP TABLE temp.kept_before;

-- The text may have changed while the answer was written.
DROP TRIGGER answer_log_cites;
CREATE TRIGGER answer_log_cites AFTER INSERT ON answer_log BEGIN
    INSERT OR IGNORE INTO text_use
    SELECT coalesce((SELECT d.text_version FROM document d JOIN corpus o ON o.id = d.corpus_id
            WHERE d.text_version = c.value ->> '$.text_version'
                AND (o.workspace_id IS NULL OR o.workspace_id = new.workspace_id)),
            (SELECT k.text_version FROM kept_text k
            WHERE k.text_version = c.value ->> '$.text_version' AND k.workspace_id IN (0, new.workspace_id)), ''),
        'answer', new.id, c.value ->> '$.document_id', new.workspace_id
    FROM json_each(new.answer, '$.citations') c WHERE c.value ->> '$.document_id' > 0;
END;

-- A passage may have been pinned in a text that no document has any more.
DROP VIEW pinned;
CREATE VIEW pinned AS
SELECT r.workspace_id, r.report_id, r.paragraph_id, r.workspace_id || ' ' || r.report_id || ' ' || r.paragraph_id AS owner,
    p.value ->> '$.text_version' AS text_version,
    coalesce((SELECT d.id FROM document d JOIN corpus o ON o.id = d.corpus_id
            WHERE d.text_version = p.value ->> '$.text_version' AND d.report_id = r.report_id
                AND (o.workspace_id IS NULL OR o.workspace_id = r.workspace_id)),
        (SELECT k.document FROM kept_text k
            WHERE k.text_version = p.value ->> '$.text_version' AND k.workspace_id IN (0, r.workspace_id)
            ORDER BY k.workspace_id DESC LIMIT 1)) AS document
FROM review r, json_each(r.passages) p;

-- A label names its document by path; which one it is follows from the text that it was marked in.
DROP VIEW marked;
CREATE VIEW marked AS
SELECT l.id, l.target ->> '$.text_version' AS text_version, s.workspace_id,
    coalesce((SELECT d.id FROM document d JOIN corpus o ON o.id = d.corpus_id
            WHERE d.text_version = l.target ->> '$.text_version'
                AND (o.workspace_id IS NULL OR o.workspace_id = s.workspace_id)
            ORDER BY d.path = l.target ->> '$.path' DESC, d.id LIMIT 1),
        (SELECT k.document FROM kept_text k
            WHERE k.text_version = l.target ->> '$.text_version' AND k.workspace_id IN (0, s.workspace_id)
            ORDER BY k.workspace_id DESC LIMIT 1)) AS document
FROM gold_label l JOIN gold_query q ON q.id = l.query JOIN gold_set s ON s.id = q.set_id
WHERE coalesce(l.target ->> '$.text_version', '') <> '';

-- What a workspace cites is a document that it sees.
UPDATE OR REPLACE text_use SET document = 0 WHERE kind <> 'answer' AND EXISTS (
    SELECT 1 FROM document d JOIN corpus o ON o.id = d.corpus_id
    WHERE d.id = text_use.document AND o.workspace_id <> text_use.workspace_id);
