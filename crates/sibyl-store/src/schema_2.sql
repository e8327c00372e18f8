-- What a job's files tell of themselves; NULL for those of an older Sibyl.

ALTER TABLE job_file ADD COLUMN pages INTEGER; -- physical pages of its document; 0 where its format has none
ALTER TABLE job_file ADD COLUMN seconds REAL; -- from reading to storing, when done
