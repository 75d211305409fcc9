import { hash } from 'node:crypto';
import type * as PgBossModule from 'pg-boss';
import { errorMessage, MnemeError, must } from '../../model/errors.ts';
import { queueSchema } from '../../search-index/postgres/schema.ts';
import { trouble } from '../../search-index/postgres/trouble.ts';

export interface QueueOptions {
  readonly url: string;
  readonly schema: string;
  readonly namespace: string;
  /** A machine that took a job and was not heard of for so long has lost it to the next. */
  readonly expireSeconds?: number | undefined;
  readonly retries?: number | undefined;
  readonly retryDelaySeconds?: number | undefined;
}

export interface TakenJob {
  readonly job: string;
  readonly occurrence: string;
  /** False when another machine has taken it since: then it is for that one to say what came of it. */
  done(): Promise<boolean>;
  /** As `done`. */
  failed(error: unknown): Promise<boolean>;
}

/** One of the times a job was taken. */
interface Taking {
  readonly name: string;
  readonly id: string;
  readonly retryCount: number;
}

export interface QueueState {
  readonly job: string;
  readonly waiting: number;
  readonly active: number;
  /** Given up after all its retries. */
  readonly dead: number;
  /** The newest of those, and why. */
  readonly givenUp: readonly GivenUp[];
}

interface GivenUp {
  readonly occurrence: string;
  readonly reason: string;
}

type Database = ReturnType<PgBossModule.PgBoss['getDb']>;

const PACKAGE = 'pg-boss';
const EXPIRE_SECONDS = 3600;
const RETRIES = 4;
const RETRY_DELAY_SECONDS = 30;
/** Occurrences that were done are remembered for this long, so that nobody does them again. */
const REMEMBER_SECONDS = 14 * 86_400;
/** Ends the name of the queue for what was given up. */
const DEAD = '.dead';
/** Enough to see what is wrong. */
const SHOWN_DEAD = 5;

/**
 * Jobs that any of several machines may do. An occurrence has one id, whoever finds it due, and is in the queue once;
 * of those who want it one gets it.
 */
export class JobQueue {
  readonly #options: QueueOptions;
  readonly #prefix: string;
  #boss: Promise<PgBossModule.PgBoss> | undefined;
  readonly #made = new Set<string>();

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#prefix = hash('sha256', options.namespace).slice(0, 12);
  }

  /** False when it is or was there already. */
  async add(job: string, occurrence: string): Promise<boolean> {
    return this.#try(async (boss) => {
      const id = uuidOf(`${this.#options.namespace}\0${job}\0${occurrence}`);
      const name = await this.#queueOf(boss, job);
      // Only the first of several with one id is kept, be it done by now.
      if ((await boss.findJobs(name, { id })).length > 0) return false;
      return (await boss.send(name, { occurrence }, { id })) !== null;
    });
  }

  async hasWaiting(job: string): Promise<boolean> {
    return this.#try(async (boss) => {
      const name = await this.#queueOf(boss, job);
      return (await boss.findJobs(name, { queued: true })).length > 0;
    });
  }

  async take(job: string): Promise<TakenJob | undefined> {
    return this.#try(async (boss) => {
      const name = await this.#queueOf(boss, job);
      const [taken] = await boss.fetch<{ occurrence: string }>(name, { includeMetadata: true });
      if (taken === undefined) return undefined;
      const { id, data, retryCount } = taken;
      const settle = (body: (db: Database) => Promise<unknown>): Promise<boolean> =>
        this.#try(() => this.#settle(boss, { name, id, retryCount }, body));
      return {
        job,
        occurrence: data.occurrence,
        done: () => settle((db) => boss.complete(name, id, null, { db })),
        failed: (error) => settle((db) => boss.fail(name, id, { message: errorMessage(error) }, { db })),
      };
    });
  }

  /** In one transaction, so that nobody takes it in between. The queue's library would let anybody end anybody's. */
  async #settle(
    boss: PgBossModule.PgBoss,
    { name, id, retryCount }: Taking,
    body: (db: Database) => Promise<unknown>,
  ): Promise<boolean> {
    const transaction = must(await boss.getDb().beginTransaction?.(), 'transaction');
    try {
      const schema = queueSchema(this.#options.schema, this.#options.namespace);
      const { rows } = await transaction.db.executeSql(
        `SELECT 1 FROM "${schema}".job
         WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3 FOR UPDATE`,
        [name, id, retryCount],
      );
      if (rows.length > 0) await body(transaction.db);
      await transaction.commit();
      return rows.length > 0;
    } catch (error) {
      await transaction.rollback();
      throw error;
    }
  }

  /** Of the jobs asked for, and of whatever else machines of this memory have put into the queue. */
  async status(jobs: readonly string[]): Promise<QueueState[]> {
    return this.#try(async (boss) => {
      for (const job of jobs) await this.#queueOf(boss, job);
      const start = `${this.#prefix}.`;
      const names = (await boss.getQueues())
        .map(({ name }) => name)
        .filter((name) => name.startsWith(start) && !name.endsWith(DEAD));
      const states: QueueState[] = [];
      for (const job of new Set([...jobs, ...names.map((name) => name.slice(start.length)).sort()])) {
        states.push(await stateOf(boss, job, `${start}${job}`));
      }
      return states;
    });
  }

  async close(): Promise<void> {
    const boss = this.#boss;
    this.#boss = undefined;
    if (boss !== undefined) await (await boss).stop({ graceful: false });
  }

  async #queueOf(boss: PgBossModule.PgBoss, job: string): Promise<string> {
    const name = `${this.#prefix}.${job}`;
    if (this.#made.has(name)) return name;
    const { expireSeconds, retries, retryDelaySeconds } = this.#options;
    await boss.createQueue(`${name}${DEAD}`);
    await boss.createQueue(name, {
      retryLimit: retries ?? RETRIES,
      retryDelay: retryDelaySeconds ?? RETRY_DELAY_SECONDS,
      retryBackoff: true,
      expireInSeconds: expireSeconds ?? EXPIRE_SECONDS,
      deleteAfterSeconds: REMEMBER_SECONDS,
      deadLetter: `${name}${DEAD}`,
    });
    this.#made.add(name);
    return name;
  }

  async #try<T>(body: (boss: PgBossModule.PgBoss) => Promise<T>): Promise<T> {
    try {
      this.#boss ??= this.#start();
      return await body(await this.#boss);
    } catch (error) {
      if (error instanceof MnemeError) throw error;
      throw trouble('gone', error);
    }
  }

  async #start(): Promise<PgBossModule.PgBoss> {
    const { PgBoss } = await loadQueue();
    const { url, namespace } = this.#options;
    const schema = queueSchema(this.#options.schema, namespace);
    const boss = new PgBoss({ connectionString: url, schema, max: 2, application_name: 'mneme' });
    // The next query reports a failure; an error without a listener would end the process.
    boss.on('error', () => undefined);
    try {
      await boss.start();
      return boss;
    } catch (error) {
      this.#boss = undefined;
      throw error;
    }
  }
}

async function stateOf(boss: PgBossModule.PgBoss, job: string, name: string): Promise<QueueState> {
  const dead = await boss.findJobs<{ occurrence?: string }>(`${name}${DEAD}`, {});
  const listed = await boss.findJobs(name, {});
  const count = (...wanted: string[]): number => listed.filter(({ state }) => wanted.includes(state)).length;
  const newest = dead.sort((left, right) => right.createdOn.getTime() - left.createdOn.getTime()).slice(0, SHOWN_DEAD);
  return {
    job,
    waiting: count('created', 'retry'),
    active: count('active'),
    dead: dead.length,
    givenUp: newest.map(({ data, output }) => ({ occurrence: data?.occurrence ?? '', reason: reasonOf(output) })),
  };
}

function reasonOf(output: unknown): string {
  const isTold = typeof output === 'object' && output !== null && 'message' in output;
  return isTold ? String(output.message) : 'its machine was not heard of again';
}

async function loadQueue(): Promise<typeof PgBossModule> {
  const name: string = PACKAGE;
  try {
    return (await import(name)) as typeof PgBossModule;
  } catch (error) {
    throw new MnemeError('not-found', `Shared jobs need the package ${PACKAGE}: ${errorMessage(error)}.`, {
      hint: `Run: npm install pg ${PACKAGE} (with -g if mneme is installed so).`,
      cause: error,
    });
  }
}

/** The same for the same text. */
function uuidOf(text: string): string {
  const hex = hash('sha256', text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
