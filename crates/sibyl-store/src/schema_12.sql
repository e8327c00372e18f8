-- Assessments: reports that are held against requirements. What reviewers decide stands in `review`, whatever assessment
-- it was decided in.
CREATE TABLE assessment (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    name         TEXT NOT NULL,
    plan         TEXT NOT NULL, -- JSON of what its creator chose
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL,
    UNIQUE (workspace_id, name)
);
-- What the search for a requirement in a report proposes. It can be made again at any time.
CREATE TABLE proposal (
    assessment_id INTEGER NOT NULL REFERENCES assessment (id) ON DELETE CASCADE,
    requirement   TEXT NOT NULL,
    report_id     TEXT NOT NULL,
    made_of       TEXT NOT NULL, -- hash of the report's texts, the requirement and the rules
    made_at       TEXT NOT NULL,
    state         TEXT NOT NULL,
    found         INTEGER NOT NULL,
    items         INTEGER NOT NULL,
    page          INTEGER,
    content       TEXT NOT NULL, -- JSON of the whole proposal
    PRIMARY KEY (assessment_id, requirement, report_id)
) WITHOUT ROWID;
-- Every decision that was taken, by whom and when: the latest of all is the one that stands.
CREATE TABLE decision (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    report_id    TEXT NOT NULL,
    paragraph_id TEXT NOT NULL,
    reviewer     TEXT NOT NULL,
    status       TEXT NOT NULL,
    note         TEXT NOT NULL,
    at           TEXT NOT NULL
);
CREATE INDEX decision_of ON decision (workspace_id, report_id, paragraph_id);
-- Who decided; null where nobody said so.
ALTER TABLE review ADD COLUMN reviewer TEXT;
