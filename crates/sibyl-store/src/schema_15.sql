-- Words are found inside runs of Han, Kana and Hangul: the indexes of words hold text as `as_indexed` gives it. Rows of other
-- texts are as they were, and no vector is touched.
DROP TRIGGER chunk_keyword_insert;
CREATE TRIGGER chunk_keyword_insert AFTER INSERT ON chunk BEGIN
    INSERT INTO keyword (rowid, text) VALUES (new.id, as_indexed(new.text));
END;
CREATE TEMP TABLE indexed_anew AS SELECT id FROM chunk WHERE as_indexed(text) <> text;
DELETE FROM keyword WHERE rowid IN (SELECT id FROM indexed_anew);
INSERT INTO keyword (rowid, text)
    SELECT id, as_indexed(text) FROM chunk WHERE id IN (SELECT id FROM indexed_anew) ORDER BY id;
DROP TABLE indexed_anew;
UPDATE generation SET value = value + 1 WHERE name = 'chunk';

DROP TRIGGER figure_added;
DROP TRIGGER figure_deleted;
INSERT INTO figure_word (figure_word) VALUES ('delete-all');
INSERT INTO figure_word (rowid, label, "column", above)
    SELECT id, as_indexed(label), as_indexed("column"), as_indexed(above) FROM figure;
CREATE TRIGGER figure_added AFTER INSERT ON figure BEGIN
    INSERT INTO figure_word (rowid, label, "column", above)
    VALUES (new.id, as_indexed(new.label), as_indexed(new."column"), as_indexed(new.above));
END;
CREATE TRIGGER figure_deleted AFTER DELETE ON figure BEGIN
    INSERT INTO figure_word (figure_word, rowid, label, "column", above)
    VALUES ('delete', old.id, as_indexed(old.label), as_indexed(old."column"), as_indexed(old.above));
END;
