import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { DAY_MS, localTime } from '../../model/time.ts';
import { dateProblem } from '../../memory/graph/contradictions.ts';
import type { GraphFact } from '../../memory/graph/statements.ts';
import { firstDay, holdsAt, type Moment } from '../../memory/stores/entities/current-facts.ts';
import { foldName } from '../../memory/stores/registry/names.ts';
import type { EntityRecord } from '../../memory/stores/registry/entity-record.ts';
import { QUESTION_KIND } from '../../proposals/proposal.ts';
import { likenessBy } from '../../extract/likeness.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { visibleTo } from '../visible-to.ts';
import { commitPlans, draftChanges, fileProposal } from './write-plans.ts';
import { getStatement, isPerson, momentOf, nameOf, type EntityName, type OpenGraph } from './open-graph.ts';

export const VERIFICATION_METHODS = ['user', 'cross-reference', 'temporal', 'consistency'] as const;
type Method = (typeof VERIFICATION_METHODS)[number];

const input = z.strictObject({
  id: z.string().trim().min(1).describe('The id of a fact.'),
  method: z.enum(VERIFICATION_METHODS).default('consistency'),
  answer: z.enum(['yes', 'no']).optional().describe('With the method user: the person’s own answer, at once.'),
});

export type GraphVerifyInput = z.input<typeof input>;

export interface Verification {
  readonly id: string;
  readonly text: string;
  readonly entity: EntityName;
  readonly method: Method;
  /** null while a person has not answered. */
  readonly verified: boolean | null;
  /** 0 to 1; null while a person has not answered. */
  readonly confidence: number | null;
  readonly reasons: readonly string[];
  /** The evidence against it. */
  readonly against: readonly { readonly id: string; readonly text: string; readonly path: string }[];
  /** The evidence for it beside its own sources. */
  readonly support: readonly { readonly id: string; readonly text: string; readonly path: string }[];
  /** The proposal that asks the user; approving it says yes. */
  readonly question: string | null;
  readonly mutation: string | null;
}

type Verdict = Pick<Verification, 'verified' | 'confidence' | 'reasons' | 'against' | 'support'>;

interface Checking {
  readonly context: OperationContext;
  readonly open: OpenGraph;
  readonly fact: GraphFact;
  readonly entity: EntityRecord;
  readonly moment: Moment;
}

export const graphVerify = defineVerb({
  name: 'graph verify',
  summary: 'Check a fact: ask the user, look elsewhere, or look at its time and its neighbours.',
  input,
  args: ['id'],
  effect: 'write',
  withoutLease: 'proposes',
  async run(context, given): Promise<Verification> {
    const open = await context.parts.graph();
    const { id, entity, kind } = getStatement(open.graph, given.id, visibleTo(context).sees);
    const [fact] = open.graph.statement(id).facts;
    if (kind !== 'fact' || fact === undefined) {
      throw new MnemeError('usage', `^${id} is a relation; only facts are verified.`, {
        hint: '`mneme graph contradictions` looks at relations.',
      });
    }
    const checking = { context, open, fact, entity, moment: momentOf(context, {}) };
    const about = { id, text: fact.text, entity: nameOf(entity), method: given.method };
    if (given.method === 'user') return { ...about, ...(await askUser(checking, given.answer)) };
    const denied = isDenied(checking) ? DENIED : undefined;
    const verdict = denied ?? (await CHECKS[given.method](checking));
    // Only somebody or something else that says so confirms it: that its dates are in order, or that nothing speaks against it, says nothing.
    const counts = verdict.verified === true && given.method === 'cross-reference';
    const mutation = counts ? await confirm(checking, given.method) : null;
    return { ...about, ...verdict, question: null, mutation };
  },
  cli: { options: { method: { value: 'method' }, answer: { value: 'answer' } } },
  render: async (view, output) => (await import('./render-changes.ts')).renderVerification(view, output),
});

const CHECKS: Readonly<Record<Exclude<Method, 'user'>, (checking: Checking) => Promise<Verdict>>> = {
  'cross-reference': crossReference,
  temporal: async (checking) => checkTime(checking),
  consistency: checkConsistency,
};

const DENIED: Verdict = {
  verified: false,
  confidence: 0.1,
  reasons: ['The user was asked and said no.'],
  against: [],
  support: [],
};

/** The user's no to the question stands until they say otherwise. */
function isDenied({ context, fact }: Checking): boolean {
  const { proposals } = context.proposals.list({ state: 'rejected', kind: QUESTION_KIND });
  return proposals.some(({ evidence }) => evidence.includes(`${fact.path} ^${fact.id}`));
}

/** A question is a proposal: yes counts the fact as confirmed, no ends it. */
async function askUser(
  checking: Checking,
  answer: 'yes' | 'no' | undefined,
): Promise<Omit<Verification, 'id' | 'text' | 'entity' | 'method'>> {
  const { context, open, fact, entity } = checking;
  const nothing = { against: [], support: [] };
  if (answer !== undefined) {
    if (!isPerson(context.actor)) {
      throw new MnemeError('refused', 'Only the user can answer for the user.', {
        hint: 'Leave out --answer: the question is queued.',
      });
    }
    const isTrue = answer === 'yes';
    const plan = isTrue
      ? open.entities.planReinforce(entity, fact.id, {})
      : open.entities.planSupersede(entity, fact.id, {});
    const { mutation } = await commitPlans(
      context,
      [plan],
      `${entity.name}: ${isTrue ? 'confirmed' : 'no longer true'}`,
    );
    const reasons = [isTrue ? 'The user confirmed it.' : 'The user said it does not hold; it is struck through.'];
    return { ...nothing, verified: isTrue, confidence: isTrue ? 1 : 0, reasons, question: null, mutation };
  }
  const plan = open.entities.planReinforce(entity, fact.id, {});
  const filed = await fileProposal(context, {
    kind: QUESTION_KIND,
    title: `Is it true of ${entity.name}: ${fact.text}`,
    why: 'An agent wants to know from you. Approving says yes and counts it as confirmed; rejecting says no, and it is struck through.',
    evidence: [`${fact.path} ^${fact.id}`],
    changes: draftChanges(context, plan.changes),
    trigger: 'graph verify',
  });
  return {
    ...nothing,
    verified: null,
    confidence: null,
    reasons: ['The user was asked; `mneme proposals` shows the question.', ...filed.warnings],
    question: filed.proposal,
    mutation: filed.mutation,
  };
}

/** Confirmed by a check counts as confirmed once, and not again on the same day. */
async function confirm({ context, open, fact, entity }: Checking, method: Method): Promise<string | null> {
  const day = localTime(context.clock.now(), context.config.time_zone).date;
  if (fact.lastVerified === day || entity.damage !== undefined) return null;
  const plan = open.entities.planReinforce(entity, fact.id, { date: day });
  return (await commitPlans(context, [plan], `${entity.name}: verified by ${method}`)).mutation;
}

/** Long enough ago that somebody should ask again. */
const STALE_DAYS = 365;

function checkTime({ context, fact, moment }: Checking): Verdict {
  const reasons: string[] = [];
  const { from, until, learned } = fact.meta;
  const wrong = dateProblem(fact);
  if (wrong !== undefined) reasons.push(`It ${wrong}.`);
  if (learned !== undefined && firstDay(learned) > moment.at)
    reasons.push(`It was learned in the future (${learned}).`);
  if (!holdsAt(fact, undefined, moment)) {
    const why =
      from !== undefined && firstDay(from) > moment.at
        ? `It begins to hold on ${from}.`
        : `It no longer holds${until === undefined ? '' : ` since ${until}`}.`;
    reasons.push(why);
  }
  const heard = fact.lastVerified ?? learned ?? from;
  const days = heard === undefined ? undefined : (context.clock.now() - Date.parse(firstDay(heard))) / DAY_MS;
  if (reasons.length === 0 && days !== undefined && days > STALE_DAYS) {
    return {
      verified: false,
      confidence: 0.5,
      reasons: [`It was last heard of ${Math.round(days)} days ago; ask: --method user.`],
      against: [],
      support: [],
    };
  }
  const isFine = reasons.length === 0;
  return {
    verified: isFine,
    confidence: isFine ? 0.9 : 0.1,
    reasons: isFine ? ['Its dates are in order and it holds today.'] : reasons,
    against: [],
    support: [],
  };
}

/** The confidence is 0.9 without contradictions, otherwise 1 ÷ (1 + their number) (S1 §5.4). */
async function checkConsistency(checking: Checking): Promise<Verdict> {
  const { open, fact, entity, moment } = checking;
  const others = open.graph
    .facts(entity.path)
    .filter((other) => other.id !== fact.id && holdsAt(other, undefined, moment))
    .slice(0, MAX_COMPARED);
  const isRival = (other: GraphFact): boolean =>
    fact.attribute !== undefined &&
    other.attribute !== undefined &&
    foldName(fact.attribute) === foldName(other.attribute) &&
    foldName(fact.value ?? fact.text) !== foldName(other.value ?? other.text);
  const verdicts = await compareWith(
    checking,
    others.map(({ id, text, path, attribute, value }) => ({ id, text, path, attribute, value })),
  );
  const against = others
    .filter((other, index) => isRival(other) || verdicts[index] === 'contradicts' || verdicts[index] === 'replaces')
    .map(({ id, text, path }) => ({ id, text, path }));
  return against.length === 0
    ? {
        verified: true,
        confidence: 0.9,
        reasons: [`Nothing known of ${entity.name} contradicts it.`],
        against,
        support: [],
      }
    : {
        verified: false,
        confidence: 1 / (1 + against.length),
        reasons: ['Something else known of it cannot be true at the same time.'],
        against,
        support: [],
      };
}

/** More than this is not about the same thing anyway. */
const MAX_COMPARED = 60;
const SEARCHED = 12;

/** Whether somebody said so elsewhere: another conversation, day or document, not its own source. */
async function crossReference(checking: Checking): Promise<Verdict> {
  const { context, fact, entity } = checking;
  const { hits } = await context.search.ask({
    text: `${entity.name}: ${fact.text}`,
    filter: { scopes: entity.scope === 'shared' ? ['shared'] : ['shared', entity.scope] },
    limit: SEARCHED,
    tokens: undefined,
  });
  const own = new Set(ownSources(checking));
  const elsewhere = hits.filter(({ path, id, provenance }) => {
    const turn = provenance.session === null ? undefined : `${provenance.session}#${provenance.turn ?? ''}`;
    return path !== fact.path && id !== fact.id && (turn === undefined || !own.has(turn));
  });
  const verdicts = await compareWith(
    checking,
    elsewhere.map(({ id, text, path }) => ({ id, text, path })),
  );
  const said = (...wanted: readonly string[]): Verification['support'] =>
    elsewhere.flatMap(({ id, text, path }, index) =>
      wanted.includes(verdicts[index] ?? '') ? [{ id, text, path }] : [],
    );
  const [support, against] = [said('same', 'refines'), said('contradicts')];
  const isVerified = support.length > 0 && against.length === 0;
  const reasons = isVerified
    ? [`It is said in ${support.length === 1 ? 'one other place' : `${support.length} other places`}.`]
    : [against.length > 0 ? 'Something else says otherwise.' : 'Nothing else says so.'];
  const confidence = isVerified ? Math.min(0.95, 0.7 + 0.1 * support.length) : 1 / (2 + against.length);
  return { verified: isVerified, confidence, reasons, against, support };
}

function ownSources({ open, fact, entity }: Checking): readonly string[] {
  return open.entities.read(entity).facts.find(({ id }) => id === fact.id)?.meta.evidence ?? [];
}

interface Compared {
  readonly id: string;
  readonly text: string;
  readonly path: string;
  readonly attribute?: string | undefined;
  readonly value?: string | undefined;
}

/** Too unlike to be about the same thing: not worth a judgement. */
const MIN_LIKENESS = 0.35;

async function compareWith(
  { context, fact, entity }: Checking,
  others: readonly Compared[],
): Promise<(string | undefined)[]> {
  const { reasoner } = await context.parts.extraction();
  const alike = await likenessBy(context.homeIndex)(
    fact.text,
    others.map(({ text }) => text),
  );
  const saidMs = context.clock.now();
  const verdicts: (string | undefined)[] = [];
  for (const [index, { text, attribute, value }] of others.entries()) {
    const similarity = alike[index] ?? 0;
    if (similarity < MIN_LIKENESS) {
      verdicts.push(undefined);
      continue;
    }
    const known = { text, saidMs, subject: entity.name, attribute, value };
    const incoming = { text: fact.text, saidMs, subject: entity.name, attribute: fact.attribute, value: fact.value };
    verdicts.push((await reasoner.ask('resolve_contradiction', { known, incoming, similarity })).output.verdict);
  }
  return verdicts;
}
