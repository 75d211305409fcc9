import { hash } from 'node:crypto';
import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import { mergeTexts } from '../../workspace/merge-text.ts';
import { markAgentWords } from '../agent-words.ts';
import type { OperationContext } from '../context.ts';
import { assertMayLearn } from '../may-learn.ts';
import { defineVerb } from '../verb.ts';
import { ownerOfFile, seesFile, visibleTo } from '../visible-to.ts';
import { toWorkspacePath } from '../workspace-files.ts';
import { describeWrite } from '../commit-or-propose.ts';

const input = z.strictObject({
  path: z.string().min(1).max(1000).describe('The file, such as MEMORY.md.'),
  text: z.string().describe('The whole new text.'),
  baseHash: z.string().max(64).nullable().describe('The hash that `files read` gave; null for a file that is new.'),
  base: z.string().optional().describe('The text it was made from: then a conflict comes with both sides merged.'),
  summary: z.string().trim().min(1).max(500).optional().describe('What the change is about.'),
});

export type SaveFileInput = z.input<typeof input>;

export interface SavedFile {
  readonly path: string;
  readonly hash: string;
  /** As it was written: secrets are taken out, marks of who wrote it are put in. */
  readonly text: string;
  /** null when the file was that way already. */
  readonly mutation: string | null;
  readonly redacted: readonly string[];
  readonly warnings: readonly string[];
}

/** Both sides of a save that came too late. */
export interface SaveConflict {
  readonly path: string;
  readonly current: { readonly text: string; readonly hash: string } | null;
  readonly yours: string;
  /** Both sides in one text; null without `base`. */
  readonly merged: string | null;
  readonly conflicts: number;
}

/** The file changed between reading and saving; carries what an editor needs to show both versions. */
export class SaveConflictError extends MnemeError {
  readonly details: SaveConflict;

  constructor(details: SaveConflict) {
    const { path, current } = details;
    const what =
      current === null ? `${path} is not there (any more).` : `${path} was changed by somebody else meanwhile.`;
    super('conflict', what, { hint: 'Look at both versions, then save again with the hash of the present one.' });
    this.details = details;
  }
}

/** Saves what an editor shows, unless the file is no longer the one it opened. */
export const saveFile = defineVerb({
  name: 'files save',
  summary: 'Replace a file, unless it has changed since it was read.',
  description: 'Replace a file with the text on standard input, unless it has changed since it was read.',
  examples: ['mneme memory files save memory/reference/house.md --hash HASH < house.md'],
  input,
  effect: 'write',
  reach: 'filtered',
  async run(context, given): Promise<SavedFile> {
    const path = toWorkspacePath(context, given.path);
    assertMayChange(context, path);
    await assertMayLearn(context, saveFile.name, given);
    const writer = { actor: context.actor, layout: context.layout, path };
    const edit = (current: string | undefined): string => {
      if ((current === undefined ? null : hash('sha256', current)) !== given.baseHash)
        throw conflictOf(path, given, current);
      return markAgentWords(writer, current, given.text);
    };
    const result = await context.workspace.commit({
      actor: context.actor,
      approval: roleOf(context.actor) === 'human' ? '—' : 'auto',
      summary: given.summary ?? 'edited',
      changes: [{ path, edit }],
    });
    const { mutation, redacted, warnings } = describeWrite(result);
    const text = result.files.find((file) => file.path === path)?.text ?? given.text;
    return { path, hash: hash('sha256', text), text, mutation, redacted, warnings };
  },
  http: { method: 'PUT' },
  library: { args: [] },
  cli: {
    path: 'memory files save',
    formerly: ['files save'],
    args: ['path'],
    options: { text: false, base: false, baseHash: { flag: 'hash', value: 'hash', isRequired: false } },
    prepare: async ({ input: { path = '', baseHash = null, summary } }, terminal) => ({
      path,
      text: await terminal.readInput(),
      baseHash,
      summary,
    }),
    notes: ({ warnings }) => warnings,
  },
  render: async (view, saved) => (await import('./render.ts')).renderSaved(view, saved),
});

function assertMayChange(context: OperationContext, path: string): void {
  if (!seesFile(context, path)) throw new MnemeError('not-found', `There is no ${path} in the workspace.`);
  visibleTo(context).enterToWrite(ownerOfFile(context, path));
}

function conflictOf(path: string, given: z.output<typeof input>, current: string | undefined): SaveConflictError {
  const merged =
    given.base === undefined || current === undefined
      ? undefined
      : mergeTexts(path, { base: given.base, ours: given.text, theirs: current });
  return new SaveConflictError({
    path,
    current: current === undefined ? null : { text: current, hash: hash('sha256', current) },
    yours: given.text,
    merged: merged?.text ?? null,
    conflicts: merged?.conflicts.length ?? 0,
  });
}
