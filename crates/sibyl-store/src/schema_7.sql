-- What somebody says of a document where it was read wrongly; null where it was read as it is.
CREATE TABLE correction (
    document INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    title    TEXT,
    issuer   TEXT,
    year     INTEGER
);
