import path from 'node:path';
import { z } from 'zod';
import { numberOfReflection, REFLECTION_KIND, reflectionName } from '../../maintain/reflect/log.ts';
import { errorMessage, isMnemeError, MnemeError } from '../../model/errors.ts';
import { type Proposal, waitingChanges } from '../../proposals/proposal.ts';
import { isOpen } from '../../proposals/state.ts';
import {
  FORM_LINES,
  outputTokens,
  PENDING_REFLECTION,
  renderForm,
  type ReflectionForm,
} from '../../maintain/reflect/form.ts';
import type { Survey } from '../../maintain/reflect/survey.ts';
import { lowestTrust, TRUST_LEVELS, type Trust } from '../../model/provenance.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import { makeDiff } from '../../proposals/diff-text.ts';
import { fingerprintOf } from '../../proposals/fingerprint.ts';
import { counted } from '../../model/text.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { settleReflections } from '../proposals/reflection-pages.ts';
import { reflectionsOf } from '../proposals/find.ts';
import { draftReflection, type DraftChange, type ReflectionDraft } from './gather.ts';
import { takeSurvey } from './take-survey.ts';

/** All that one reflection writes: what a person reads in a few minutes. What it reads is not limited. */
const MAX_OUTPUT_TOKENS = 8000;

export const REFLECTION_TRIGGERS = ['request', 'schedule', 'session-end', 'threshold'] as const;

const input = z.object({
  trigger: z.enum(REFLECTION_TRIGGERS).default('request').describe('What started it.'),
  dryRun: z.boolean().default(false).describe('Show what would be proposed and file nothing.'),
});

export type ReflectInput = z.input<typeof input>;

export interface Reflected {
  /** `already-waiting`: the same is proposed and nobody has decided; `nothing-new`: there is nothing to reflect on. */
  readonly outcome: 'proposed' | 'already-waiting' | 'nothing-new' | 'dry-run';
  readonly number: number;
  /** null when nothing was filed. */
  readonly proposal: string | null;
  /** Where a person reads it; null when nothing waits. */
  readonly path: string | null;
  /** The form of it, in words. */
  readonly text: string;
  readonly changes: readonly { readonly path: string; readonly diff: string }[];
  readonly tokens: number;
  readonly maxTokens: number;
  readonly notes: readonly string[];
}

export const reflect = defineVerb({
  name: 'reflect',
  summary: 'Look back, and propose what core memory should say.',
  description:
    'Look back on what was learned since the last time: what contradicts itself, what core memory should say, how the understanding grew. All of it waits as one proposal, with a diff for each change; nothing is ever applied by silence.',
  examples: ['mneme learn reflect --dry-run'],
  input,
  effect: 'write',
  run: runReflection,
  http: { isLong: true },
  cli: { path: 'learn reflect', formerly: ['reflect'], options: { trigger: false }, notes: ({ notes }) => notes },
  render: async (view, output) => (await import('./render.ts')).renderReflected(view, output),
});

async function runReflection(context: OperationContext, given: z.output<typeof input>): Promise<Reflected> {
  const lock = ProcessLock.tryTake(path.join(context.workspace.paths.state, 'reflect.lock'));
  if (lock === undefined) {
    throw new MnemeError('locked', 'A reflection is going on already.', { hint: 'Wait until it is done.' });
  }
  try {
    return await reflectAlone(context, given);
  } finally {
    lock.release();
  }
}

async function reflectAlone(
  context: OperationContext,
  { trigger, dryRun }: z.output<typeof input>,
): Promise<Reflected> {
  if (!dryRun) await settleReflections(context);
  const maxTokens = MAX_OUTPUT_TOKENS;
  const waiting = reflectionsOf(context).filter(({ state }) => isOpen(state));
  const current = waiting.at(-1);
  // A run that nobody requested does not replace a reflection that a person may be reading. Checked before the survey, because
  // the survey grows every night until a person decides.
  if (current !== undefined && trigger !== 'request' && !dryRun && (await stillFits(context, current))) {
    return alreadyWaiting(current, { number: numberOfReflection(current), maxTokens, notes: [] });
  }
  const { graph } = await context.parts.graph();
  const survey = takeSurvey(context, graph);
  const base = { number: survey.number, maxTokens, notes: [] };
  const taken = await takeUpOthers(context, dryRun);
  const draft = await draftReflection(context, graph, survey);
  if (!draft.isWorthIt && taken.deferred.length === 0) {
    const text = 'Nothing is new since the last reflection.';
    return {
      ...base,
      outcome: 'nothing-new',
      proposal: null,
      path: null,
      text,
      changes: [],
      tokens: 0,
      notes: taken.notes,
    };
  }
  const { why, changes, tokens, notes } = fitBudget(survey, draft, taken.deferred, maxTokens);
  const shown = changes.map((change) => ({ path: change.path, diff: diffOf(change) }));
  const told = { ...base, text: why, changes: shown, tokens, notes: [...taken.notes, ...draft.notes, ...notes] };
  if (dryRun) return { ...told, outcome: 'dry-run', proposal: null, path: null };
  if (current !== undefined && isSame(current, changes)) return alreadyWaiting(current, base);
  const name = reflectionName(survey.number);
  const { id } = await context.proposals.propose({
    kind: REFLECTION_KIND,
    title: `Reflection #${survey.number} — ${survey.today}`,
    why,
    evidence: [],
    actor: `reflection:${name}`,
    trust: trustOfDraft(changes),
    trigger: `reflect ${trigger}`,
    session: name,
    changes,
    maySplit: true,
    replaces: waiting.map((proposal) => proposal.id),
  });
  return { ...told, outcome: 'proposed', proposal: id, path: PENDING_REFLECTION };
}

/** The lowest of what the draft adds: it says what others said, and its own words are an agent's. */
function trustOfDraft(changes: readonly DraftChange[]): Trust {
  const added = changes.flatMap((change) =>
    diffOf(change)
      .split('\n')
      .filter((line) => line.startsWith('+')),
  );
  const marked = added.flatMap((line) => TRUST_LEVELS.find((level) => line.includes(`trust:${level}`)) ?? []);
  return lowestTrust(['agent', ...marked]);
}

async function stillFits(context: OperationContext, { id, state }: Proposal): Promise<boolean> {
  if (state === 'stale') return false;
  return (await context.proposals.preview(id)).every(({ fit }) => fit !== 'stale');
}

function alreadyWaiting(proposal: Proposal, base: Pick<Reflected, 'number' | 'maxTokens' | 'notes'>): Reflected {
  const changes = waitingChanges(proposal).map(({ path: file, diff }) => ({ path: file, diff }));
  const tokens = outputTokens(
    proposal.why,
    changes.map(({ diff }) => diff),
  );
  return {
    ...base,
    outcome: 'already-waiting',
    proposal: proposal.id,
    path: PENDING_REFLECTION,
    text: proposal.why,
    changes,
    tokens,
  };
}

function diffOf({ path: file, before, after }: DraftChange): string {
  return makeDiff({ path: file, text: before }, { path: file, text: after });
}

function isSame(proposal: Proposal, changes: readonly DraftChange[]): boolean {
  const old = new Set(waitingChanges(proposal).map(fingerprintOf));
  const fresh = changes.map((change) =>
    fingerprintOf({
      number: 0,
      action: change.before === undefined ? 'create' : 'edit',
      path: change.path,
      diff: diffOf(change),
      state: 'waiting',
    }),
  );
  return old.size === fresh.length && fresh.every((print) => old.has(print));
}

interface Fitted {
  readonly why: string;
  readonly changes: readonly DraftChange[];
  readonly tokens: number;
  readonly notes: readonly string[];
}

/** Within the cap: first the last of the changes wait for the next reflection, then the lists become shorter. */
function fitBudget(survey: Survey, draft: ReflectionDraft, deferred: readonly string[], maxTokens: number): Fitted {
  const left = [...draft.changes];
  let lines = FORM_LINES;
  for (;;) {
    const form = { ...draft.form, deferred, footer: footerOf(survey, draft, 0, maxTokens) };
    const tokens = outputTokens(renderForm(form, lines), left.map(diffOf));
    const isFitting = tokens <= maxTokens;
    const mandatory = draft.changes.filter(({ path: file }) => !file.startsWith('memory/graph/')).length;
    if (isFitting || (left.length <= mandatory && lines === 1)) {
      const final: ReflectionForm = { ...form, footer: footerOf(survey, draft, tokens, maxTokens) };
      const cut = draft.changes.length - left.length;
      const notes =
        cut === 0 ? [] : [`${cut} changes did not fit into ${maxTokens} tokens and wait for the next reflection.`];
      return { why: renderForm(final, lines), changes: left, tokens, notes };
    }
    if (left.length > mandatory) left.pop();
    else lines -= 1;
  }
}

function footerOf(survey: Survey, { themes }: ReflectionDraft, tokens: number, maxTokens: number): [string, string][] {
  return [
    ['Token budget used', `${tokens} / ${maxTokens}`],
    [
      'Memories processed',
      `${counted(survey.episodes.length, 'episode')}, ${counted(survey.entities.length, 'entity', 'entities')}`,
    ],
    ['Reflections reviewed', counted(survey.past.length, 'past reflection')],
    ['Themes', themes.length === 0 ? 'none' : themes.join(', ')],
  ];
}

/** Renews in its name what was left for the next reflection. */
const RENEWER = 'reflection:deferred';

interface TakenUp {
  /** Deferred proposals that a person is asked about again, a line each. */
  readonly deferred: readonly string[];
  readonly notes: readonly string[];
}

/** Asks deferred proposals again; stale ones are rebuilt or dropped. */
async function takeUpOthers(context: OperationContext, isDryRun: boolean): Promise<TakenUp> {
  const { proposals } = context.proposals.list({ state: ['deferred', 'stale'] });
  const others = proposals.filter(({ kind }) => kind !== REFLECTION_KIND);
  const deferred: string[] = [];
  const notes: string[] = [];
  for (const proposal of others) {
    const problem = isDryRun ? undefined : await renew(context, proposal);
    if (problem === undefined)
      deferred.push(`${proposal.title} — from ${proposal.actor} (mneme approve ${proposal.id})`);
    else notes.push(problem);
  }
  return { deferred, notes };
}

/** Undefined when it waits again. */
async function renew({ proposals }: OperationContext, { id, title, actor }: Proposal): Promise<string | undefined> {
  try {
    await proposals.rebase(id, { actor: RENEWER, why: 'taken up by a reflection' });
    return undefined;
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    const reason = errorMessage(error);
    try {
      await proposals.withdraw(id, { actor: RENEWER, why: `no longer fits: ${reason}` });
      return `“${title}” was withdrawn, because it no longer fits: ${reason}`;
    } catch (refusal) {
      if (!isMnemeError(refusal)) throw refusal;
      return `“${title}” of ${actor} no longer fits (${reason}); reject it with \`mneme reject ${id}\`.`;
    }
  }
}
