-- What a connected program proposes for a requirement in a report, one proposal of each program. It decides nothing.
CREATE TABLE program_proposal (
    id            INTEGER PRIMARY KEY AUTOINCREMENT, -- another one whenever the program proposes again
    assessment_id INTEGER NOT NULL REFERENCES assessment (id) ON DELETE CASCADE,
    requirement   TEXT NOT NULL,
    report_id     TEXT NOT NULL,
    program       TEXT NOT NULL, -- name of the program
    finding       TEXT NOT NULL,
    reason        TEXT NOT NULL,
    quotes        TEXT NOT NULL, -- JSON of the quotes with their places
    made_at       TEXT NOT NULL,
    UNIQUE (assessment_id, requirement, report_id, program)
);
-- Name of the program whose proposal was confirmed; null for every other decision.
ALTER TABLE decision ADD COLUMN proposed_by TEXT;
-- When it came in with a pack from another library; null for a decision that was taken here.
ALTER TABLE decision ADD COLUMN imported_at TEXT;
-- Assessments are told to other programs as they change.
INSERT OR IGNORE INTO generation VALUES ('assessment', 0);
CREATE TRIGGER assessment_insert_counted AFTER INSERT ON assessment BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'assessment';
END;
CREATE TRIGGER assessment_update_counted AFTER UPDATE ON assessment BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'assessment';
END;
CREATE TRIGGER assessment_delete_counted AFTER DELETE ON assessment BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'assessment';
END;
CREATE TRIGGER program_proposal_insert_counted AFTER INSERT ON program_proposal BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'assessment';
END;
CREATE TRIGGER program_proposal_delete_counted AFTER DELETE ON program_proposal BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'assessment';
END;
