-- Which kinds of sources there are is the program's to say, not the schema's. How a constraint is lifted without writing
-- every row anew: https://sqlite.org/lang_altertable.html, section 8.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql,
    'source_type  TEXT NOT NULL CHECK (source_type IN (''ifrs_s1'', ''ifrs_s2'', ''sasb'', ''report'', ''docs'', ''text'', ''licensed''))',
    'source_type  TEXT NOT NULL')
WHERE type = 'table' AND name = 'corpus';
PRAGMA writable_schema = RESET;
