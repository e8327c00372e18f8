-- The newest document when the job listed its folders, until what is missing from them is dealt with.
ALTER TABLE job ADD COLUMN newest INTEGER;
