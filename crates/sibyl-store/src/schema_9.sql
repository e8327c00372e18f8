-- Labels printed on pages ("iv", "A-3"), so that no structure is parsed to cite a passage.

CREATE TABLE page_label (
    document_id INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
    page        INTEGER NOT NULL, -- physical, from 1
    label       TEXT NOT NULL, -- never the page's number
    PRIMARY KEY (document_id, page)
) WITHOUT ROWID;
INSERT OR IGNORE INTO page_label
SELECT d.id, p.value ->> '$.number', p.value ->> '$.label' FROM document d, json_each(d.structure, '$.pages') p
WHERE p.value ->> '$.label' IS NOT NULL AND p.value ->> '$.label' <> CAST(p.value ->> '$.number' AS TEXT);
