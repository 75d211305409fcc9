import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import { CORE_FILE, coreBullets, removeBullet, type CoreBullet } from '../../memory/stores/core-bullets.ts';
import { Core, type CoreChanged, type MovedBullet } from '../../memory/stores/core.ts';
import { Episodes } from '../../memory/stores/episodes.ts';
import { itemDefaults } from '../../workspace/formats/defaults.ts';
import { CORE_BLOCKS, coreUsage, type CoreBlockName } from '../../workspace/formats/core.ts';
import { oneLine, renderItem } from '../../workspace/formats/item.ts';
import { parseDocument, serializeDocument } from '../../workspace/markdown/document.ts';
import { replaceBlock } from '../../workspace/markdown/edit.ts';
import type { MarkdownDocument } from '../../workspace/markdown/types.ts';
import type { OperationContext } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { readWorkspaceText } from '../workspace-files.ts';

const BLOCK_NAMES = CORE_BLOCKS.map(({ name }) => name) as [CoreBlockName, ...CoreBlockName[]];

export interface ShownBullet {
  readonly id: string;
  readonly text: string;
  readonly pinned: boolean;
  readonly trust: string;
  readonly source: string;
}

export interface ShownBlock {
  readonly name: CoreBlockName;
  readonly tokens: number;
  readonly maxTokens: number;
  readonly bullets: readonly ShownBullet[];
}

export interface ShownCore {
  readonly path: string;
  readonly tokens: number;
  readonly maxTokens: number;
  readonly lines: number;
  readonly maxLines: number;
  /** Of the tighter of the two caps. */
  readonly share: number;
  readonly blocks: readonly ShownBlock[];
}

export const coreShow = defineOperation({
  name: 'core show',
  summary: 'Core memory: what is always in context, and how full it is.',
  input: z.object({}),
  effect: 'read',
  async run(context): Promise<ShownCore> {
    const document = parseDocument(await readWorkspaceText(context, CORE_FILE));
    const { tokens, lines, share, blocks } = coreUsage(document);
    const bullets = coreBullets(document);
    const { max_tokens: maxTokens, max_lines: maxLines } = capsOf(context);
    return {
      path: CORE_FILE,
      tokens,
      maxTokens,
      lines,
      maxLines,
      share: Math.round(share * 1000) / 1000,
      blocks: blocks.map(({ name, tokens: used, maxTokens: most }) => ({
        name,
        tokens: used,
        maxTokens: most,
        bullets: bullets.filter((each) => each.block === name).map(show),
      })),
    };
  },
});

function capsOf({ config }: OperationContext): { readonly max_tokens: number; readonly max_lines: number } {
  return { max_tokens: config.core.max_tokens, max_lines: config.core.max_lines };
}

function show({ id, text, isPinned, meta }: CoreBullet): ShownBullet {
  return { id, text, pinned: isPinned, trust: meta.trust, source: meta.source };
}

const addInput = z.object({
  text: z.string().trim().min(1, 'there is nothing to add').describe('One line.'),
  block: z.enum(BLOCK_NAMES).default('Critical Facts').describe('Which of the four blocks.'),
  pinned: z.boolean().default(false).describe('It never makes room for another.'),
  session: z.string().optional(),
});

export interface CoreAdded {
  readonly outcome: CoreChanged['outcome'];
  readonly id: string;
  readonly mutation: string | null;
  /** What had to make room, and where it is now. */
  readonly moved: readonly MovedBullet[];
  readonly warnings: readonly string[];
}

export const coreAdd = defineOperation({
  name: 'core add',
  summary: 'Add a line to core memory; what matters least makes room.',
  input: addInput,
  effect: 'write',
  async run(context, { text, block, pinned, session }): Promise<CoreAdded> {
    const isHuman = roleOf(context.actor) === 'human';
    const parts = {
      root: context.workspace.root,
      clock: context.clock,
      random: context.random,
      timeZone: context.config.time_zone,
    };
    const meta = {
      source: isHuman ? 'user-explicit' : 'conversation',
      trust: isHuman ? 'user' : 'agent',
      ...(pinned ? { pinned } : {}),
      ...(session === undefined ? {} : { session }),
    } as const;
    const plan = new Core(parts, new Episodes(parts)).planBullet(
      { block, text, meta },
      { whenFull: isHuman ? 'keep' : 'move' },
    );
    const { mutation, warnings } = await commit(context, plan.changes, `core: "${oneLine(text).slice(0, 60)}"`);
    const { outcome, id, moved } = plan.outcome();
    return { outcome, id, mutation: mutation ?? null, moved, warnings };
  },
});

const changeInput = z.object({
  id: z.string().trim().min(1).describe('The line, by its id as `mneme core show` has it.'),
  text: z.string().trim().min(1).optional().describe('What it should say; left out, the line is taken out.'),
});

export interface CoreEdited {
  readonly id: string;
  readonly mutation: string | null;
  readonly before: string;
  readonly after: string | null;
  readonly warnings: readonly string[];
}

export const coreEdit = defineOperation({
  name: 'core edit',
  summary: 'Change a line of core memory, or take it out.',
  input: changeInput,
  effect: 'write',
  async run(context, { id, text }): Promise<CoreEdited> {
    const wanted = id.replace(/^\^/u, '');
    let before = '';
    const edit = (current: string | undefined): string => {
      const document = parseDocument(current ?? '');
      const bullet = coreBullets(document).find((each) => each.id === wanted);
      if (bullet === undefined) throw notThere(wanted);
      refusePinned(context, bullet);
      before = bullet.text;
      return serializeDocument(text === undefined ? removeBullet(document, bullet) : reword(document, bullet, text));
    };
    const summary = text === undefined ? 'core: a line taken out' : `core: "${oneLine(text).slice(0, 60)}"`;
    const { mutation, warnings } = await commit(context, [{ path: CORE_FILE, edit }], summary);
    return { id: wanted, mutation: mutation ?? null, before, after: text ?? null, warnings };
  },
});

/** Its id and what it says about itself stay; whoever rewords it is whom it now comes from. */
function reword(document: MarkdownDocument, bullet: CoreBullet, text: string): MarkdownDocument {
  const defaults = itemDefaults('memory', document.frontmatter?.values);
  return replaceBlock(
    document,
    bullet.index,
    renderItem({ id: bullet.id, text: oneLine(text), meta: bullet.meta }, defaults),
  );
}

function refusePinned({ actor }: OperationContext, { isPinned, id }: CoreBullet): void {
  if (!isPinned || roleOf(actor) === 'human') return;
  throw new MnemeError('refused', `The line ${id} is pinned: only a person changes it.`, {
    hint: 'Propose the change (`mneme proposals add`), or ask for it.',
  });
}

function notThere(id: string): MnemeError {
  return new MnemeError('not-found', `Core memory has no line ${id}.`, { hint: '`mneme core show` lists them.' });
}

type Changes = Parameters<OperationContext['workspace']['commit']>[0]['changes'];

function commit(context: OperationContext, changes: Changes, summary: string) {
  return context.workspace.commit({
    changes,
    summary,
    actor: context.actor,
    approval: roleOf(context.actor) === 'human' ? '—' : 'auto',
  });
}
