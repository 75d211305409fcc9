import path from 'node:path';
import { z } from 'zod';
import { parseFeedback, planFeedback, VERDICTS, type Feedback, type Verdict } from '../../memory/feedback.ts';
import { type Plan, setPinned } from '../../memory/stores/plan.ts';
import { formsOf, type EntityRecord } from '../../memory/stores/registry/entity-record.ts';
import { MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import { type Scope, isScope } from '../../model/provenance.ts';
import { localTime } from '../../model/time.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { namesIn } from '../../reasoner/heuristic/entities/entities.ts';
import { scanFiles } from '../../retrieve/settings.ts';
import { extractTerms, splitWords } from '../../search-index/text/terms.ts';
import type { StoredPassage } from '../../search-index/port.ts';
import type { Change } from '../../workspace/door/request.ts';
import { FEEDBACK_FILE } from '../../workspace/formats/control-files.ts';
import { kindOfPath } from '../../workspace/formats/layout.ts';
import { openReceipts } from '../briefing.ts';
import { proposeCommit } from '../commit-or-propose.ts';
import type { View } from '../command-line/style.ts';
import type { OperationContext } from '../context.ts';
import { callInstead, defineVerb } from '../verb.ts';
import { seesPrompt } from '../visible-to.ts';
import { findPassages } from '../why.ts';

const SPEAKER = /(?<![\p{L}'])(?:i|we|me|my|us|our|mine|the user)(?!\p{L})/iu;
/** Kinship that a sentence takes for granted: "my sister Vera lives in Graz" states where she lives, not that she is a sister. */
const KIN: ReadonlySet<string> = new Set(['sibling-of', 'parent-of', 'married-to']);

interface Edge {
  readonly from: EntityRecord;
  readonly relation: string;
  readonly plan: Plan<unknown>;
}

/** Ends the edges of the graph that were read from the turn of a statement, between those whom the statement names. */
async function planEndEdges(
  context: OperationContext,
  said: StoredPassage,
  { until, scope }: { readonly until: string; readonly scope: Scope },
): Promise<readonly Plan<unknown>[]> {
  const { session, turn } = said;
  if (session === undefined || turn === undefined) return [];
  const { entities } = await context.parts.stores();
  await context.entities.sync();
  const edges = (await relationsOf(context, session, scope)).flatMap((passage): Edge[] => {
    const from = context.entities.findByPath(passage.document.path);
    if (passage.turn !== turn || from === undefined || passage.id === said.id) return [];
    const edge = entities.read(from).relations.find(({ id, isSuperseded }) => id === passage.id && !isSuperseded);
    const to = edge === undefined ? undefined : context.entities.findById(edge.target);
    if (edge === undefined || !(isNamed(from, said) && (to === undefined || isNamed(to, said)))) return [];
    return [{ from, relation: edge.relation, plan: entities.planSupersede(from, passage.id, { until }) }];
  });
  const stated = edges.filter(({ relation }) => !KIN.has(relation));
  return (stated.length > 0 ? stated : edges).map(({ plan }) => plan);
}

async function relationsOf(
  { homeIndex, chunkContext }: OperationContext,
  session: string,
  scope: Scope,
): Promise<readonly StoredPassage[]> {
  const { index } = await homeIndex.prepare();
  const searched = index ?? (await scanFiles(homeIndex.files, chunkContext));
  const view = await searched.view({ scopes: ['shared', scope], types: ['relation'], sessions: [session] });
  return view.read(await view.findRecent(MOST_RELATIONS));
}

/** More than any conversation states. */
const MOST_RELATIONS = 1000;

/** Whether a statement speaks of an entity, or stands on its page. */
function isNamed(entity: EntityRecord, { document, text }: StoredPassage): boolean {
  if (document.path === entity.path || (entity.isUser && SPEAKER.test(text))) return true;
  const isIn = namesIn(text);
  return formsOf(entity).some(({ form, kind }) => kind !== 'id' && isIn(form));
}

const scope = z
  .string()
  .refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME')
  .default('shared')
  .describe('Besides what is shared, what belongs to this scope.');

const input = z.strictObject({
  id: z.string().trim().min(1).describe('The memory: an item (7k2m9x0q4t1za) or a turn (SESSION#t12).'),
  verdict: z
    .enum([...VERDICTS, 'clear'])
    .describe(
      'wrong: never injected again; not-helpful: not for such prompts; always: at every session start; clear: takes it back.',
    ),
  prompt: z
    .string()
    .max(10_000)
    .optional()
    .describe('With not-helpful: the prompt it did not help with; the last one it was injected for when not given.'),
  scope,
});

export type FeedbackInput = z.input<typeof input>;

export interface GivenFeedback {
  readonly id: string;
  /** null: nothing is said of it any more. */
  readonly verdict: Verdict | null;
  readonly text: string;
  /** For `not-helpful`: words of the prompts that it is left out for; empty means every prompt. */
  readonly words: string;
  /** The change, for `mneme rollback`; null when nothing had to change. */
  readonly mutation: string | null;
  readonly warnings: readonly string[];
}

export const feedback = defineVerb({
  name: 'feedback',
  summary: 'Say that a memory is wrong, not helpful, or always to be included.',
  description:
    'Say that a memory is wrong, not helpful, or always to be included. Verdicts: wrong, not-helpful, always, clear. Without arguments, list what was said so far.',
  examples: ['mneme memory feedback 7k2m9x0q4t1za wrong', 'mneme memory feedback'],
  input,
  effect: 'propose',
  withoutLease: 'proposes',
  async run(context, { id: given, verdict, prompt, scope: within }): Promise<GivenFeedback> {
    const id = given.replace(/^\^/u, '');
    const [passage] = await findPassages(context, id, within);
    if (passage === undefined && verdict !== 'clear') {
      throw new MnemeError('not-found', `Nothing remembered has the id ${given}.`, {
        hint: 'Ids stand in the hits of `mneme recall --json` and in `mneme why`.',
      });
    }
    const words = verdict === 'not-helpful' ? wordsOf(prompt ?? lastPrompt(context, id, passage)) : '';
    const said = verdict === 'clear' ? undefined : { verdict, words };
    const more = passage === undefined ? [] : await planMore(context, verdict, passage, within);
    const request = {
      changes: [planFeedback(id, said), ...more],
      actor: context.actor,
      approval: roleOf(context.actor) === 'human' ? '—' : 'auto',
      summary: `feedback: ${verdict} ${id}`,
    } as const;
    // The user's opinion of a memory is theirs to give: from any other actor it is a proposal.
    const { mutation, warnings } =
      roleOf(context.actor) === 'human'
        ? await context.workspace.commit(request)
        : await proposeCommit(context, request, 'Only the user judges what is remembered.');
    return {
      id,
      verdict: verdict === 'clear' ? null : verdict,
      text: passage?.text ?? '',
      words,
      mutation: mutation ?? null,
      warnings,
    };
  },
  library: { name: 'control.feedback', args: [] },
  cli: {
    path: 'memory feedback',
    formerly: ['feedback'],
    args: ['id', 'verdict'],
    options: {
      id: { isRequired: false },
      verdict: { isRequired: false },
      prompt: { value: 'words' },
      scope: { value: 'scope' },
    },
    instead: ({ input: { id } }) => (id === undefined ? callInstead(feedbackList, {}) : undefined),
  },
  render,
});

const EFFECTS: Readonly<Record<FeedbackInput['verdict'], string>> = {
  wrong: 'Marked as wrong: it is not injected any more',
  'not-helpful': 'It is not injected',
  always: 'Every session starts with it',
  clear: 'Nothing is said of it any more',
};

function render({ style }: View, { verdict, text, words, mutation, warnings }: GivenFeedback): string {
  const about = words === '' ? ' for any prompt' : ` for prompts about: ${words}`;
  const effect = `${EFFECTS[verdict ?? 'clear']}${verdict === 'not-helpful' ? about : ''}.`;
  const undo = mutation === null || warnings.length > 0 ? '' : style.dim(`undo: mneme rollback ${mutation}\n`);
  return `${text}\n${warnings.length > 0 ? warnings.join('\n') : effect}\n${undo}`;
}

/** Plans what a verdict changes beside its line, in the same mutation, so that one undo reverts all of it. */
async function planMore(
  context: OperationContext,
  verdict: z.output<typeof input>['verdict'],
  passage: StoredPassage,
  within: Scope,
): Promise<readonly Change[]> {
  const { id, document, type } = passage;
  if (verdict === 'always' && document.source === 'workspace' && document.store !== 'vault') {
    const kind = kindOfPath(document.path, context.layout);
    const edit = (current: string | undefined): string | undefined =>
      current === undefined ? undefined : (setPinned(document.path, current, id, kind, true) ?? current);
    return [{ path: document.path, edit }];
  }
  if (verdict !== 'wrong' || type === 'superseded') return [];
  const until = localTime(context.clock.now(), context.config.time_zone).date;
  const edges = await planEndEdges(context, passage, { until, scope: within });
  return [...(await planEnded(context, passage, until)), ...edges.flatMap(({ changes }) => changes)];
}

/** Ends a learned statement where it stands, and the lines of core memory that say it. */
async function planEnded(
  context: OperationContext,
  { id, document, text, type }: StoredPassage,
  until: string,
): Promise<readonly Change[]> {
  if (document.source !== 'workspace') return [];
  const kind = kindOfPath(document.path, context.layout);
  if (kind === 'memory') {
    throw new MnemeError('usage', `${id} is a line of core memory, which is injected as a whole.`, {
      hint: `Take it out with \`mneme core remove ${id}\`; \`mneme rollback\` undoes that.`,
    });
  }
  const stores = await context.parts.stores();
  const core = stores.core.planEnd([{ id, text }]);
  if (kind === 'episode')
    return [stores.episodes.planEnd(document.path, id, { until }), core].flatMap(({ changes }) => changes);
  await context.entities.sync();
  const isStatement = type === 'fact' || type === 'relation';
  const entity = kind === 'entity' && isStatement ? context.entities.findByPath(document.path) : undefined;
  if (entity === undefined) return core.changes;
  return [stores.entities.planSupersede(entity, id, { until }), core].flatMap(({ changes }) => changes);
}

/** Receipts that are looked through for the last prompt. */
const MAX_RECEIPTS_READ = 300;

/** The prompt that the memory, or the turn it was taken from, was last injected for. */
function lastPrompt(context: OperationContext, id: string, passage: StoredPassage | undefined): string {
  const turn = `${passage?.session ?? ''}#${passage?.turn ?? ''}`;
  let read = 0;
  for (const { receipt } of openReceipts(context).list()) {
    read += 1;
    // Another scope's prompt must not come back as the words that this one is about.
    if (!seesPrompt(context, receipt.asked?.scope)) continue;
    const isIn = receipt.items.some((item) => item.included && (item.id === id || item.id === turn));
    if (isIn && receipt.message !== '') return receipt.message;
    if (read >= MAX_RECEIPTS_READ) break;
  }
  return '';
}

/** Enough of a prompt to know another one like it. */
const MAX_WORDS = 12;

function wordsOf(prompt: string): string {
  const telling = splitWords(prompt).filter((word) => extractTerms(word).length > 0);
  return [...new Set(telling.map((word) => word.toLowerCase()))].slice(0, MAX_WORDS).join(' ');
}

export interface ListedFeedback extends Feedback {
  /** The memory's words; null where it is gone, or belongs to a private scope. */
  readonly text: string | null;
}

export interface FeedbackList {
  readonly feedback: readonly ListedFeedback[];
  /** Where it stands, for reading and editing. */
  readonly path: string;
}

export const feedbackList = defineVerb({
  name: 'feedback list',
  summary: 'List the feedback on memories.',
  input: z.object({}),
  effect: 'read',
  async run(context): Promise<FeedbackList> {
    const { workspace } = context;
    const text = nodeFileSystem.read(path.join(workspace.root, FEEDBACK_FILE))?.toString('utf8') ?? '';
    const given: ListedFeedback[] = [];
    for (const said of parseFeedback(text)) {
      const [passage] = await findPassages(context, said.id, 'shared');
      given.push({ ...said, text: passage?.text ?? null });
    }
    return { feedback: given, path: FEEDBACK_FILE };
  },
  library: { name: 'control.feedbackGiven' },
  // `mneme memory feedback` without an id.
  cli: { path: false },
  render: (_view, { feedback: given }) =>
    given.length === 0
      ? 'Nothing was said of any memory.\n'
      : `${given.map(({ verdict, id, words, text }) => `${verdict}  ${id}  ${words}`.trimEnd() + (text === null ? '' : `\n  ${text}`)).join('\n')}\n`,
});
