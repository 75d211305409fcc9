import { KNOWLEDGE_KINDS, type Candidate, type KnowledgeKind } from '../model/knowledge.ts';
import type { Trust } from '../model/provenance.ts';
import { sameWords } from '../model/same-words.ts';
import { localTime } from '../model/time.ts';
import type { FileSystem } from '../platform/fs.ts';
import { bearerBeside } from '../reasoner/heuristic/entities/bearer.ts';
import type { Statement } from '../reasoner/port.ts';
import { parseEntityWithIds } from '../memory/stores/entities/entity-edit.ts';
import { USER_TAG } from '../memory/stores/registry/entity-record.ts';
import type { Entity } from '../workspace/formats/entity.ts';
import { momentOf } from '../search-index/chunk/dates.ts';
import type { MemorySearch } from '../retrieve/search.ts';
import { kindOfPath, type Layout } from '../workspace/formats/layout.ts';
import type { FactMetadata, ItemMetadata } from '../model/schemas/item.ts';
import { parseDocument } from '../workspace/markdown/document.ts';
import { isHistory, type Belief } from './beliefs.ts';
import { readEntryText } from './heard-again.ts';
import type { Likeness } from './likeness.ts';

export interface KnownParts {
  readonly root: string;
  readonly fs: FileSystem;
  readonly layout: Layout;
  readonly timeZone: string;
  readonly search: Pick<MemorySearch, 'ask'>;
  readonly likeness: Likeness;
}

/** A belief with what tells it from others, and how like the new statement it is. */
export interface KnownBelief extends Belief {
  readonly statement: Statement;
  readonly similarity: number;
}

/** More than this of the whole memory is not compared with one statement; its subject's own file always is. */
const MAX_FOUND = 8;
/** Below it two statements have nothing to do with each other, unless they state the same property. */
const MIN_SIMILARITY = 0.5;
const MAX_COMPARED = 4;

/**
 * Finds the beliefs that a candidate may confirm, replace or contradict, most alike first; in a dry run also what the memory
 * would hold by now.
 */
export async function findKnown(
  parts: KnownParts,
  candidate: Candidate,
  subjectFile: string | undefined,
  imagined: readonly ImaginedBelief[] = [],
): Promise<readonly KnownBelief[]> {
  const files = new Set(subjectFile === undefined ? [] : [subjectFile]);
  const text = candidate.retracts ?? candidate.statement;
  const found = await parts.search.ask({
    text,
    filter: { scopes: ['shared'], stores: ['semantic', 'procedural', 'episodic', 'core'] },
    limit: MAX_FOUND,
    tokens: undefined,
    isWorkspaceOnly: true,
    isUnlisted: true,
  });
  const entries: Belief[] = [];
  for (const hit of found.hits) {
    const kind = kindOfPath(hit.path, parts.layout);
    if (kind === 'entity') files.add(hit.path);
    else if (kind === 'episode' || kind === 'procedure') entries.push(beliefOfHit(parts, hit, kind));
  }
  const beliefs = [...files].flatMap((file) => beliefsIn(parts, file)).concat(entries, imagined);
  const likeness = await parts.likeness(
    text,
    beliefs.map((belief) => belief.text),
  );
  return beliefs
    .map((belief, index) => Object.assign(belief, { statement: statementOf(belief), similarity: likeness[index] ?? 0 }))
    .filter((belief) => belief.similarity >= MIN_SIMILARITY || statesSameProperty(belief, candidate))
    .sort((left, right) => right.similarity - left.similarity);
}

/** Finds what says the same and no longer holds. */
export function findEnded(
  known: readonly KnownBelief[],
  candidate: Candidate,
  timeZone: string,
): KnownBelief | undefined {
  const saidOn = localTime(candidate.saidMs, timeZone).date;
  return known.find((belief) => isHistory(candidate, saidOn, belief) && sameWords(belief.text, candidate.statement));
}

/** The beliefs to compare a candidate with: each comparison may cost a call. */
export function mostAlike(known: readonly KnownBelief[], candidate: Candidate): readonly KnownBelief[] {
  const properties = known.filter((belief) => statesSameProperty(belief, candidate));
  return [...new Set([...properties, ...known])].slice(0, MAX_COMPARED);
}

/** A belief that a dry run would have written. */
export interface ImaginedBelief extends Belief {
  /** Beliefs that would no longer hold. */
  readonly ends?: readonly string[] | undefined;
}

const SORTS: Readonly<Partial<Record<KnowledgeKind, Belief['sort']>>> = { decision: 'decision', task: 'task' };

/** The belief that would exist after a dry run had written a statement. */
export function imagine(candidate: Candidate, path: string, ends: readonly string[]): ImaginedBelief & EntityBelief {
  const { kind, statement, trust, saidMs, evidence, subject, attribute, value } = candidate;
  return {
    id: `imagined ${evidence.session} ${evidence.turns.join(' ')} ${statement}`,
    path,
    text: statement,
    trust,
    sinceMs: saidMs,
    evidence: evidence.turns.map((turn) => `${evidence.session}#${turn}`),
    sort: SORTS[kind] ?? 'fact',
    kind,
    ...(subject === undefined ? {} : { subject: subject.isUser === true ? THE_USER : subject.name }),
    meta: { ...(attribute === undefined ? {} : { attribute }), ...(value === undefined ? {} : { value }) },
    ends,
  };
}

type EntityBelief = Belief & { readonly meta?: ItemMetadata; readonly subject?: string };

function statesSameProperty({ statement }: KnownBelief, { attribute, subject }: Candidate): boolean {
  return attribute !== undefined && statement.attribute === attribute && subject !== undefined;
}

function statementOf(belief: EntityBelief): Statement {
  const { attribute, value } = (belief.meta ?? {}) as { readonly attribute?: string; readonly value?: string };
  return { text: belief.text, saidMs: belief.sinceMs, kind: belief.kind, subject: belief.subject, attribute, value };
}

function beliefOfHit(
  { fs, root }: KnownParts,
  hit: Awaited<ReturnType<MemorySearch['ask']>>['hits'][number],
  kind: 'episode' | 'procedure',
): EntityBelief {
  const { session, turn } = hit.provenance;
  const file = kind === 'episode' ? fs.read(`${root}/${hit.path}`)?.toString('utf8') : undefined;
  return {
    id: hit.id,
    path: hit.path,
    text: (file === undefined ? undefined : readEntryText(file, hit.id)) ?? hit.snippet,
    trust: hit.trust,
    sinceMs: hit.time === null ? 0 : Date.parse(hit.time),
    evidence: session === null || turn === null ? [] : [`${session}#${turn}`],
    sort: kind === 'episode' ? 'entry' : 'procedure',
  };
}

/** The beliefs in an entity's file: current ones, and history (superseded facts, ended decisions, closed tasks). */
function beliefsIn(parts: KnownParts, file: string): EntityBelief[] {
  const bytes = parts.fs.read(`${parts.root}/${file}`);
  if (bytes === undefined) return [];
  const entity = parseEntityWithIds(parseDocument(bytes.toString('utf8')), file);
  const belief = (item: EntityItem, sort: Belief['sort'], isEnded: boolean, date?: string): EntityBelief[] => {
    if (item.id === undefined) return [];
    const found = toBelief(parts, {
      file,
      subject: subjectOf(entity, item),
      item: { ...item, id: item.id },
      sort,
      date,
    });
    return [isEnded ? { ...found, endedOn: (item.meta as { readonly until?: string }).until ?? '' } : found];
  };
  return [
    ...entity.facts.flatMap((fact) => belief(fact, 'fact', fact.isSuperseded, fact.meta.from)),
    ...entity.decisions.flatMap((decision) => {
      const { status } = decision.meta;
      return belief(decision, 'decision', status !== undefined && status !== 'active', decision.date);
    }),
    ...entity.tasks.flatMap((task) => belief(task, 'task', task.status === 'done' || task.status === 'dropped')),
  ];
}

/** Under one name on both sides of a comparison, whatever the user is called in a file or a sentence. */
export const THE_USER = 'the user';

/** The owner of the file, or the thing whose property is given: things without a file are described in their owner's. */
function subjectOf(entity: Entity, { text, meta }: EntityItem): string {
  const names = [entity.name, ...(entity.frontmatter.aliases ?? [])];
  return bearerBeside(names, text, (meta as FactMetadata).attribute) ?? subjectName(entity);
}

function subjectName({ id, name, frontmatter }: Entity): string {
  return id === 'person--user' || frontmatter.tags?.includes(USER_TAG) === true ? THE_USER : name;
}

interface EntityItem {
  readonly id: string | undefined;
  readonly text: string;
  readonly meta: ItemMetadata;
}

interface BeliefSource {
  readonly file: string;
  readonly subject: string;
  readonly item: EntityItem & { readonly id: string };
  readonly sort: Belief['sort'];
  /** When it began to hold, where the file says so. */
  readonly date: string | undefined;
}

function toBelief({ timeZone }: KnownParts, { file, subject, item, sort, date }: BeliefSource): EntityBelief {
  const { meta } = item;
  const trust: Trust = meta.trust ?? 'user';
  const said = meta.time === undefined ? undefined : Date.parse(meta.time);
  const learned = (meta as { readonly learned?: string }).learned;
  return {
    id: item.id,
    path: file,
    text: item.text,
    trust,
    sinceMs: said ?? momentOf(date ?? learned, undefined, timeZone) ?? 0,
    evidence: meta.evidence ?? [],
    sort,
    kind: sort === 'fact' ? kindOf(meta) : sort === 'decision' || sort === 'task' ? sort : undefined,
    meta,
    subject,
  };
}

/** The kind set by extraction; a fact written by hand may have any category. */
function kindOf(meta: FactMetadata): KnowledgeKind | undefined {
  return KNOWLEDGE_KINDS.find((kind) => kind === meta.category);
}
