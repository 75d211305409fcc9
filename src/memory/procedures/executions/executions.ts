import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../../model/errors.ts';
import type { Change } from '../../../workspace/door/request.ts';
import { parseRecord, renderRecord, type ExecutionRecord } from './record.ts';

const FOLDER = 'memory/meta';
const NAME = /^executions(?:\.(\d+))?\.md$/u;

/** A file that a person can still read through, and git still diffs at a glance. */
const ROLL_BYTES = 32 * 1024;

const HEADING = '# Executions\n\nEvery run of a procedure, the latest last. Written by Mneme.\n\n';

export interface ReadExecutions {
  /** Oldest first. */
  readonly records: readonly ExecutionRecord[];
  /** Lines that look like records and cannot be read; they are left as they are. */
  readonly problems: readonly string[];
}

/** The runs that are over, in `memory/meta/executions.md`, `executions.2.md`, …: appended to, never changed. */
export class Executions {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  readAll(): ReadExecutions {
    const records: ExecutionRecord[] = [];
    const problems: string[] = [];
    const seen = new Set<string>();
    for (const file of this.#files()) {
      const lines = fs.readFileSync(path.join(this.#root, file), 'utf8').split('\n');
      for (const [index, line] of lines.entries()) {
        const record = parseRecord(line.trimEnd());
        if (record === undefined) {
          if (line.startsWith('- ')) problems.push(`${file}:${index + 1} is not a record that can be read`);
        } else if (!seen.has(record.run)) {
          seen.add(record.run);
          records.push(record);
        }
      }
    }
    return { records: records.sort((left, right) => (left.started < right.started ? -1 : 1)), problems };
  }

  /** Adds a run once; `isNew` is told while the change is made, for what goes along with it. */
  planRecord(record: ExecutionRecord, isNew: (answer: boolean) => void): Change {
    const files = this.#files();
    const last = files.at(-1);
    const isFull = last !== undefined && this.#size(last) >= ROLL_BYTES;
    const target = last === undefined || isFull ? `${FOLDER}/${nameOf(files.length + 1)}` : last;
    const known = files.some((file) => this.#holds(file, record.run));
    return {
      path: target,
      edit: (current) => {
        const isKnown = known || (current ?? '').includes(`"run":"${record.run}"`);
        isNew(!isKnown);
        if (isKnown) return current;
        const before = current === undefined || current.trim() === '' ? HEADING : current;
        return `${before}${before.endsWith('\n') ? '' : '\n'}${renderRecord(record)}\n`;
      },
    };
  }

  #holds(file: string, run: string): boolean {
    return fs.readFileSync(path.join(this.#root, file), 'utf8').includes(`"run":"${run}"`);
  }

  #size(file: string): number {
    return fs.statSync(path.join(this.#root, file)).size;
  }

  #files(): string[] {
    return listNames(path.join(this.#root, FOLDER))
      .flatMap((name) => {
        const match = NAME.exec(name);
        return match === null ? [] : [{ name, number: Number(match[1] ?? 1) }];
      })
      .sort((left, right) => left.number - right.number)
      .map(({ name }) => `${FOLDER}/${name}`);
  }
}

function nameOf(number: number): string {
  return number === 1 ? 'executions.md' : `executions.${number}.md`;
}

function listNames(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
