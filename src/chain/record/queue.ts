import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../model/errors.ts';
import { UlidFactory, ulidTimeMs } from '../../model/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Random } from '../../platform/random.ts';
import type { ContentType, Reference } from '../entry.ts';

/** Something that is to be entered: words, or a transcript by its path. */
export interface NotedItem {
  readonly type: ContentType;
  readonly ref: Reference;
  readonly text?: string | undefined;
  readonly path?: string | undefined;
  readonly scope?: string | undefined;
}

/**
 * What waits to be entered, a small file for each time something happened: whoever writes a memory only leaves a note, and
 * signing is done behind them, by whatever process has the time. Files, because several processes leave and take them.
 */
export class ChainQueue {
  readonly folder: string;
  readonly #clock: Clock;
  readonly #ulids: UlidFactory;

  constructor(journal: string, clock: Clock, random: Random) {
    this.folder = path.join(journal, 'chain', 'queue');
    this.#clock = clock;
    this.#ulids = new UlidFactory((length) => random.bytes(length));
  }

  /** Not synced: the memory itself is, and the weekly job finds the transcripts that a power cut took from here. */
  add(items: readonly NotedItem[]): void {
    const name = `${this.#ulids.next(this.#clock.now())}.json`;
    try {
      this.write(name, items);
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
      fs.mkdirSync(this.folder, { recursive: true });
      this.write(name, items);
    }
  }

  write(name: string, items: readonly NotedItem[]): void {
    const temporary = path.join(this.folder, `.${name}.${process.pid}`);
    fs.writeFileSync(temporary, JSON.stringify(items), { mode: 0o600 });
    fs.renameSync(temporary, path.join(this.folder, name));
  }

  names(): string[] {
    try {
      return fs
        .readdirSync(this.folder)
        .filter((name) => /^[0-7][0-9A-Z]{25}\.json$/u.test(name))
        .sort();
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return [];
      throw error;
    }
  }

  /** When the oldest note was left; undefined when none waits. */
  oldestMs(): number | undefined {
    const [first] = this.names();
    return first === undefined ? undefined : ulidTimeMs(first);
  }

  remove(name: string): void {
    fs.rmSync(path.join(this.folder, name), { force: true });
  }
}
