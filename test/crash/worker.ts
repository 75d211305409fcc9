/**
 * An agent under load, made to be killed: several callers change a few shared files and files of their own, the drain
 * runs without pause, and what was acknowledged is said at once.
 *
 *   node worker.ts '{"home": …, "name": "w1", "seed": 7, "callers": 8}'
 */
import fs from 'node:fs';
import type { Step } from '../../src/workspace/door/context.ts';
import type { Change, CommitRequest } from '../../src/workspace/door/request.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { openWorkspace, workspaceFile } from '../support/home.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { blockLine, endWithParent, note, type Attempt } from './ledger.ts';

export interface WorkerOptions {
  readonly home: string;
  /** Part of every token, so it must be unique. */
  readonly name: string;
  readonly seed: number;
  readonly callers: number;
  /** Ends the process, or with `group` its git children as well, when this step is reached for the n-th time. */
  readonly failpoint?: { readonly step: Step; readonly occurrence: number; readonly group: boolean } | undefined;
}

export const SHARED_FILES = ['shared-a.md', 'shared-b.md', 'notes/shared-c.md'] as const;

/** Small, so that segments are dropped within the fraction of a second a worker lives. */
export const CRASH_PARTS = { segmentBytes: 32 * 1024, staleSaveWindowMs: 20_000 } as const;

const WEIGHTS = { append: 50, put: 12, group: 16, create: 14, delete: 4, rename: 4 } as const;

interface OwnFile {
  readonly path: string;
  readonly token: string;
}

/** One caller: it waits for each acknowledgement, and only it deletes or renames the files it made. */
class Caller {
  readonly #options: WorkerOptions;
  readonly #workspace: Workspace;
  readonly #random: SeededRandom;
  readonly #prefix: string;
  readonly #own: OwnFile[] = [];
  #count = 0;

  constructor(options: WorkerOptions, workspace: Workspace, index: number) {
    this.#options = options;
    this.#workspace = workspace;
    this.#random = new SeededRandom(options.seed * 101 + index);
    this.#prefix = `${options.name}-${index}`;
  }

  async run(): Promise<never> {
    for (;;) {
      this.#count += 1;
      const { attempt, changes } = this.#plan(`${this.#prefix}-n${this.#count}`);
      const request: CommitRequest = {
        actor: 'bot:crash',
        trigger: 'crash test',
        summary: attempt.token,
        changes,
      };
      note(attempt);
      const { mutation } = await this.#workspace.commit(request);
      if (mutation === undefined) throw new Error(`${attempt.token} changed nothing`);
      note({ type: 'acknowledged', token: attempt.token, mutation });
    }
  }

  #plan(token: string): { attempt: Attempt; changes: Change[] } {
    const wanted = this.#random.pickWeighted(WEIGHTS);
    const kind = (wanted === 'delete' || wanted === 'rename') && this.#own.length === 0 ? 'create' : wanted;
    if (kind === 'delete' || kind === 'rename') return this.#planMove(token, kind);
    if (kind === 'create') {
      const path = `made/${token}.md`;
      this.#own.push({ path, token });
      const changes = [{ path, content: `${blockLine(token)}\n`, base: undefined }];
      return { attempt: { type: 'attempt', token, kind, files: [path] }, changes };
    }
    if (kind === 'put') return this.#planPut(token);
    const first = this.#random.pick(SHARED_FILES);
    const second = this.#random.pick(SHARED_FILES.filter((file) => file !== first));
    const files = kind === 'group' ? [first, second] : [first];
    const changes = files.map((path) => ({ path, edit: (text = '') => `${text}${blockLine(token)}\n` }));
    return { attempt: { type: 'attempt', token, kind, files }, changes };
  }

  #planMove(token: string, kind: 'delete' | 'rename'): { attempt: Attempt; changes: Change[] } {
    const [own] = this.#own.splice(this.#random.integer(this.#own.length), 1);
    if (own === undefined) throw new Error('there is no file of our own');
    const attempt: Attempt = { type: 'attempt', token, kind, files: [own.path], subject: own.token };
    if (kind === 'delete') return { attempt, changes: [{ path: own.path, edit: () => undefined }] };
    const renameTo = `made/renamed/${token}.md`;
    return { attempt: { ...attempt, renameTo }, changes: [{ path: own.path, renameTo }] };
  }

  /** New content from what was read without any lock, as an agent's own editing tool does it. */
  #planPut(token: string): { attempt: Attempt; changes: Change[] } {
    const path = this.#random.pick(SHARED_FILES);
    const full = workspaceFile(this.#options.home, path);
    const base = fs.existsSync(full) ? fs.readFileSync(full, 'utf8') : undefined;
    const content = `${base ?? ''}${blockLine(token)}\n`;
    return { attempt: { type: 'attempt', token, kind: 'put', files: [path] }, changes: [{ path, content, base }] };
  }
}

async function drainForEver(workspace: Workspace): Promise<never> {
  for (;;) {
    await workspace.drain();
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

function stopAtFailpoint({ failpoint }: WorkerOptions): (step: Step) => void {
  let left = failpoint?.occurrence ?? 0;
  return (step) => {
    if (failpoint === undefined || step !== failpoint.step) return;
    left -= 1;
    if (left === 0) process.kill(failpoint.group ? -process.pid : process.pid, 'SIGKILL');
  };
}

async function main(options: WorkerOptions): Promise<void> {
  endWithParent();
  const onStep = stopAtFailpoint(options);
  const workspace = await openWorkspace(options.home, { ...CRASH_PARTS, onStep });
  note({ type: 'ready' });
  const callers = Array.from({ length: options.callers }, (_, index) => new Caller(options, workspace, index).run());
  await Promise.all([...callers, drainForEver(workspace)]);
}

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? '{}') as WorkerOptions);
