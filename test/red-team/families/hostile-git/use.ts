import fs from 'node:fs';
import path from 'node:path';
import { checkStaged } from '../../../../src/interfaces/cli/programs/check-staged.ts';
import { isMnemeError } from '../../../../src/model/errors.ts';
import { openMneme, type Mneme } from '../../../../src/mneme.ts';
import { check } from '../../../../src/operations/check.ts';
import { doctor } from '../../../../src/runtime/setup/check-setup.ts';
import { blame } from '../../../../src/operations/history/blame.ts';
import { diff } from '../../../../src/operations/history/diff.ts';
import { log } from '../../../../src/operations/history/log.ts';
import { maintain } from '../../../../src/operations/history/maintain.ts';
import { sync } from '../../../../src/operations/history/sync.ts';
import { createMemoryTag } from '../../../../src/operations/history/tag.ts';
import { when } from '../../../../src/operations/history/when.ts';
import { runOperation } from '../../../../src/operations/operation.ts';
import { initRepository } from '../../../../src/workspace/git/repository.ts';
import type { Place } from './place.ts';

/** `at` is the commit that the home was given with: in some traps a signed one. */
type Verb = (mneme: Mneme, place: Place, at: string) => Promise<unknown>;

/** Everything that starts git, local work first. */
const VERBS: Readonly<Record<string, Verb>> = {
  remember: (mneme) => mneme.remember('The harbour has a crane.'),
  scan: (mneme, { workspace }) => {
    fs.appendFileSync(path.join(workspace, 'note.md'), '\nIt is old.\n');
    return mneme.internals.workspace.scan();
  },
  drain: ({ internals }) => internals.workspace.drain(),
  blame: ({ internals }) => runOperation(blame, internals, { path: 'note.md' }),
  when: ({ internals }) => runOperation(when, internals, { text: 'white' }),
  log: ({ internals }) => runOperation(log, internals, { full: true }),
  diff: ({ internals }, _, from) => runOperation(diff, internals, { from }),
  read: (mneme, _, at) => mneme.read('note.md', { at }),
  recall: (mneme, _, at) => mneme.recall('harbour', { at }),
  context: (mneme) => mneme.context('harbour'),
  status: (mneme) => mneme.status(),
  check: ({ internals }) => runOperation(check, internals, {}),
  doctor: ({ internals }) => runOperation(doctor, internals, {}),
  tag: ({ internals }) => runOperation(createMemoryTag, internals, { name: 'milestone/one' }),
  rollback: (mneme) => mneme.rollback({ to: 'HEAD~1' }),
  maintain: ({ internals }) => runOperation(maintain, internals, { level: 'full' }),
  backup: (mneme) => mneme.backup.create(),
  reinit: async (_, { workspace, gitDir }) =>
    initRepository({ workTree: workspace, gitDir, kind: 'workspace', branch: 'main', useLfs: true }),
  hook: (_, { workspace, gitDir }) => checkStaged(SILENT, { gitDir, workTree: workspace }),
  erase: (mneme) => mneme.erase('It is old.'),
  sync: ({ internals }) => runOperation(sync, internals, {}),
};

export const VERB_NAMES: readonly string[] = Object.keys(VERBS);

/** Erasing and backing up take longer than all the rest together; one case does them with all traps at once. */
export const QUICK_VERBS = VERB_NAMES.filter((name) => name !== 'erase' && name !== 'backup');

/** For traps on the way to a remote. */
export const REMOTE_VERBS = ['remember', 'drain', 'status', 'doctor', 'sync'];

const same = (text: string): string => text;
const SILENT = { io: { err: same }, style: { red: same, yellow: same } } as unknown as Parameters<
  typeof checkStaged
>[0];

export interface Used {
  readonly done: readonly string[];
  /** What could not be done, and why, in words of ours. */
  readonly refused: ReadonlyMap<string, string>;
}

/** Uses a home; only an error in words of ours is an answer. */
export async function useHome(place: Place, verbs: readonly string[] = VERB_NAMES): Promise<Used> {
  const done: string[] = [];
  const refused = new Map<string, string>();
  const attempt = async (name: string, run: () => Promise<unknown>): Promise<void> => {
    try {
      await run();
      done.push(name);
    } catch (error) {
      if (!isMnemeError(error)) throw error;
      refused.set(name, error.message);
    }
  };
  const branch = path.join(place.gitDir, 'refs/heads/main');
  const at = fs.existsSync(branch) ? fs.readFileSync(branch, 'utf8').trim() : 'HEAD~1';
  let mneme: Mneme | undefined;
  await attempt('open', async () => {
    mneme = await openMneme({ home: place.home, actor: 'manual' });
  });
  if (mneme === undefined) return { done, refused };
  const open = mneme;
  for (const [name, verb] of Object.entries(VERBS)) {
    if (verbs.includes(name)) await attempt(name, () => verb(open, place, at));
  }
  await attempt('close', () => open.close());
  return { done, refused };
}
