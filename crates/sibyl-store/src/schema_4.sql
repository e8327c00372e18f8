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
