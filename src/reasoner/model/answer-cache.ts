import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import { isBusy, isCorrupt, StateDatabase } from '../../platform/sqlite.ts';
import type { Eraser, EraseReport, Erasure } from '../../workspace/registries.ts';
import { DAY_MS } from '../../model/time.ts';

const SCHEMA = `
  CREATE TABLE answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL, written REAL NOT NULL) WITHOUT ROWID;
  CREATE INDEX answers_by_age ON answers (written);
`;
const SCHEMA_VERSION = 1;
/** Long enough that importing or extracting again costs nothing; models change over longer times. */
const KEEP_DAYS = 30;
export const CACHE_FILE = 'answers.db';

/** Some tens of megabytes; past it the oldest go first. */
const MAX_ANSWERS = 20_000;
/** Answers come seconds apart, so tidying at each of these costs nothing that is noticed. */
const TIDY_EVERY = 50;
/** The time for which a second process may hold the file. */
const BUSY_MS = 500;

/** The question, as far as it decides the answer. */
export interface AskedQuestion {
  readonly purpose: string;
  readonly promptVersion: number;
  readonly provider: string;
  readonly model: string;
  readonly input: string;
}

/**
 * Answers of models by what was asked, so that the same question costs once. They hold what people said, so they can be
 * erased; they can also be deleted at any time, or be unusable for a moment, and then the question is asked again.
 */
export class AnswerCache implements Eraser {
  readonly name = 'answers of models';
  readonly #file: string;
  readonly #clock: Clock;
  readonly #keepMs: number;
  #state: StateDatabase | undefined;
  #written = 0;

  constructor(stateFolder: string, clock: Clock, keepDays = KEEP_DAYS) {
    this.#file = path.join(stateFolder, CACHE_FILE);
    this.#clock = clock;
    this.#keepMs = keepDays * DAY_MS;
  }

  find(question: AskedQuestion): unknown {
    if (this.#keepMs === 0) return undefined;
    return this.#use((state) => {
      const oldest = this.#clock.now() - this.#keepMs;
      const row = state
        .prepare('SELECT answer FROM answers WHERE key = ? AND written >= ?')
        .get(keyOf(question), oldest);
      return row === undefined ? undefined : (JSON.parse(String(row['answer'])) as unknown);
    });
  }

  keep(question: AskedQuestion, answer: unknown): void {
    if (this.#keepMs === 0) return;
    this.#use((state) => {
      const text = JSON.stringify(answer);
      state.prepare('INSERT OR REPLACE INTO answers VALUES (?, ?, ?)').run(keyOf(question), text, this.#clock.now());
      if (this.#written++ % TIDY_EVERY === 0) this.#tidy(state);
    });
  }

  count(): number {
    if (this.#keepMs === 0 || !fs.existsSync(this.#file)) return 0;
    return this.#use((state) => Number(state.prepare('SELECT count(*) AS n FROM answers').get()?.['n'])) ?? 0;
  }

  /** All of it goes: a deleted row would leave its text in the file. */
  erase({ erase }: Erasure): Promise<EraseReport> {
    if (!fs.existsSync(this.#file)) return Promise.resolve({ where: this.name, occurrences: 0 });
    const occurrences =
      this.#use((state) => {
        const rows = state.prepare('SELECT answer FROM answers').all();
        return rows.filter((row) => {
          const bytes = Buffer.from(String(row['answer']), 'utf8');
          return erase(bytes) !== bytes;
        }).length;
      }) ?? 0;
    this.#state?.recreate();
    return Promise.resolve({ where: this.name, occurrences });
  }

  close(): void {
    this.#state?.close();
    this.#state = undefined;
  }

  #tidy(state: StateDatabase): void {
    state.prepare('DELETE FROM answers WHERE written < ?').run(this.#clock.now() - this.#keepMs);
    state
      .prepare('DELETE FROM answers WHERE key IN (SELECT key FROM answers ORDER BY written DESC LIMIT -1 OFFSET ?)')
      .run(MAX_ANSWERS);
  }

  /** Damage makes the file anew; a file that is held is done without. Either way the model can be asked. */
  #use<T>(work: (state: StateDatabase) => T): T | undefined {
    this.#state ??= new StateDatabase(this.#file, SCHEMA, SCHEMA_VERSION);
    try {
      this.#state.connection.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
      return work(this.#state);
    } catch (error) {
      if (isBusy(error)) return undefined;
      if (!isCorrupt(error) && !(error instanceof SyntaxError)) throw error;
      this.#state.recreate();
      return undefined;
    }
  }
}

function keyOf({ purpose, promptVersion, provider, model, input }: AskedQuestion): string {
  return hash('sha256', JSON.stringify([purpose, promptVersion, provider, model, input]));
}
