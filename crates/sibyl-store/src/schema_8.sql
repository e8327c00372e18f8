-- A finding on an item of a metric keeps the item's words: they name the item again where its text was changed.

ALTER TABLE review ADD COLUMN words TEXT NOT NULL DEFAULT '';
