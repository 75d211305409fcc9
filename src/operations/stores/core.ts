import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import { lowestTrust, type Trust } from '../../model/provenance.ts';
import { localTime } from '../../model/time.ts';
import { trustOfBlocks } from '../../compile/attribute.ts';
import { CORE_FILE, coreBullets, removeBullet, type CoreBullet } from '../../memory/stores/core-bullets.ts';
import type { ItemMetadata } from '../../model/schemas/item.ts';
import { Core, type CoreChanged, type MovedBullet } from '../../memory/stores/core.ts';
import { Episodes } from '../../memory/stores/episodes.ts';
import { itemDefaults } from '../../workspace/formats/defaults.ts';
import { CORE_BLOCKS, coreBlockNamed, coreUsage, type CoreBlockName } from '../../workspace/formats/core.ts';
import { renderItem } from '../../workspace/formats/item.ts';
import { type MarkdownDocument, parseDocument, serializeDocument } from '../../workspace/markdown/document.ts';
import { locateBlocks } from '../../workspace/formats/sections.ts';
import { blockLineRanges } from '../../workspace/markdown/blocks.ts';
import { replaceBlock } from '../../workspace/markdown/edit.ts';
import { commitOrPropose } from '../commit-or-propose.ts';
import type { OperationContext } from '../context.ts';
import { blame } from '../history/blame.ts';
import { runOperation } from '../operation.ts';
import { callInstead, defineVerb } from '../verb.ts';
import { hideForeignItems, visibleTo } from '../visible-to.ts';
import { readWorkspaceText } from '../workspace-files.ts';
import { oneLine } from '../../model/text.ts';

const BLOCK_NAMES = CORE_BLOCKS.map(({ name }) => name) as [CoreBlockName, ...CoreBlockName[]];

export interface ShownBullet {
  readonly id: string;
  readonly text: string;
  readonly pinned: boolean;
  readonly trust: string;
  readonly source: string;
  /** Written by an edit outside the write path that no person has acknowledged yet. */
  readonly unacknowledged?: true | undefined;
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

export const coreShow = defineVerb({
  name: 'core show',
  summary: 'Show core memory: what is always in context, and how full it is.',
  description: 'Show the four blocks of core memory with the ids of their lines, and how full they are.',
  input: z.object({}),
  effect: 'read',
  reach: 'shared',
  async run(context): Promise<ShownCore> {
    const document = parseDocument(hideForeignItems(visibleTo(context), await readWorkspaceText(context, CORE_FILE)));
    const { tokens, lines, share, blocks } = coreUsage(document, context.config.core);
    const bullets = coreBullets(document);
    const trusts = trustsAsTold(document);
    const external = await findUnacknowledged(context, document);
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
        bullets: bullets
          .filter((each) => each.block === name)
          .map((bullet) => show(bullet, trusts[bullet.index] ?? 'user', external.has(bullet.index))),
      })),
    };
  },
  cli: { isDefault: true },
  render: async (view, core) => (await import('./render.ts')).renderCore(view, core),
});

function capsOf({ config }: OperationContext): { readonly max_tokens: number; readonly max_lines: number } {
  return { max_tokens: config.core.max_tokens, max_lines: config.core.max_lines };
}

/** The trust of each line, as stated in prompts: a line without an author counts as the user's. */
function trustsAsTold(document: MarkdownDocument): Trust[] {
  return trustOfBlocks(locateBlocks(document), itemDefaults('memory', document.frontmatter?.values));
}

/** The blocks written by an edit outside the write path, until a person acknowledges it. */
async function findUnacknowledged(context: OperationContext, document: MarkdownDocument): Promise<ReadonlySet<number>> {
  const edits = await context.alerts.pendingExternalEdits();
  if (!edits.some(({ path }) => path === CORE_FILE)) return new Set();
  const { lines } = await runOperation(blame, context, { path: CORE_FILE });
  const external = new Set(lines.filter(({ actor }) => actor === 'external').map(({ line }) => line));
  const found = blockLineRanges(document).flatMap(({ startLine }, index) => (external.has(startLine) ? [index] : []));
  return new Set(found);
}

function show({ id, text, isPinned, meta }: CoreBullet, trust: Trust, isExternal: boolean): ShownBullet {
  return {
    id,
    text,
    pinned: isPinned,
    trust,
    source: meta.source,
    ...(isExternal ? { unacknowledged: true } : {}),
  };
}

const addInput = z.object({
  text: z.string().trim().min(1, 'there is nothing to add').describe('The line to add.'),
  block: z.enum(BLOCK_NAMES).default('Critical Facts').describe('Block it is added to.'),
  pinned: z.boolean().default(false).describe('Pin it: it never makes room for another line.'),
  session: z.string().optional().describe('Session it comes from.'),
});

export interface CoreAdded {
  readonly outcome: CoreChanged['outcome'];
  readonly id: string;
  readonly mutation: string | null;
  /** The bullets that had to make room, and their present location. */
  readonly moved: readonly MovedBullet[];
  readonly warnings: readonly string[];
}

export const coreAdd = defineVerb({
  name: 'core add',
  summary: 'Add a line to core memory; what matters least makes room.',
  description:
    'Add a line to core memory. For an agent, what matters least makes room and moves to its store; a person is warned.',
  examples: ['mneme core add --block Identity "Allergic to penicillin"'],
  input: addInput,
  args: ['text...'],
  effect: 'write',
  withoutLease: 'proposes',
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
    const plan = new Core(parts, new Episodes(parts), context.config.core).planBullet(
      { block, text, meta },
      { whenFull: isHuman ? 'keep' : 'move' },
    );
    const { mutation, warnings } = await commit(context, plan.changes, `core: "${oneLine(text).slice(0, 60)}"`);
    const { outcome, id, moved } = plan.outcome();
    return { outcome, id, mutation: mutation ?? null, moved, warnings };
  },
  cli: {
    options: {
      block: { parse: (typed) => coreBlockNamed(String(typed)) },
      pinned: { flag: 'pin' },
      session: false,
    },
    notes: ({ warnings }) => warnings,
  },
  render: async (view, added) => (await import('./render.ts')).renderCoreAdded(view, added),
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
  /** Where the line is the user's and a machine wants it otherwise: what waits for the user. */
  readonly proposal: string | null;
  readonly warnings: readonly string[];
}

export const coreEdit = defineVerb({
  name: 'core edit',
  summary: 'Change a line of core memory.',
  description: 'Change the line of core memory with this id; without an id, open MEMORY.md in your editor.',
  examples: ['mneme core edit 7k2m9x0q4t1za "Drinks oolong"', 'mneme core edit'],
  input: changeInput,
  args: ['id', 'text...'],
  effect: 'write',
  withoutLease: 'proposes',
  async run(context, { id, text }): Promise<CoreEdited> {
    const wanted = id.replace(/^\^/u, '');
    let before = '';
    const change = (current: string | undefined, mayChangeUsers: boolean): string => {
      const document = parseDocument(current ?? '');
      const bullet = coreBullets(document).find((each) => each.id === wanted);
      if (bullet === undefined) throw notThere(wanted);
      refusePinned(context, bullet);
      before = bullet.text;
      const trust = trustsAsTold(document)[bullet.index] ?? 'user';
      if (trust === 'user' && !mayChangeUsers) throw usersLine(wanted);
      const after =
        text === undefined ? removeBullet(document, bullet) : reword(context, document, { bullet, trust }, text);
      return serializeDocument(after);
    };
    const isHuman = roleOf(context.actor) === 'human';
    const edit = (current: string | undefined): string => change(current, isHuman);
    const summary = text === undefined ? 'core: a line taken out' : `core: "${oneLine(text).slice(0, 60)}"`;
    if (!isHuman) {
      const current = await readWorkspaceText(context, CORE_FILE);
      const document = parseDocument(current);
      const bullet = coreBullets(document).find((each) => each.id === wanted);
      if (bullet !== undefined && (trustsAsTold(document)[bullet.index] ?? 'user') === 'user') {
        const filed = await proposeChange(context, bullet, change(current, true), summary);
        return { id: wanted, before, after: text ?? null, ...filed };
      }
    }
    const { mutation, warnings } = await commit(context, [{ path: CORE_FILE, edit }], summary);
    return { id: wanted, mutation: mutation ?? null, before, after: text ?? null, proposal: null, warnings };
  },
  cli: {
    options: { id: { isRequired: false } },
    async instead({ input: { id } }) {
      if (id !== undefined) return undefined;
      const { edit } = await import('../edit.ts');
      return callInstead(edit, { path: CORE_FILE, summary: 'core edited' });
    },
    prepare({ input: { id = '', text } }) {
      if (text !== undefined) return { id, text };
      throw new MnemeError('usage', `core edit of ${id}: there is no text.`, {
        hint: `mneme core edit ${id} "the new words"; to take it out: mneme core remove ${id}`,
      });
    },
    notes: ({ warnings }) => warnings,
  },
  render: async (view, edited) => (await import('./render.ts')).renderCoreEdited(view, edited),
});

export const coreRemove = defineVerb({
  name: 'core remove',
  summary: 'Take a line out of core memory.',
  input: changeInput.pick({ id: true }),
  args: ['id'],
  effect: 'write',
  withoutLease: 'proposes',
  run: (context, { id }): Promise<CoreEdited> => coreEdit.run(context, { id }),
  // Over HTTP it is `core edit` without a text.
  http: false,
  cli: { notes: ({ warnings }) => warnings },
  render: async (view, edited) => (await import('./render.ts')).renderCoreEdited(view, edited),
});

/** A machine only suggests what should become of a line of the user's. */
async function proposeChange(
  { proposals, actor }: OperationContext,
  { id, text }: CoreBullet,
  after: string,
  summary: string,
): Promise<Pick<CoreEdited, 'mutation' | 'proposal' | 'warnings'>> {
  const proposed = await proposals.propose({
    kind: 'memory',
    title: summary,
    why: `${actor} wants a line of the user's otherwise: "${text}".`,
    evidence: [`${CORE_FILE} ^${id}`],
    actor,
    trust: 'agent',
    trigger: 'core edit',
    changes: [{ path: CORE_FILE, after }],
  });
  const notes = {
    filed: [],
    applied: ['It was approved at once.'],
    'already-open': ['The same is waiting already.'],
    'rejected-before': ['The same was rejected before; a person has to do it.'],
  }[proposed.outcome];
  return { mutation: proposed.mutation ?? null, proposal: proposed.id, warnings: [...notes, ...proposed.warnings] };
}

/** Its id and what it says about itself stay; whoever rewords it is whom it now comes from. */
function reword(
  { actor, clock, config }: OperationContext,
  document: MarkdownDocument,
  { bullet, trust }: { readonly bullet: CoreBullet; readonly trust: Trust },
  text: string,
): MarkdownDocument {
  const defaults = itemDefaults('memory', document.frontmatter?.values);
  const isHuman = roleOf(actor) === 'human';
  const meta: ItemMetadata = {
    ...bullet.meta,
    source: isHuman ? 'user-explicit' : 'conversation',
    trust: isHuman ? 'user' : lowestTrust([trust, 'agent']),
    // A line that says nothing of itself counts as the user's.
    ...(isHuman ? {} : { learned: localTime(clock.now(), config.time_zone).date }),
  };
  return replaceBlock(document, bullet.index, renderItem({ id: bullet.id, text: oneLine(text), meta }, defaults));
}

function usersLine(id: string): MnemeError {
  return new MnemeError('conflict', `The line ${id} became the user's meanwhile.`, {
    hint: 'Repeat the command: it then becomes a proposal.',
  });
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
  return commitOrPropose(context, {
    changes,
    summary,
    actor: context.actor,
    approval: roleOf(context.actor) === 'human' ? '—' : 'auto',
  });
}
