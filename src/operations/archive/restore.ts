import path from 'node:path';
import { z } from 'zod';
import { type ArchivedFile, indexChanges, listArchive } from '../../memory/archive/list-archive.ts';
import { planRestore, type ArchivedText, type Restored } from '../../memory/archive/plan-restore.ts';
import { FORGOTTEN_TURNS_FILE, planShownTurns } from '../../memory/forgotten-turns.ts';
import { MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { packedName, unpack } from '../../workspace/packed.ts';
import { commitOrPropose, describeWrite } from '../commit-or-propose.ts';
import type { OperationContext } from '../context.ts';
import type { View } from '../command-line/style.ts';
import { defineVerb } from '../verb.ts';
import { reinforce } from '../decay/reinforce.ts';

const input = z.object({
  ids: z
    .array(z.string().trim().min(1))
    .min(1)
    .max(200)
    .describe('What to bring back: the id of an item, the file it was, or its file in the archive.'),
});

export type ArchiveRestoreInput = z.input<typeof input>;

export interface ArchiveRestored {
  readonly restored: readonly Restored[];
  readonly mutation: string | null;
  readonly warnings: readonly string[];
}

export const archiveRestore = defineVerb({
  name: 'archive restore',
  summary: 'Put something archived back where it was.',
  examples: ['mneme archive restore cx4dvmpdp8nm2'],
  input,
  args: ['ids...'],
  effect: 'write',
  withoutLease: 'proposes',
  async run(context, { ids }): Promise<ArchiveRestored> {
    const { workspace, actor } = context;
    const { files } = listArchive(nodeFileSystem, workspace.root);
    const wanted = [...new Set(ids.map((id) => getArchived(files, id)))];
    const plan = planRestore(wanted.map((file) => textOf(context, file)));
    const gone = new Set(wanted.map((file) => file.path));
    const result = await commitOrPropose(context, {
      actor,
      approval: roleOf(actor) === 'human' ? '—' : 'auto',
      trigger: 'archive restore',
      action: 'EDIT',
      summary: `restored ${wanted.length === 1 ? 'a memory' : `${wanted.length} memories`} from the archive`,
      changes: [
        ...plan.changes,
        ...(nodeFileSystem.exists(path.join(workspace.root, FORGOTTEN_TURNS_FILE)) ? [planShownTurns([...gone])] : []),
        ...indexChanges(
          files.filter((file) => !gone.has(file.path)),
          wanted,
        ),
      ],
    });
    const { mutation, files: written, warnings } = describeWrite(result);
    // Another machine writes: it waits as a proposal.
    if (written.length === 0) return { restored: [], mutation, warnings };
    // A restore counts as a use; otherwise the next nightly job would propose to archive the memory again.
    reinforce(
      context,
      'reference',
      wanted.map(({ item, from }) => item ?? from),
    );
    return { restored: plan.outcome(), mutation, warnings };
  },
  render,
});

/** By what a person would call it: the last one archived, where there are several of a name. */
function getArchived(files: readonly ArchivedFile[], given: string): ArchivedFile {
  const id = given
    .replace(/^\^/u, '')
    .replace(/^workspace\//u, '')
    .replace(/\.gz$/iu, '');
  const found =
    files.find((file) => file.path === id) ??
    files.find((file) => file.item === id) ??
    files.find((file) => file.item === undefined && (file.from === id || path.posix.basename(file.from, '.md') === id));
  if (found !== undefined) return found;
  throw new MnemeError('not-found', `The archive has no ${given}.`, {
    hint: '`mneme archive list` shows what it has, `mneme archive search` finds it by its words.',
  });
}

function textOf({ workspace }: OperationContext, file: ArchivedFile): ArchivedText {
  const name = file.packed ? packedName(file.path) : file.path;
  const bytes = nodeFileSystem.read(path.join(workspace.root, name));
  if (bytes === undefined) throw new MnemeError('conflict', `${name} is not in the archive any more.`);
  if (!file.packed) return { path: file.path, text: bytes.toString('utf8') };
  return { path: file.path, text: unpack(bytes, name).toString('utf8'), packed: { path: name, bytes } };
}

function render({ style }: View, { restored, mutation, warnings }: ArchiveRestored): string {
  const lines = [
    ...restored.map(({ item, to }) => `${style.green('Restored')} ${item === undefined ? to : `${item} to ${to}`}`),
    ...warnings.map((warning) => `${style.yellow('note')} ${warning}`),
    style.dim(`undo: mneme rollback ${mutation ?? ''}`),
  ];
  return `${lines.join('\n')}\n`;
}
