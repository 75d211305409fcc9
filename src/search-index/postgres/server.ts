import type * as Pg from 'pg';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { MnemeError, errorMessage, must } from '../../model/errors.ts';
import { sleep } from '../../platform/clock.ts';
import { migrate } from './migrate.ts';
import { queueSchema } from './schema.ts';
import { explainServerFailure, isConnectionLost, isPassing, isUnanswered } from './trouble.ts';

const DRIVER = 'pg';

/** The driver, an optional package: by a name that bundlers cannot see, so that it stays outside. */
async function loadDriver(importPackage = importInstalled): Promise<typeof Pg> {
  try {
    return (await importPackage(DRIVER)) as typeof Pg;
  } catch (error) {
    throw new MnemeError('not-found', `PostgreSQL needs the package ${DRIVER}: ${errorMessage(error)}.`, {
      hint: `Run: npm install ${DRIVER} (with -g if mneme is installed so).`,
      cause: error,
    });
  }
}

const importInstalled = (name: string): Promise<unknown> => import(name);

export interface ServerOptions {
  /** With the password; never shown. */
  readonly url: string;
  readonly schema: string;
  /** The owner of this memory; see `namespaces`. */
  readonly namespace: string;
  /** Past this a statement is stopped and somebody else answers. */
  readonly timeoutMs?: number | undefined;
  readonly connectTimeoutMs?: number | undefined;
  readonly connections?: number | undefined;
}

export type Value = string | number | boolean | null | Uint8Array | readonly (string | number | null | Uint8Array)[];
/** A row, values by position. */
export type Row = readonly unknown[];

export interface IndexState {
  readonly epoch: string;
  readonly generation: number;
  readonly nextPassage: number;
  readonly nextDocument: number;
}

/** Statements of one transaction. `{ns}` in them stands for the namespace's number. */
export interface Transaction {
  readonly state: IndexState;
  readonly namespace: number;
  rows(sql: string, ...values: Value[]): Promise<Row[]>;
  row(sql: string, ...values: Value[]): Promise<Row | undefined>;
}

const TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 3000;
const CONNECTIONS = 4;
/** The driver gives up a little later than the server, for a server that does not answer at all. */
const PATIENCE_MS = 2000;
const ATTEMPTS = 3;
const RETRY_MS = 40;
/** Large work, such as building an index over all vectors. */
const LONG_WORK_MS = 3_600_000;

const STATE_COLUMNS = 'epoch, generation, next_passage, next_document';

type Kind = 'read' | 'write' | 'beside';

/**
 * A server's tables of one namespace. Nothing is kept on a connection between transactions, so that any pooler may
 * stand in between: settings are made within each transaction, and no statement is prepared under a name.
 */
export class PostgresServer {
  readonly #options: ServerOptions;
  #pool: Promise<Pool> | undefined;
  #namespace: Promise<number> | undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  get schema(): string {
    return this.#options.schema;
  }

  /** Everything `body` reads is of one moment. */
  read<T>(body: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#attempt(() => this.#transact('read', body));
  }

  /** All that `body` writes, or nothing; one writer at a time. May be called again after a connection was lost. */
  write<T>(body: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#attempt(() => this.#transact('write', body));
  }

  /** As `write`, beside who writes the index: for what no answer depends on. */
  writeBeside<T>(body: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#attempt(() => this.#transact('beside', body));
  }

  /** As `write`, for work that may take minutes. */
  writeLong<T>(body: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#attempt(() => this.#transact('write', body, LONG_WORK_MS));
  }

  /** A statement of its own about more than one namespace, such as listing them. */
  async administer(sql: string, ...values: Value[]): Promise<Row[]> {
    return this.#attempt(async () => {
      await this.#namespaceNumber();
      return this.#withClient(async (client) => {
        await client.query(`BEGIN; ${this.#settings(LONG_WORK_MS)}`);
        const { rows } = await client.query<unknown[]>({ text: sql, values: [...values], rowMode: 'array' });
        await client.query('COMMIT');
        return rows;
      });
    });
  }

  /** Everything of a memory, with the jobs that wait for it; false when there is none of that name. */
  async eraseNamespace(name: string): Promise<boolean> {
    const [owned] = await this.administer('SELECT assert_owner($1)', name);
    if (typeof owned?.[0] !== 'number') return false;
    await this.administer(`DROP SCHEMA IF EXISTS "${queueSchema(this.schema, name)}" CASCADE`);
    const [erased] = await this.administer('SELECT erase_namespace($1)', name);
    return erased?.[0] === true;
  }

  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    if (pool !== undefined) await (await pool).end();
  }

  async #attempt<T>(body: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await body();
      } catch (error) {
        if (attempt >= ATTEMPTS || !isPassing(error)) throw explainServerFailure(error);
        await sleep(RETRY_MS * 2 ** attempt);
      }
    }
  }

  async #transact<T>(kind: Kind, body: (transaction: Transaction) => Promise<T>, timeoutMs?: number): Promise<T> {
    const namespace = await this.#namespaceNumber();
    return this.#withClient(async (client) => {
      const begun = await client.query({ text: this.#begin(kind, namespace, timeoutMs), rowMode: 'array' });
      const state = parseState(begun as unknown as QueryResult<unknown[]>[]);
      const rows = async (sql: string, ...values: Value[]): Promise<Row[]> => {
        const text = sql.replaceAll('{ns}', String(namespace));
        const result = await client.query<unknown[]>({
          text,
          values: [...values],
          rowMode: 'array',
          ...(timeoutMs === undefined ? {} : { query_timeout: timeoutMs + PATIENCE_MS }),
        });
        return result.rows;
      };
      const result = await body({ state, namespace, rows, row: async (...given) => (await rows(...given))[0] });
      await client.query('COMMIT');
      return result;
    });
  }

  /** One round trip: the transaction, its settings, and what the index says about itself. */
  #begin(kind: Kind, namespace: number, timeoutMs?: number): string {
    const begin = kind === 'read' ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN';
    const lock = kind === 'write' ? ' FOR UPDATE' : '';
    return [
      begin,
      this.#settings(timeoutMs),
      `SET LOCAL mneme.namespace TO '${namespace}'`,
      `SELECT ${STATE_COLUMNS} FROM state WHERE namespace = ${namespace}${lock}`,
    ].join('; ');
  }

  #settings(timeoutMs = this.#options.timeoutMs ?? TIMEOUT_MS): string {
    const settings = [
      `SET LOCAL search_path TO "${this.#options.schema}", public, extensions`,
      `SET LOCAL statement_timeout TO ${timeoutMs}`,
      `SET LOCAL lock_timeout TO ${timeoutMs}`,
      `SET LOCAL idle_in_transaction_session_timeout TO ${timeoutMs + 5 * PATIENCE_MS}`,
    ];
    return settings.join('; ');
  }

  async #withClient<T>(body: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await (await this.#openPool()).connect();
    let isLost = false;
    try {
      return await body(client);
    } catch (error) {
      isLost = isConnectionLost(error) || isUnanswered(error);
      if (!isLost) isLost = !(await hasRolledBack(client));
      throw error;
    } finally {
      client.release(isLost);
    }
  }

  #openPool(): Promise<Pool> {
    this.#pool ??= this.#makePool();
    return this.#pool;
  }

  async #makePool(): Promise<Pool> {
    const { Pool } = await loadDriver();
    const { url, timeoutMs = TIMEOUT_MS, connectTimeoutMs = CONNECT_TIMEOUT_MS, connections } = this.#options;
    const pool = new Pool({
      connectionString: url,
      max: connections ?? CONNECTIONS,
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: 30_000,
      query_timeout: timeoutMs + PATIENCE_MS,
      keepAlive: true,
      allowExitOnIdle: true,
      application_name: 'mneme',
    });
    // A connection that breaks while nobody uses it is replaced by the next; without a listener it would end the process.
    pool.on('error', () => undefined);
    // As does one that breaks between two statements of a transaction: the next statement fails, and tells.
    pool.on('connect', (client) => void client.on('error', () => undefined));
    return pool;
  }

  /** Tables are made or brought up to date once per process, before anything else. */
  #namespaceNumber(): Promise<number> {
    this.#namespace ??= this.#withClient((client) => this.#open(client));
    const opening = this.#namespace;
    opening.catch(() => {
      if (this.#namespace === opening) this.#namespace = undefined;
    });
    return opening;
  }

  async #open(client: PoolClient): Promise<number> {
    const { schema, namespace } = this.#options;
    await migrate(client, schema);
    const sql = `SELECT "${schema}".open_namespace($1)`;
    const { rows } = await client.query<[number]>({ text: sql, values: [namespace], rowMode: 'array' });
    return must(rows[0]?.[0], 'the number of a namespace');
  }
}

async function hasRolledBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    // The connection is of no use any more; the caller hears of what went wrong first.
    return false;
  }
}

function parseState(results: readonly QueryResult<unknown[]>[]): IndexState {
  const row = results.at(-1)?.rows[0];
  if (row === undefined) {
    throw new MnemeError('refused', 'This PostgreSQL namespace is gone, or belongs to another role.', {
      hint: 'See `mneme index namespace list`; a namespace is made by the first who uses it.',
    });
  }
  return {
    epoch: String(row[0]),
    generation: Number(row[1]),
    nextPassage: Number(row[2]),
    nextDocument: Number(row[3]),
  };
}
