/** Raised whenever tables or their meaning change: an index of another version is rebuilt, never migrated. */
export const INDEX_VERSION = 1;

export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS documents (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL, path TEXT NOT NULL, hash TEXT NOT NULL,
    store TEXT NOT NULL, scope TEXT NOT NULL, session TEXT, title TEXT NOT NULL,
    first INTEGER NOT NULL, count INTEGER NOT NULL,
    UNIQUE (source, path)
  );

  -- Numbers are never given twice, so that a posting that outlived its passage points nowhere instead of elsewhere.
  CREATE TABLE IF NOT EXISTS passages (
    number INTEGER PRIMARY KEY, document INTEGER NOT NULL,
    id TEXT NOT NULL, text TEXT NOT NULL, context TEXT NOT NULL,
    start_line INTEGER NOT NULL, end_line INTEGER NOT NULL, type TEXT NOT NULL,
    time_ms INTEGER, speaker TEXT, turn TEXT, trust TEXT NOT NULL, source TEXT, importance REAL, tags TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS passages_by_id ON passages (id);

  CREATE TABLE IF NOT EXISTS postings (
    term TEXT NOT NULL, segment INTEGER NOT NULL, last INTEGER NOT NULL, postings BLOB NOT NULL,
    PRIMARY KEY (term, segment)
  ) WITHOUT ROWID;

  -- How many terms each passage has, two bytes apiece, a page of numbers per row.
  CREATE TABLE IF NOT EXISTS lengths (page INTEGER PRIMARY KEY, lengths BLOB NOT NULL);
`;

/** Numbers per row of `lengths`. */
export const LENGTH_PAGE = 4096;
