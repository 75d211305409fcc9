/** A file of another version is made anew: everything in it comes from the workspace's files. */
export const SCHEMA_VERSION = 2;

/**
 * Passages are numbered in the order they were written and keep the numbers of a document together. `layout`, `facts`
 * and `vectors` hold many passages in a row, because one row for each would take longer to load than to search.
 * `generation` counts writes: a process that knows generation 7 reads only rows of a later one. `epoch` changes when
 * numbers lose their meaning.
 */
export const SCHEMA = `
  CREATE TABLE state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    epoch TEXT NOT NULL,
    generation INTEGER NOT NULL,
    next_passage INTEGER NOT NULL
  );
  INSERT INTO state VALUES (1, hex(randomblob(8)), 0, 0);
  CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE attributes (
    code INTEGER PRIMARY KEY,
    store TEXT NOT NULL,
    scope TEXT NOT NULL,
    is_archived INTEGER NOT NULL,
    UNIQUE (store, scope, is_archived)
  );
  CREATE TABLE documents (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,
    path TEXT NOT NULL,
    hash TEXT NOT NULL,
    title TEXT NOT NULL,
    session TEXT,
    attributes INTEGER NOT NULL,
    first INTEGER NOT NULL,
    count INTEGER NOT NULL,
    reserved INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    UNIQUE (source, path)
  );
  CREATE INDEX documents_by_path ON documents (path);
  CREATE TABLE entities (document INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE TABLE passages (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    key BLOB NOT NULL,
    text TEXT NOT NULL,
    lead TEXT NOT NULL,
    day TEXT NOT NULL,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    type TEXT NOT NULL,
    time_ms REAL,
    learned_ms REAL,
    is_standing INTEGER,
    speaker TEXT,
    turn TEXT,
    session TEXT,
    source TEXT NOT NULL,
    trust TEXT NOT NULL,
    importance REAL,
    confidence REAL,
    tags TEXT,
    entities TEXT
  );
  CREATE INDEX passages_by_id ON passages (id);
  CREATE INDEX passages_by_key ON passages (key);
  CREATE TABLE segments (number INTEGER PRIMARY KEY AUTOINCREMENT, bytes INTEGER NOT NULL);
  CREATE TABLE postings (
    segment INTEGER NOT NULL,
    term TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (segment, term)
  ) WITHOUT ROWID;
  CREATE TABLE layout (page INTEGER PRIMARY KEY, generation INTEGER NOT NULL, body BLOB NOT NULL);
  CREATE INDEX layout_by_generation ON layout (generation);
  CREATE TABLE facts (page INTEGER PRIMARY KEY, generation INTEGER NOT NULL, body BLOB NOT NULL);
  CREATE INDEX facts_by_generation ON facts (generation);
  CREATE TABLE models (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL
  );
  CREATE TABLE vectors (
    model INTEGER NOT NULL,
    page INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    scales BLOB NOT NULL,
    codes BLOB NOT NULL,
    PRIMARY KEY (model, page)
  );
  CREATE INDEX vectors_by_generation ON vectors (model, generation);
  CREATE TABLE embedding_cache (
    model INTEGER NOT NULL,
    key BLOB NOT NULL,
    generation INTEGER NOT NULL,
    scale REAL NOT NULL,
    codes BLOB NOT NULL,
    PRIMARY KEY (model, key)
  ) WITHOUT ROWID;
`;

/** Every table whose rows \`clear\` deletes. */
export const CONTENT_TABLES = [
  'notes',
  'attributes',
  'documents',
  'entities',
  'passages',
  'segments',
  'postings',
  'layout',
  'facts',
  'models',
  'vectors',
  'embedding_cache',
] as const;
