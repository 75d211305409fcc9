import type { PoolClient } from 'pg';
import { MnemeError } from '../../model/errors.ts';
import { MIGRATIONS } from './schema.ts';
import { sqlState, trouble } from './trouble.ts';

/** Halfvec came with 0.7, iterative scans with 0.8. */
const LEAST_VECTOR_VERSION = [0, 8];
/** Two processes that make the same thing at once: one of them is told so and looks again. */
const ALREADY_THERE: ReadonlySet<string> = new Set(['23505', '42P06', '42P07', '42710', '42723']);
const ATTEMPTS = 5;

/** Brings the tables to the version this program knows. */
export async function migrate(client: PoolClient, schema: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await migrateOnce(client, schema);
    } catch (error) {
      await client.query('ROLLBACK');
      const state = sqlState(error);
      if (state === undefined || !ALREADY_THERE.has(state) || attempt === ATTEMPTS) throw error;
    }
  }
}

async function migrateOnce(client: PoolClient, schema: string): Promise<void> {
  const version = await readVersion(client, schema);
  if (version > MIGRATIONS.length) {
    throw new MnemeError('conflict', `The PostgreSQL schema "${schema}" was made by a newer Mneme.`, {
      hint: 'Update Mneme on this machine, or set index.postgres_schema to another name.',
    });
  }
  if (version === MIGRATIONS.length) return;
  await assertVectors(client);
  await client.query(`BEGIN; CREATE SCHEMA IF NOT EXISTS "${schema}"`);
  await client.query(`SET LOCAL search_path TO "${schema}", public, extensions`);
  await client.query('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)');
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index < version) continue;
    // Another process that migrates waits here, and then fails on the version that is already there.
    await client.query('INSERT INTO migrations VALUES ($1)', [index + 1]);
    await client.query(sql.replaceAll('{schema}', schema));
  }
  await client.query('COMMIT');
}

async function readVersion(client: PoolClient, schema: string): Promise<number> {
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
    `"${schema}".migrations`,
  ]);
  if (rows[0]?.found !== true) return 0;
  const { rows: versions } = await client.query<{ version: number }>(
    `SELECT coalesce(max(version), 0) AS version FROM "${schema}".migrations`,
  );
  return versions[0]?.version ?? 0;
}

/** Making an extension may need a superuser; using one that is there does not. */
async function assertVectors(client: PoolClient): Promise<void> {
  const find = "SELECT extversion AS version FROM pg_extension WHERE extname = 'vector'";
  let { rows } = await client.query<{ version: string }>(find);
  if (rows.length === 0) {
    try {
      await client.query('CREATE EXTENSION IF NOT EXISTS vector');
    } catch (error) {
      throw trouble('not-set-up', error);
    }
    ({ rows } = await client.query<{ version: string }>(find));
  }
  const version = rows[0]?.version ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = LEAST_VECTOR_VERSION;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  throw trouble('not-set-up', new Error(`pgvector is ${version}`));
}
