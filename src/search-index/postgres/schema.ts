import { hash } from 'node:crypto';

/**
 * The additions of each version of the tables to the one before; `{schema}` stands for the schema's name. Never change one
 * that was released: add another.
 *
 * The tables are those of the SQLite engine with a namespace in front. Two differ: a passage and a document keep what
 * is only shown in one JSON text, because PostgreSQL's own types cannot hold every string; and vectors are kept by the
 * text they were made from rather than by passage, one row each, in a partition per namespace with an index of its own.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE namespaces (
    id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    max_passages INTEGER,
    max_bytes BIGINT,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now()
  );
  CREATE TABLE state (
    namespace INTEGER PRIMARY KEY,
    epoch TEXT NOT NULL,
    generation INTEGER NOT NULL,
    next_passage INTEGER NOT NULL,
    next_document INTEGER NOT NULL
  );
  CREATE TABLE notes (
    namespace INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (namespace, name)
  );
  CREATE TABLE attributes (
    namespace INTEGER NOT NULL,
    code INTEGER NOT NULL,
    store TEXT NOT NULL,
    scope TEXT NOT NULL,
    is_archived BOOLEAN NOT NULL,
    PRIMARY KEY (namespace, code),
    UNIQUE (namespace, store, scope, is_archived)
  );
  CREATE TABLE documents (
    namespace INTEGER NOT NULL,
    number INTEGER NOT NULL,
    source TEXT NOT NULL,
    path TEXT NOT NULL,
    hash TEXT NOT NULL,
    attributes INTEGER NOT NULL,
    first INTEGER NOT NULL,
    count INTEGER NOT NULL,
    reserved INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    generation INTEGER NOT NULL,
    device TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (namespace, number),
    UNIQUE (namespace, source, path)
  );
  CREATE INDEX documents_by_path ON documents (namespace, path);
  CREATE INDEX documents_by_generation ON documents (namespace, generation);
  CREATE TABLE passages (
    namespace INTEGER NOT NULL,
    number INTEGER NOT NULL,
    id TEXT NOT NULL,
    key BYTEA NOT NULL,
    generation INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (namespace, number)
  );
  CREATE INDEX passages_by_id ON passages (namespace, id);
  CREATE INDEX passages_by_key ON passages (namespace, key);
  CREATE INDEX passages_by_generation ON passages (namespace, generation);
  CREATE TABLE segments (
    namespace INTEGER NOT NULL,
    number INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (namespace, number)
  );
  CREATE TABLE postings (
    namespace INTEGER NOT NULL,
    term TEXT COLLATE "C" NOT NULL,
    segment INTEGER NOT NULL,
    body BYTEA NOT NULL,
    PRIMARY KEY (namespace, term, segment)
  );
  CREATE INDEX postings_by_segment ON postings (namespace, segment, term);
  CREATE TABLE layout (
    namespace INTEGER NOT NULL,
    page INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    body BYTEA NOT NULL,
    PRIMARY KEY (namespace, page)
  );
  CREATE INDEX layout_by_generation ON layout (namespace, generation);
  CREATE TABLE facts (
    namespace INTEGER NOT NULL,
    page INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    body BYTEA NOT NULL,
    PRIMARY KEY (namespace, page)
  );
  CREATE INDEX facts_by_generation ON facts (namespace, generation);
  CREATE TABLE models (
    namespace INTEGER NOT NULL,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    covered INTEGER NOT NULL,
    has_index BOOLEAN NOT NULL,
    PRIMARY KEY (namespace, number),
    UNIQUE (namespace, name)
  );
  CREATE TABLE vectors (
    namespace INTEGER NOT NULL,
    model INTEGER NOT NULL,
    key BYTEA NOT NULL,
    embedding halfvec,
    PRIMARY KEY (namespace, model, key)
  ) PARTITION BY LIST (namespace);
  CREATE TABLE leases (
    namespace INTEGER NOT NULL,
    name TEXT NOT NULL,
    holder TEXT NOT NULL,
    fence INTEGER NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (namespace, name)
  );
  `,
  // Each role sees the namespaces it owns, and of these only the one its transaction has named.
  `
  CREATE FUNCTION current_namespace() RETURNS INTEGER LANGUAGE sql STABLE SET search_path TO "{schema}" AS $$
    SELECT id FROM namespaces WHERE id = nullif(current_setting('mneme.namespace', true), '')::integer
      AND (pg_has_role(current_user, owner, 'member')
        OR current_user = (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = 'state'::regclass))
  $$;
  CREATE FUNCTION assert_owner(wanted TEXT) RETURNS INTEGER LANGUAGE plpgsql SET search_path TO "{schema}" AS $$
    DECLARE found RECORD;
    BEGIN
      SELECT id, owner INTO found FROM namespaces WHERE name = wanted;
      IF found.id IS NULL THEN RETURN NULL; END IF;
      IF NOT pg_has_role(session_user, found.owner, 'member') THEN
        RAISE EXCEPTION 'namespace % belongs to another role', wanted USING ERRCODE = '42501';
      END IF;
      RETURN found.id;
    END $$;
  CREATE FUNCTION open_namespace(wanted TEXT) RETURNS INTEGER
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO "{schema}", public, extensions AS $$
    DECLARE number INTEGER;
    BEGIN
      number := assert_owner(wanted);
      IF number IS NOT NULL THEN RETURN number; END IF;
      INSERT INTO namespaces (name, owner) VALUES (wanted, session_user)
        ON CONFLICT (name) DO NOTHING RETURNING id INTO number;
      IF number IS NULL THEN RETURN assert_owner(wanted); END IF;
      PERFORM set_config('mneme.namespace', number::text, true);
      INSERT INTO state VALUES (number, gen_random_uuid()::text, 0, 0, 1);
      EXECUTE format('CREATE TABLE %I PARTITION OF vectors FOR VALUES IN (%s)', 'vectors_' || number, number);
      EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', 'vectors_' || number);
      RETURN number;
    END $$;
  CREATE FUNCTION erase_namespace(wanted TEXT) RETURNS BOOLEAN
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO "{schema}" AS $$
    DECLARE
      number INTEGER := assert_owner(wanted);
      each TEXT;
    BEGIN
      IF number IS NULL THEN RETURN false; END IF;
      PERFORM set_config('mneme.namespace', number::text, true);
      EXECUTE format('DROP TABLE IF EXISTS %I', 'vectors_' || number);
      FOREACH each IN ARRAY ARRAY['state', 'notes', 'attributes', 'documents', 'passages', 'segments', 'postings',
        'layout', 'facts', 'models', 'leases'] LOOP
        EXECUTE format('DELETE FROM %I WHERE namespace = %s', each, number);
      END LOOP;
      DELETE FROM namespaces WHERE id = number;
      RETURN true;
    END $$;
  CREATE FUNCTION limit_namespace(wanted TEXT, passages INTEGER, bytes BIGINT) RETURNS BOOLEAN
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO "{schema}" AS $$
    BEGIN
      UPDATE namespaces SET max_passages = passages, max_bytes = bytes WHERE id = assert_owner(wanted);
      RETURN FOUND;
    END $$;
  CREATE FUNCTION build_vector_index(wanted TEXT, model INTEGER, dimensions INTEGER) RETURNS VOID
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO "{schema}", public, extensions AS $$
    DECLARE number INTEGER := assert_owner(wanted);
    BEGIN
      EXECUTE format('CREATE INDEX IF NOT EXISTS %I ON %I USING hnsw ((embedding::halfvec(%s)) halfvec_ip_ops)
        WHERE model = %s', 'vectors_' || number || '_' || model, 'vectors_' || number, dimensions, model);
    END $$;
  CREATE FUNCTION drop_vector_index(wanted TEXT, model INTEGER) RETURNS VOID
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO "{schema}" AS $$
    BEGIN
      EXECUTE format('DROP INDEX IF EXISTS %I', 'vectors_' || assert_owner(wanted) || '_' || model);
    END $$;
  ALTER TABLE namespaces ENABLE ROW LEVEL SECURITY;
  CREATE POLICY own ON namespaces USING (pg_has_role(current_user, owner, 'member'));
  DO $$
    DECLARE each TEXT;
    BEGIN
      FOREACH each IN ARRAY ARRAY['state', 'notes', 'attributes', 'documents', 'passages', 'segments', 'postings',
        'layout', 'facts', 'models', 'vectors', 'leases'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', each);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', each);
        EXECUTE format('CREATE POLICY own ON %I USING (namespace = (SELECT current_namespace()))', each);
      END LOOP;
    END $$;
  `,
  // Without figures about the table the planner takes it for nearly empty, and sorts all of it instead.
  `
  CREATE OR REPLACE FUNCTION build_vector_index(wanted TEXT, model INTEGER, dimensions INTEGER) RETURNS VOID
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO "{schema}", public, extensions AS $$
    DECLARE number INTEGER := assert_owner(wanted);
    BEGIN
      EXECUTE format('CREATE INDEX IF NOT EXISTS %I ON %I USING hnsw ((embedding::halfvec(%s)) halfvec_ip_ops)
        WHERE model = %s', 'vectors_' || number || '_' || model, 'vectors_' || number, dimensions, model);
      EXECUTE format('ANALYZE %I', 'vectors_' || number);
    END $$;
  `,
  // Tables of a session's own come first in a name's search unless they are put last: a made-up `namespaces` would have opened
  // everybody's rows. A role that was dropped must not stop the others, and only who runs the server sets limits.
  `
  CREATE FUNCTION is_member(who NAME, wanted TEXT) RETURNS BOOLEAN
    LANGUAGE sql STABLE SET search_path TO pg_catalog, pg_temp AS $$
    SELECT coalesce((SELECT pg_has_role(who, oid, 'member') FROM pg_roles WHERE rolname = wanted), false)
  $$;
  CREATE OR REPLACE FUNCTION current_namespace() RETURNS INTEGER
    LANGUAGE sql STABLE SET search_path TO "{schema}", pg_temp AS $$
    SELECT id FROM namespaces WHERE id = nullif(current_setting('mneme.namespace', true), '')::integer
      AND (is_member(current_user, owner)
        OR current_user = (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = 'state'::regclass))
  $$;
  CREATE OR REPLACE FUNCTION assert_owner(wanted TEXT) RETURNS INTEGER
    LANGUAGE plpgsql SET search_path TO "{schema}", pg_temp AS $$
    DECLARE found RECORD;
    BEGIN
      SELECT id, owner INTO found FROM namespaces WHERE name = wanted;
      IF found.id IS NULL THEN RETURN NULL; END IF;
      IF NOT (is_member(session_user, found.owner) OR is_host()) THEN
        RAISE EXCEPTION 'namespace % belongs to another role', wanted USING ERRCODE = '42501';
      END IF;
      RETURN found.id;
    END $$;
  CREATE FUNCTION is_host() RETURNS BOOLEAN LANGUAGE sql STABLE SET search_path TO "{schema}", pg_temp AS $$
    SELECT pg_has_role(session_user, relowner, 'member') FROM pg_class WHERE oid = 'state'::regclass
  $$;
  CREATE OR REPLACE FUNCTION limit_namespace(wanted TEXT, passages INTEGER, bytes BIGINT) RETURNS BOOLEAN
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO "{schema}", pg_temp AS $$
    BEGIN
      IF NOT is_host() THEN
        RAISE EXCEPTION 'only who owns the schema sets limits' USING ERRCODE = '42501';
      END IF;
      UPDATE namespaces SET max_passages = passages, max_bytes = bytes WHERE id = assert_owner(wanted);
      RETURN FOUND;
    END $$;
  ALTER FUNCTION open_namespace(TEXT) SET search_path TO "{schema}", public, extensions, pg_temp;
  ALTER FUNCTION erase_namespace(TEXT) SET search_path TO "{schema}", pg_temp;
  ALTER FUNCTION build_vector_index(TEXT, INTEGER, INTEGER) SET search_path TO "{schema}", public, extensions, pg_temp;
  ALTER FUNCTION drop_vector_index(TEXT, INTEGER) SET search_path TO "{schema}", pg_temp;
  DROP POLICY own ON namespaces;
  CREATE POLICY own ON namespaces FOR SELECT USING (is_member(current_user, owner));
  ALTER TABLE migrations ENABLE ROW LEVEL SECURITY;
  CREATE POLICY everybody ON migrations FOR SELECT USING (true);
  `,
  // Programs before this one remove the vectors of models they do not know, which a newer one on another machine needs.
  'ALTER TABLE models ADD COLUMN used DATE NOT NULL DEFAULT CURRENT_DATE',
];

/** Every table whose rows `clear` deletes. */
export const CONTENT_TABLES = [
  'notes',
  'attributes',
  'documents',
  'passages',
  'segments',
  'postings',
  'layout',
  'facts',
  'models',
  'vectors',
] as const;

/** Of a longer name only the beginning: the queue's own library takes no more than fifty letters. */
const MOST_LETTERS = 30;

/** Where the jobs of a memory wait: a schema for each, so that no role sees another's and all of it can be erased at once. */
export function queueSchema(schema: string, namespace: string): string {
  return `${schema.slice(0, MOST_LETTERS)}_jobs_${hash('sha256', `${schema}\0${namespace}`).slice(0, 12)}`;
}
