import { z } from 'zod';
import { OutsideLines } from './briefing/outside-lines.ts';
import { trustAsTold } from '../compile/told-trust.ts';
import { damaged, type FoundReceipt } from '../compile/receipt-store.ts';
import type { Silence } from '../compile/silence.ts';
import { fadingOf } from '../memory/decay/fading.ts';
import { MnemeError } from '../model/errors.ts';
import { isScope, scopeCanSee, type Scope, type Source, type Store, type Trust } from '../model/provenance.ts';
import { scanFiles } from '../retrieve/settings.ts';
import type { StoredPassage } from '../search-index/port.ts';
import { proposalsAgainst, type ContradictingProposal } from './proposals/find.ts';
import { asSeen, openReceipts } from './briefing.ts';
import { readSilence } from './briefing/receipt-texts.ts';
import type { OperationContext } from './context.ts';
import { explainFading, type FadingExplained } from './decay/explain.ts';
import { blame } from './history/blame.ts';
import { runOperation } from './operation.ts';
import { defineVerb } from './verb.ts';
import { seesPrompt, visibleTo } from './visible-to.ts';

const input = z.strictObject({
  id: z.string().trim().min(1).optional().describe('An item (7k2m9x0q4t1za), a turn (SESSION#t12) or a file.'),
  session: z.string().trim().min(1).optional().describe('Only what was injected into this conversation.'),
  scope: z
    .string()
    .refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME')
    .default('shared')
    .describe('Besides what is shared, what belongs to this scope.'),
});

export type WhyInput = z.input<typeof input>;

/** The context last injected for an agent. */
export interface LastTold {
  readonly told: FoundReceipt;
  /** Why no memory was added, and which came nearest; null when one was. */
  readonly silence: Silence | null;
}

/** Where something remembered comes from, and what became of it. */
export interface Remembered {
  readonly id: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  readonly store: Store;
  readonly scope: Scope;
  readonly type: string;
  readonly time: string | null;
  readonly trust: Trust;
  readonly provenance: {
    readonly source: Source;
    readonly session: string | null;
    readonly turn: string | null;
    readonly mutation: string | null;
    readonly actor: string | null;
    readonly writtenAt: string | null;
    readonly summary: string | null;
  };
  /** The degree to which it has faded, and why. */
  readonly fading: FadingExplained;
  /** Answers it was part of, the latest first. */
  readonly listed: readonly { readonly time: string; readonly query: string; readonly score: number }[];
  /** Prompts it was looked at for, the latest first. */
  readonly prompted: readonly {
    readonly time: string;
    readonly receipt: string;
    readonly message: string;
    readonly included: boolean;
    readonly reason: string;
  }[];
  /** Proposals that wait and say otherwise. */
  readonly contradictedBy: readonly ContradictingProposal[];
}

export type WhyResult = LastTold | { readonly remembered: Remembered };

const MAX_LISTED = 5;
/** Receipts that are looked through for an item. */
const MAX_RECEIPTS_READ = 300;

export const why = defineVerb({
  name: 'why',
  summary: 'Show what an agent was just told, and why; or where a memory comes from.',
  description:
    'Show what an agent was just told, and why; with an id, where that memory comes from and when it was used.',
  examples: ['mneme why', 'mneme why 7k2m9x0q4t1za'],
  input,
  args: ['id'],
  effect: 'read',
  async run(context, { id, session, scope }): Promise<WhyResult> {
    if (id === undefined) {
      const told = lastTold(context, session, scope);
      const receipt = asSeen(context, told.receipt);
      return { told: { ...told, receipt }, silence: await readSilence(context, told) };
    }
    const passages = await findPassages(context, normalId(id), scope);
    const [first] = passages;
    if (first === undefined) {
      throw new MnemeError('not-found', `Nothing remembered has the id ${id}.`, {
        hint: 'Ids stand in the hits of `mneme recall --json` and in `mneme context --explain`.',
      });
    }
    return { remembered: await explain(context, scope, first, passages) };
  },
  cli: { section: 'everyday', options: { session: { value: 'id' }, scope: { value: 'scope' } } },
  render: async (view, result) => (await import('./briefing/render-receipt.ts')).renderWhy(view, result),
});

function lastTold(context: OperationContext, session: string | undefined, scope: Scope): FoundReceipt {
  const receipts = openReceipts(context);
  const unreadable = session === undefined && visibleTo(context).seesHome ? receipts.findDamagedLast() : undefined;
  if (unreadable !== undefined) throw damaged(unreadable);
  let project: Scope | undefined;
  for (const found of receipts.list()) {
    const { session: toldIn, asked } = found.receipt;
    if (session !== undefined && toldIn !== session) continue;
    if (!seesPrompt(context, askedIn(found.receipt))) continue;
    if (asked === undefined || asked.scope === 'shared' || asked.scope === scope) return found;
    // A folder's name is no secret among those who work here; a person's scope may be one.
    if (asked.scope.startsWith('project:')) project ??= asked.scope as Scope;
  }
  const where = session === undefined ? '' : ` in ${session}`;
  if (project !== undefined) {
    throw new MnemeError('not-found', `Nothing was told${where} outside of a project.`, {
      hint: `See the last in a project: \`mneme why --scope ${project}${session === undefined ? '' : ` --session ${session}`}\`.`,
    });
  }
  throw new MnemeError(
    'not-found',
    session === undefined ? 'No agent was told anything yet.' : `Nothing was told${where}.`,
    {
      hint: 'Every `mneme context`, by hand or from a hook, leaves a receipt; what was told in a scope is shown with --scope.',
    },
  );
}

/** As people and receipts write it: `^anchor`, or a section of a file. */
function normalId(id: string): string {
  return id.replace(/^\^/u, '').replace(/(?<=\.md)#.*$/iu, '');
}

export async function findPassages(
  { homeIndex, chunkContext }: OperationContext,
  id: string,
  scope: Scope,
): Promise<readonly StoredPassage[]> {
  const { index } = await homeIndex.prepare();
  const searched = index ?? (await scanFiles(homeIndex.files, chunkContext));
  const view = await searched.view({ scopes: ['shared', scope], withArchived: true });
  return view.read(await view.findItem(id));
}

async function explain(
  context: OperationContext,
  scope: Scope,
  first: StoredPassage,
  passages: readonly StoredPassage[],
): Promise<Remembered> {
  const { document, source, session, turn, type, timeMs } = first;
  const endLine = Math.max(...passages.map((passage) => passage.endLine));
  const { homeIndex, layout } = context;
  const outside = new OutsideLines(context);
  const readFile = async (path: string): Promise<string | undefined> => {
    const text = homeIndex.files.read({ source: 'workspace', path })?.text;
    return text === undefined ? undefined : outside.mark(path, text);
  };
  return {
    id: first.id,
    path: document.path,
    startLine: first.startLine,
    endLine,
    text: passages.map(({ text }) => text).join('\n'),
    store: document.store,
    scope: document.scope,
    type,
    time: isoOrNull(timeMs),
    trust: await trustAsTold({ ...first, endLine }, { layout, readFile }),
    provenance: { source, session: session ?? null, turn: turn ?? null, ...(await writtenBy(context, first)) },
    fading: fadingHere(context, first),
    listed: listedIn(context, first.id),
    prompted: promptsWith(context, first.id, scope),
    contradictedBy: proposalsAgainst(context, scope).get(first.id) ?? [],
  };
}

/** A query may come from a private scope, which the log does not record. */
function listedIn(context: OperationContext, id: string): Remembered['listed'] {
  if (!visibleTo(context).seesHome) return [];
  return context.access.listingsOf(id, MAX_LISTED).map(({ time, query, hits }) => ({
    time: new Date(time).toISOString(),
    query,
    score: hits.find((hit) => hit.id === id)?.score ?? 0,
  }));
}

type Writing = Pick<Remembered['provenance'], 'mutation' | 'actor' | 'writtenAt' | 'summary'>;
const UNKNOWN: Writing = { mutation: null, actor: null, writtenAt: null, summary: null };

/** Returns the last write of the first line; unknown for transcripts, whose history does not name an actor. */
async function writtenBy(context: OperationContext, { document, startLine }: StoredPassage): Promise<Writing> {
  if (document.source !== 'workspace') return UNKNOWN;
  const { lines } = await runOperation(blame, context, { path: document.path, lines: String(startLine) });
  const [line] = lines;
  return line === undefined
    ? UNKNOWN
    : { mutation: line.mutation, actor: line.actor, writtenAt: line.time, summary: line.summary };
}

function fadingHere(context: OperationContext, passage: StoredPassage): Remembered['fading'] {
  const { access, clock } = context;
  return explainFading(context, fadingOf(passage, access.readUses()), access.fadingNow(clock.now()));
}

function askedIn({ asked }: FoundReceipt['receipt']): Scope | undefined {
  return asked !== undefined && isScope(asked.scope) ? asked.scope : undefined;
}

function promptsWith(context: OperationContext, id: string, scope: Scope): Remembered['prompted'] {
  const found: Remembered['prompted'][number][] = [];
  let read = 0;
  for (const { receipt } of openReceipts(context).list()) {
    read += 1;
    const item = receipt.items.find((candidate) => candidate.id === id);
    if (
      item !== undefined &&
      scopeCanSee(scope, askedIn(receipt) ?? 'shared') &&
      seesPrompt(context, askedIn(receipt))
    ) {
      const { included, reason } = item;
      found.push({ time: receipt.clock, receipt: receipt.id, message: receipt.message, included, reason });
    }
    if (found.length >= MAX_LISTED || read >= MAX_RECEIPTS_READ) break;
  }
  return found;
}

function isoOrNull(timeMs: number | undefined): string | null {
  return timeMs === undefined ? null : new Date(timeMs).toISOString();
}
