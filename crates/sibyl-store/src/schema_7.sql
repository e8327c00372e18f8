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
