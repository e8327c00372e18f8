-- Texts that a provider would not embed. They are not sent again unless somebody retries the job.

CREATE TABLE refusal (
    space      INTEGER NOT NULL REFERENCES space (id),
    input_hash BLOB NOT NULL, -- SHA-256 of the text
    job        INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE, -- that asked
    reason     TEXT NOT NULL, -- the provider's own words
    PRIMARY KEY (space, input_hash)
) WITHOUT ROWID;
CREATE INDEX refusal_job ON refusal (job);
