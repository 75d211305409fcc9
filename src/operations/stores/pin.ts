import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import { trustOfBlocks } from '../../compile/attribute.ts';
import { locateMemory } from '../../memory/archive/locate.ts';
import { editText, setPinned, timestamp } from '../../memory/stores/plan.ts';
import { itemDefaults } from '../../workspace/formats/defaults.ts';
import { parseEpisodes } from '../../workspace/formats/episode.ts';
import { kindOfPath, storeOfPath, type FileKind } from '../../workspace/formats/layout.ts';
import { locateBlocks } from '../../workspace/formats/sections.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { setFrontmatterValue } from '../../workspace/markdown/frontmatter.ts';
import { commitOrPropose } from '../commit-or-propose.ts';
import type { OperationContext } from '../context.ts';
import { findItem, looksLikeItemId } from '../find-item.ts';
import { defineVerb } from '../verb.ts';
import { toWorkspacePath } from '../workspace-files.ts';

const input = z.object({
  target: z
    .string()
    .trim()
    .min(1)
    .describe('An item (7k2m9x0q4t1za) or a file (memory/graph/entities/person--alex.md).'),
  off: z.boolean().default(false).describe('Unpin it.'),
});

export type PinInput = z.input<typeof input>;

export interface Pinned {
  readonly target: string;
  readonly path: string;
  readonly pinned: boolean;
  /** null when it was so already. */
  readonly mutation: string | null;
  readonly warnings: readonly string[];
}

/** Pinned memories never fade, are never archived and never leave core memory automatically. */
export const pin = defineVerb({
  name: 'pin',
  summary: 'Keep an item or a file from ever fading; --off lets it go again.',
  description: 'Pin an item by its id, or a whole file by its path: it never fades and is never archived.',
  examples: ['mneme memory pin 7k2m9x0q4t1za', 'mneme memory pin memory/reference/house.md --off'],
  input,
  effect: 'write',
  withoutLease: 'proposes',
  async run(context, { target, off }): Promise<Pinned> {
    return looksLikeItemId(target) ? pinItem(context, target, !off) : pinFile(context, target, !off);
  },
  library: { args: [] },
  cli: { path: 'memory pin', formerly: ['pin'], args: ['target'] },
  render: async (view, pinned) => (await import('./render.ts')).renderPinned(view, pinned),
});

export const corePin = defineVerb({
  name: 'core pin',
  summary: 'Keep a line in core memory; --off lets it go again.',
  input: z.object({
    id: z.string().trim().min(1).describe('The line, by its id as `mneme core show` has it.'),
    off: input.shape.off,
  }),
  args: ['id'],
  effect: 'write',
  withoutLease: 'proposes',
  run: (context, { id, off }): Promise<Pinned> => pin.run(context, { target: id, off }),
  // Over HTTP it is `pin`.
  http: false,
  render: async (view, pinned) => (await import('./render.ts')).renderPinned(view, pinned),
});

async function pinItem(context: OperationContext, given: string, isPinned: boolean): Promise<Pinned> {
  const { id, path } = await findItem(context, given);
  refuseVault(context, path, isPinned);
  const kind = kindOfPath(path, context.layout);
  refuseUnpinning(context, id, isPinned);
  const edit = (current: string | undefined): string => {
    if (current !== undefined) refuseUsers(context, { path, id, kind }, current);
    const text = current === undefined ? undefined : setPinned(path, current, id, kind, isPinned);
    if (text !== undefined) return text;
    throw new MnemeError('not-found', `${path} no longer has the item ${id}.`, {
      hint: 'It was moved or taken out meanwhile; `mneme history log --text` searches the history.',
    });
  };
  return write(context, { target: id, path, isPinned, edit });
}

async function pinFile(context: OperationContext, given: string, isPinned: boolean): Promise<Pinned> {
  const path = toWorkspacePath(context, given);
  refuseVault(context, path, isPinned);
  refuseUnpinning(context, path, isPinned);
  if (roleOf(context.actor) !== 'human') {
    throw new MnemeError('refused', `${path}: only a person pins a whole file.`, {
      hint: 'Pin what you wrote yourself, by its id, or ask for it.',
    });
  }
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

/** Everything in the vault is pinned by its location. */
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

function refuseUnpinning({ actor }: OperationContext, target: string, isPinned: boolean): void {
  if (isPinned || roleOf(actor) === 'human') return;
  throw new MnemeError('refused', `${target}: only a person lets go of what is pinned.`, {
    hint: 'Ask for it: `mneme memory pin --off` without --as.',
  });
}

/** A machine pins what machines wrote: what of the user's stays is the user's to say. */
function refuseUsers(
  { actor }: OperationContext,
  { path, id, kind }: { readonly path: string; readonly id: string; readonly kind: FileKind },
  text: string,
): void {
  if (roleOf(actor) === 'human') return;
  const memory = locateMemory(path, text, id, kind);
  if (memory === undefined) return;
  const document = parseDocument(text);
  const defaults = itemDefaults(kind, document.frontmatter?.values);
  const blocks = locateBlocks(document);
  const isEntry = document.blocks[memory.range.start]?.kind === 'heading';
  const trust = isEntry
    ? parseEpisodes(document).entries.find(({ startLine }) => startLine === memory.startLine)?.meta.trust
    : trustOfBlocks(blocks, defaults)[memory.range.start];
  if (trust !== 'user') return;
  throw new MnemeError('refused', `${id} is the user's own: only a person pins it.`, {
    hint: 'Ask for it: `mneme memory pin` without --as.',
  });
}

interface Write {
  readonly target: string;
  readonly path: string;
  readonly isPinned: boolean;
  readonly edit: (current: string | undefined) => string;
}

async function write(context: OperationContext, { target, path, isPinned, edit }: Write): Promise<Pinned> {
  const { mutation, warnings } = await commitOrPropose(context, {
    changes: [{ path, edit }],
    actor: context.actor,
    approval: roleOf(context.actor) === 'human' ? '—' : 'auto',
    summary: `${isPinned ? 'pinned' : 'unpinned'} ${target === path ? 'the file' : target}`,
  });
  return { target, path, pinned: isPinned, mutation: mutation ?? null, warnings };
}
