-- Search phrasings that somebody added to a chunk by hand. They name the chunk by what it answers to and says, so that they
-- find it again when its document is cut anew.

CREATE TABLE phrasing (
    id          INTEGER PRIMARY KEY, -- in the order in which they were added
    document_id INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
    reference   TEXT NOT NULL, -- paragraph id, topic code or the like; empty where the chunk has none
    passage     TEXT NOT NULL, -- what the chunk said
    phrase      TEXT NOT NULL
);
CREATE INDEX phrasing_document ON phrasing (document_id);
