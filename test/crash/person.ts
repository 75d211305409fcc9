/**
 * A person in the same folder: they edit files of their own and the agent's, as editors do it, and commit by plain
 * git. SIGTERM lets them finish what they are doing.
 *
 *   node person.ts '{"home": …, "name": "p1", "seed": 7}'
 */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { workspaceFile } from '../support/home.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { blockLine, endWithParent, note } from './ledger.ts';
import { SHARED_FILES } from './worker.ts';

export interface PersonOptions {
  readonly home: string;
  readonly name: string;
  readonly seed: number;
}

const execute = promisify(execFile);

class Person {
  readonly #options: PersonOptions;
  readonly #random: SeededRandom;
  #count = 0;
  #commits = 0;
  #isLeaving = false;

  constructor(options: PersonOptions) {
    this.#options = options;
    this.#random = new SeededRandom(options.seed);
  }

  async run(): Promise<void> {
    process.on('SIGTERM', () => {
      this.#isLeaving = true;
    });
    endWithParent();
    note({ type: 'ready' });
    while (!this.#isLeaving) {
      const action = this.#random.pickWeighted({ own: 3, append: 3, overwrite: 2, rename: 3, commitAll: 1 });
      if (action === 'own') await this.#commit(this.#append('mine.md'));
      else if (action === 'append') this.#append(this.#random.pick(SHARED_FILES));
      else if (action === 'commitAll') await this.#commit(undefined);
      else await this.#edit(this.#random.pick(SHARED_FILES), action);
      await this.#pause(this.#random.between(1, 25));
    }
  }

  #nextToken(): string {
    this.#count += 1;
    return `${this.#options.name}-n${this.#count}`;
  }

  /** `echo … >> file` */
  #append(file: string): string {
    const token = this.#nextToken();
    const full = workspaceFile(this.#options.home, file);
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.appendFileSync(full, `${blockLine(token)}\n`);
    note({ type: 'saved', token, file, how: 'append' });
    return file;
  }

  /** An editor: load, type for a moment, save the whole buffer, in place or by renaming a new file over the old. */
  async #edit(file: string, how: 'overwrite' | 'rename'): Promise<void> {
    const full = workspaceFile(this.#options.home, file);
    if (!fs.existsSync(full)) return;
    const lines = fs.readFileSync(full, 'utf8').split('\n');
    const token = this.#nextToken();
    await this.#pause(this.#random.integer(8));
    lines.splice(this.#random.integer(lines.length), 0, blockLine(token));
    const text = lines.join('\n');
    if (how === 'overwrite') fs.writeFileSync(full, text);
    else {
      fs.writeFileSync(`${full}.tmp`, text);
      fs.renameSync(`${full}.tmp`, full);
    }
    note({ type: 'saved', token, file, how });
    if (this.#random.chance(0.3)) await this.#commit(file);
  }

  /** The file, or with `commit -a` everything tracked. Refused commits are part of a person's life. */
  async #commit(file: string | undefined): Promise<void> {
    const cwd = workspaceFile(this.#options.home, '.');
    this.#commits += 1;
    const message = `${this.#options.name}-commit${this.#commits}`;
    try {
      if (file !== undefined) await execute('git', ['add', file], { cwd });
      const what = file === undefined ? ['--all'] : ['--', file];
      await execute('git', ['commit', '--quiet', '--message', message, ...what], { cwd });
      note({ type: 'committed', message });
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, milliseconds);
    });
  }
}

/** Another git holds a lock, the branch or a file just moved, or the agent has committed the change already. */
function isRefusal(error: unknown): boolean {
  const said =
    error instanceof Error && 'stderr' in error
      ? `${String(error.stderr)}${'stdout' in error ? String(error.stdout) : ''}`
      : '';
  return (
    /index\.lock|cannot lock ref|nothing (?:added )?to commit|no changes added|did not match any file|unable to (?:write|stat)/i.test(
      said,
    ) || said === ''
  );
}

if (import.meta.main) await new Person(JSON.parse(process.argv[2] ?? '{}') as PersonOptions).run();
