import path from 'node:path';
import { packagedJudge } from '../../judge/judge.ts';
import { addFacts, findUnsure, type FoundFact } from '../../maintain/reflect/add-facts.ts';
import { findCoreOptions, rewriteCore, type CoreLine, type CoreOptions } from '../../maintain/reflect/rewrite-core.ts';
import { declinedBy, type Declined } from '../../maintain/reflect/declined.ts';
import { findDisagreements, settleContradictions, settleDisagreements } from '../../maintain/reflect/disagreements.ts';
import {
  changesIn,
  describePromotion,
  notShownBefore,
  overdueQuestions,
  withoutRepetitions,
} from '../../maintain/reflect/lines.ts';
import type { Promotion } from '../../maintain/reflect/promotions.ts';
import { createRestates } from '../../maintain/reflect/restates.ts';
import { numbered, type ReflectionForm } from '../../maintain/reflect/form.ts';
import { EVOLUTION_FILE, type Insights, evolve, reflectOnPast } from '../../maintain/reflect/meta-reflection.ts';
import { learnedOf, revisedOf, type Survey } from '../../maintain/reflect/survey.ts';
import { CORE_FILE, coreBullets } from '../../memory/stores/core-bullets.ts';
import type { EntityRecord } from '../../memory/stores/registry/entity-record.ts';
import { KNOWLEDGE_KINDS, type Candidate } from '../../model/knowledge.ts';
import { parseEntity } from '../../workspace/formats/entity.ts';
import type { Graph } from '../../memory/graph/graph.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { RequestedChange } from '../../proposals/request.ts';
import type { Change } from '../../workspace/door/request.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { type OperationContext, storePartsOf } from '../context.ts';
import { asConversation } from '../extract/episode-conversation.ts';
import { saidOtherwise } from './said-otherwise.ts';
import { readText } from './take-survey.ts';
import { MILESTONES } from '../../chain/record/noteworthy.ts';
import { CONSOLIDATION } from '../../maintain/consolidate/periods.ts';

export interface DraftChange extends RequestedChange {
  readonly after: string;
}

export interface ReflectionDraft {
  readonly form: Omit<ReflectionForm, 'footer' | 'deferred'>;
  /** The most important first; core memory and the evolution are never left out. */
  readonly changes: readonly DraftChange[];
  readonly themes: readonly string[];
  /** Notes for a person on how it was made: a model that could not be asked. */
  readonly notes: readonly string[];
  /** Whether there is anything to decide on or to know. */
  readonly isWorthIt: boolean;
}

/** Phases two to four: what the past tells, what contradicts itself, what core memory should say. */
export async function draftReflection(
  context: OperationContext,
  graph: Graph,
  survey: Survey,
): Promise<ReflectionDraft> {
  const parts = storePartsOf(context);
  const { proposals } = context.proposals.list();
  const declined = declinedBy(proposals, createRestates(packagedJudge));
  const { coreText, options, notes: chosenNotes } = await findForCore(context, graph, { survey, declined });
  const core = rewriteCore(parts, context.config.core, coreText ?? '', options);
  const { insights, questions, notes } = await understand(context, survey);
  const evolution = readText(context, EVOLUTION_FILE);
  const evolved = evolve(evolution, { ...survey, insights, milestones: MILESTONES });
  const unsure = await findUnsureFacts(context, survey);
  const facts = addFacts(parts, unsure.found, { declined, today: survey.today });
  const disagreements = await findDisagreements(survey.entities, { since: survey.since, openJudge: packagedJudge });
  const settlements = [
    ...settleContradictions(parts, graph, survey.contradictions, declined),
    ...settleDisagreements(parts, disagreements, declined),
  ];
  const draft = new NumberedChanges();
  // Only lines of a file that is there can be decided on one by one.
  const isSplit = coreText !== undefined;
  const coreChange = (after: string): DraftChange => ({ path: CORE_FILE, before: coreText, after });
  const toCore = ({ said, after }: CoreLine<Promotion>): string =>
    draft.add(describePromotion(said), [coreChange(isSplit ? after : core.after)]);
  const about = core.added.filter(({ said }) => said.said.length < 2).map(toCore);
  const repeated = core.added.filter(({ said }) => said.said.length >= 2).map(toCore);
  const leaving = core.removed.map(({ said, after }) => draft.add(`${said.text} — ${said.why}`, [coreChange(after)]));
  draft.add('', [{ path: EVOLUTION_FILE, before: evolution, after: evolved }]);
  const isNew = notShownBefore(proposals);
  const otherwise = (await saidOtherwise(context, survey)).filter(
    (line) => !isAskedBy(settlements, line) && isNew(line),
  );
  const contradictions = [
    ...settlements.map(({ told, changes }) => draft.add(told, carryOut(context, changes))),
    ...otherwise,
  ];
  const proposed = facts.map(({ told, changes }) => draft.add(told, carryOut(context, changes)));
  const archival = context.proposals.list({ state: 'pending', kind: 'archive' }).proposals;
  const learned = withoutRepetitions(survey, core.added);
  const changed = changesIn(survey).filter(isNew);
  return {
    form: {
      about,
      repeated,
      changed,
      contradictions: contradictions.filter(isNew),
      questions: [...options.questions, ...overdueQuestions(survey), ...questions].filter(isNew),
      lettingGo: [...leaving, ...archival.map(({ id, title }) => `${title} (mneme proposals show ${id})`)],
      knowledge: [...proposed, ...learned.filter(isNew)],
      connections: survey.connections.filter(isNew),
      evolution: [insights.learning, insights.understanding, ...(insights.theme === undefined ? [] : [insights.theme])],
    },
    changes: draft.changes,
    themes: insights.themes,
    notes: [...chosenNotes, ...notes, ...unsure.notes],
    isWorthIt:
      draft.changes.length > 1 || learned.length + changed.length + otherwise.length + survey.episodes.length > 0,
  };
}

/** Whether a line about the same two turns stands there already. */
function isAskedBy(settlements: readonly { readonly told: string }[], line: string): boolean {
  const turns = [...line.matchAll(/\([^()\s]+#t\d+\)/gu)].map(([turn]) => turn);
  return settlements.some(({ told }) => turns.every((turn) => told.includes(turn)));
}

/** Candidates to enter or leave core memory; a model may choose among them. */
async function findForCore(
  context: OperationContext,
  graph: Graph,
  { survey, declined }: { readonly survey: Survey; readonly declined: Declined },
): Promise<{
  readonly coreText: string | undefined;
  readonly options: CoreOptions;
  readonly notes: readonly string[];
}> {
  const coreText = readText(context, CORE_FILE);
  const options = findCoreOptions({
    text: coreText ?? '',
    survey,
    uses: context.access.readUses(),
    holds: (id) => holdsStill(graph, survey, id),
    declined,
    nowMs: context.clock.now(),
    decay: context.config.decay,
  });
  return { coreText, ...(await chooseForCore(context, coreText ?? '', options)) };
}

/** Changes by the numbers that a proposal gives them, so that a line of the form can say its own. */
class NumberedChanges {
  readonly #changes: DraftChange[] = [];

  get changes(): readonly DraftChange[] {
    return this.#changes;
  }

  /** The line with the number by which it is decided on; as it is where it changes nothing. */
  add(line: string, changes: readonly DraftChange[]): string {
    const wanted = changes.filter(
      ({ path: file, after }) => !this.#changes.some((known) => known.path === file && known.after === after),
    );
    if (wanted.length === 0) return line;
    this.#changes.push(...wanted);
    return numbered(this.#changes.length, line);
  }
}

/** Facts about known entities, with too little evidence for the nightly jobs. */
async function findUnsureFacts(
  context: OperationContext,
  { episodes }: Survey,
): Promise<{ readonly found: readonly FoundFact[]; readonly notes: readonly string[] }> {
  const extraction = await context.parts.extraction();
  await context.entities.sync();
  const found: FoundFact[] = [];
  const notes: string[] = [];
  for (const episode of findUnsure(episodes, CONSOLIDATION.minImportance)) {
    const conversation = asConversation(context, episode);
    const asked = await extraction.reasoner.ask('extract', { conversation, kinds: KNOWLEDGE_KINDS });
    notes.push(...asked.notes);
    for (const candidate of asked.output) {
      const record = findSubject(context, candidate);
      if (record === undefined) continue;
      const entity = parseEntity(parseDocument(readText(context, record.path) ?? ''), record.path);
      found.push({ episode, candidate, record, known: entity.facts.map(({ text }) => text) });
    }
  }
  return { found, notes: [...new Set(notes)] };
}

function findSubject({ entities }: OperationContext, { subject }: Candidate): EntityRecord | undefined {
  if (subject === undefined) return undefined;
  if (subject.isUser === true) return entities.findUser();
  const [only, ...others] = entities.sharingName(subject.name).filter(({ scope }) => scope === 'shared');
  return others.length === 0 && only?.damage === undefined ? only : undefined;
}

/** A model may choose among what may come in and go out; without one everything may, the most important first. */
async function chooseForCore(
  context: OperationContext,
  coreText: string,
  options: CoreOptions,
): Promise<{ readonly options: CoreOptions; readonly notes: readonly string[] }> {
  const { candidates, removable } = options;
  if (candidates.length + removable.length === 0) return { options, notes: [] };
  const { output, notes } = await (
    await context.parts.extraction()
  ).reasoner.ask('rewrite_core', {
    bullets: coreBullets(parseDocument(coreText)).map(({ id, text }) => ({ id, text })),
    candidates: candidates.map(({ states, text }) => ({ id: states, text })),
    removable: removable.map(({ bullet }) => ({ id: bullet.id, text: bullet.text })),
  });
  const chosen = {
    ...options,
    candidates: output.add.flatMap((id) => candidates.find(({ states }) => states === id) ?? []),
    removable: removable.filter(({ bullet }) => output.remove.includes(bullet.id)),
  };
  return { options: chosen, notes };
}

async function understand(
  context: OperationContext,
  survey: Survey,
): Promise<{ readonly insights: Insights; readonly questions: readonly string[]; readonly notes: readonly string[] }> {
  const insights = reflectOnPast(survey);
  const { learning, understanding, theme = '' } = insights;
  const said = ({ name, text }: { readonly name: string; readonly text: string }): string => `${name}: ${text}`;
  const { output, notes } = await (
    await context.parts.extraction()
  ).reasoner.ask('reflect', {
    learned: learnedOf(survey).map(said),
    revised: revisedOf(survey).map(said),
    past: survey.past
      .slice(-PAST_TOLD)
      .map(({ number, outcome, themes, reason }) =>
        [
          `#${number} ${outcome}`,
          `themes: ${themes.join(', ')}`,
          ...(reason === undefined ? [] : [`“${reason}”`]),
        ].join('; '),
      ),
    draft: { learning, understanding, theme, questions: [] },
  });
  const told = {
    learning: output.learning,
    understanding: output.understanding,
    theme: output.theme === '' ? undefined : output.theme,
  };
  return { insights: { ...insights, ...told }, questions: output.questions, notes };
}

/** Earlier ones are in the evolution, condensed. */
const PAST_TOLD = 20;

/** Facts by the graph's rows, decisions and tasks by the files that were looked at; undefined when neither knows. */
function holdsStill(graph: Graph, { entities }: Survey, id: string): boolean | undefined {
  const [fact] = graph.statement(id).facts;
  if (fact !== undefined) return !fact.isSuperseded;
  for (const { entity } of entities) {
    const decision = entity.decisions.find((each) => each.id === id);
    if (decision !== undefined) return (decision.meta.status ?? 'active') === 'active' && decision.ended === undefined;
    const task = entity.tasks.find((each) => each.id === id);
    if (task !== undefined) return task.status !== 'done' && task.status !== 'dropped';
  }
  return undefined;
}

/** The files as the plans would leave them. */
function carryOut({ workspace }: OperationContext, changes: readonly Change[]): DraftChange[] {
  const drafts = new Map<string, DraftChange>();
  for (const change of changes) {
    if (!('edit' in change)) continue;
    const { path: file } = change;
    const known = drafts.get(file);
    const before = known?.before ?? nodeFileSystem.read(path.join(workspace.root, file))?.toString('utf8');
    const after = change.edit(known?.after ?? before);
    if (after !== undefined && after !== before) drafts.set(file, { path: file, before, after });
  }
  return [...drafts.values()];
}
