import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import { setPinned } from '../../memory/stores/set-pinned.ts';
import { editText } from '../../memory/stores/edit-file.ts';
import { timestamp } from '../../memory/stores/plan.ts';
import { kindOfPath, storeOfPath } from '../../workspace/formats/layout.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { setFrontmatterValue } from '../../workspace/markdown/frontmatter.ts';
import type { OperationContext } from '../context.ts';
import { findItem, looksLikeItemId } from '../find-item.ts';
import { defineOperation } from '../operation.ts';
import { toWorkspacePath } from '../workspace-files.ts';

const input = z.object({
  target: z
    .string()
    .trim()
    .min(1)
    .describe('An item (7k2m9x0q4t1za) or a file (memory/graph/entities/person--alex.md).'),
  off: z.boolean().default(false).describe('Let it go again.'),
});

export type PinInput = z.input<typeof input>;

export interface Pinned {
  readonly target: string;
  readonly path: string;
  readonly pinned: boolean;
  /** null when it was so already. */
  readonly mutation: string | null;
}

/** What is pinned never fades, is never archived and never leaves core memory by a machine's doing. */
export const pin = defineOperation({
  name: 'pin',
  summary: 'Keep an item or a file from ever fading; --off lets it go again.',
  input,
  effect: 'write',
  async run(context, { target, off }): Promise<Pinned> {
    return looksLikeItemId(target) ? pinItem(context, target, !off) : pinFile(context, target, !off);
  },
});

async function pinItem(context: OperationContext, given: string, isPinned: boolean): Promise<Pinned> {
  const { id, path } = await findItem(context, given);
  refuseVault(context, path, isPinned);
  const kind = kindOfPath(path, context.layout);
  const edit = (current: string | undefined): string => {
    const text = current === undefined ? undefined : setPinned(path, current, id, kind, isPinned);
    if (text !== undefined) return text;
    throw new MnemeError('not-found', `${path} no longer has the item ${id}.`, {
      hint: 'It was moved or taken out meanwhile; `mneme log --text` searches the history.',
    });
  };
  return write(context, { target: id, path, isPinned, edit });
}

async function pinFile(context: OperationContext, given: string, isPinned: boolean): Promise<Pinned> {
  const path = toWorkspacePath(context, given);
  refuseVault(context, path, isPinned);
  const edit = (current: string | undefined): string => {
    if (current === undefined) {
      throw new MnemeError('not-found', `There is no ${path}.`, {
        hint: 'An item is named by its id, as `mneme recall --json` shows it.',
      });
    }
    const isAlready = parseDocument(current).frontmatter?.values?.['pinned'] === true;
    if (isAlready === isPinned) return current;
    const now = timestamp({ clock: context.clock });
    return editText(path, current, now, (document) => setFrontmatterValue(document, 'pinned', isPinned));
  };
  return write(context, { target: path, path, isPinned, edit });
}

/** What lies in the vault is pinned by lying there. */
function refuseVault(context: OperationContext, path: string, isPinned: boolean): void {
  if (storeOfPath(path, context.layout) !== 'vault') return;
  throw new MnemeError(
    'usage',
    `${path} is in the vault: ${isPinned ? 'it is pinned by being there' : 'it is always pinned'}.`,
    {
      hint: isPinned ? 'There is nothing to do.' : 'Move the file out of memory/vault/ by hand to let it fade.',
    },
  );
}

interface Write {
  readonly target: string;
  readonly path: string;
  readonly isPinned: boolean;
  readonly edit: (current: string | undefined) => string;
}

async function write(context: OperationContext, { target, path, isPinned, edit }: Write): Promise<Pinned> {
  const { mutation } = await context.workspace.commit({
    changes: [{ path, edit }],
    actor: context.actor,
    approval: roleOf(context.actor) === 'human' ? '—' : 'auto',
    summary: `${isPinned ? 'pinned' : 'unpinned'} ${target === path ? 'the file' : target}`,
  });
  return { target, path, pinned: isPinned, mutation: mutation ?? null };
}
