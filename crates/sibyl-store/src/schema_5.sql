-- Every table that a window shows counts its changes, so that what another program wrote can be told.

INSERT OR IGNORE INTO generation VALUES
    ('corpus', 0), ('job', 0), ('review', 0), ('run', 0), ('setting', 0), ('thesaurus', 0), ('workspace', 0);

CREATE TRIGGER corpus_insert_counted AFTER INSERT ON corpus BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'corpus';
END;
CREATE TRIGGER corpus_update_counted AFTER UPDATE ON corpus BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'corpus';
END;
CREATE TRIGGER corpus_delete_counted AFTER DELETE ON corpus BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'corpus';
END;
CREATE TRIGGER review_insert_counted AFTER INSERT ON review BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'review';
END;
CREATE TRIGGER review_update_counted AFTER UPDATE ON review BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'review';
END;
CREATE TRIGGER review_delete_counted AFTER DELETE ON review BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'review';
END;
CREATE TRIGGER search_run_insert_counted AFTER INSERT ON search_run BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'run';
END;
CREATE TRIGGER search_run_update_counted AFTER UPDATE ON search_run BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'run';
END;
CREATE TRIGGER search_run_delete_counted AFTER DELETE ON search_run BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'run';
END;
CREATE TRIGGER setting_insert_counted AFTER INSERT ON setting BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'setting';
END;
CREATE TRIGGER setting_update_counted AFTER UPDATE ON setting BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'setting';
END;
CREATE TRIGGER setting_delete_counted AFTER DELETE ON setting BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'setting';
END;
CREATE TRIGGER workspace_insert_counted AFTER INSERT ON workspace BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'workspace';
END;
CREATE TRIGGER workspace_update_counted AFTER UPDATE ON workspace BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'workspace';
END;
CREATE TRIGGER workspace_delete_counted AFTER DELETE ON workspace BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'workspace';
END;
-- A lease is renewed every second and shown nowhere.
CREATE TRIGGER job_insert_counted AFTER INSERT ON job BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'job';
END;
CREATE TRIGGER job_update_counted AFTER UPDATE OF state, wish, report, error, expanded ON job BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'job';
END;
CREATE TRIGGER job_delete_counted AFTER DELETE ON job BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'job';
END;
CREATE TRIGGER job_file_update_counted AFTER UPDATE OF state ON job_file BEGIN
    UPDATE generation SET value = value + 1 WHERE name = 'job';
END;
