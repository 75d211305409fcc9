import { MnemeError, must } from '../../../model/errors.ts';
import type { FactMetadata } from '../../../model/schemas/item.ts';
import { addFact, type Entity } from '../../../workspace/formats/entity.ts';
import { changeFact } from '../../../workspace/formats/entity-changes.ts';
import { supersedeFact, type Fact } from '../../../workspace/formats/entity-items.ts';
import type { MarkdownDocument } from '../../../workspace/markdown/document.ts';
import { newId, today, Told, type Plan, type StoreParts } from '../plan.ts';
import { sameWords } from '../../../model/same-words.ts';
import { type EntityRef, changeEntity, missingItem, parseEntityWithIds } from './entity-edit.ts';
import { oneLine } from '../../../model/text.ts';

/** A new fact about an entity. `attribute` and `value` name a property that has one value at a time. */
export interface NewFact {
  /** Made when not given. */
  readonly id?: string | undefined;
  readonly text: string;
  readonly meta?: FactMetadata | undefined;
  readonly attribute?: string | undefined;
  readonly value?: string | undefined;
  /** Keep the text to the letter beside the line it becomes. */
  readonly isExact?: boolean | undefined;
}

export interface FactStated {
  /** The fact that says it now: the new one, or the one that said so already. */
  readonly id: string;
  readonly outcome: 'added' | 'reinforced' | 'present';
}

/**
 * Adds a fact. One that stands there in the same words is not said twice: it counts as verified once more, unless it
 * rests on the very same evidence.
 */
export function planFact(parts: StoreParts, entity: EntityRef, given: NewFact): Plan<FactStated> {
  const fact = factOf(parts, given);
  const told = new Told<FactStated>();
  const change = changeEntity(parts, entity, (document) => stateFact(document, { entity, fact, parts, told }));
  return { changes: [change], notes: [], outcome: () => told.get() };
}

export interface Reinforcement {
  /** Transcript turns it rests on; what is known of them already confirms nothing new. */
  readonly evidence?: readonly string[] | undefined;
  /** Today when not given. */
  readonly date?: string | undefined;
}

/** Counts a fact, or a relation, as confirmed once more. */
export function planReinforce(
  parts: StoreParts,
  entity: EntityRef,
  id: string,
  confirmed: Reinforcement = {},
): Plan<FactStated> {
  const told = new Told<FactStated>();
  const { evidence = [], date = today(parts) } = confirmed;
  const change = changeEntity(parts, entity, (document) => {
    const [after, outcome] = reinforce(document, entity, id, { evidence, date });
    told.set({ id, outcome });
    return after;
  });
  return { changes: [change], notes: [], outcome: () => told.get() };
}

export interface Supersession {
  /** From when the old one no longer holds: what replaces it says when it began, else today. */
  readonly until?: string | undefined;
  /** The fact that replaces it, in the same file. */
  readonly replacement?: NewFact | undefined;
  /** Where something elsewhere holds instead. */
  readonly supersededBy?: string | undefined;
}

export interface FactSuperseded {
  readonly superseded: string;
  readonly replacement: FactStated | undefined;
}

/**
 * Strikes a fact, or a relation, through and dates it; what replaces it names it. Done twice it is done once. When
 * somebody else replaced it by something different meanwhile, nobody's word is taken for the other's.
 */
export function planSupersede(
  parts: StoreParts,
  entity: EntityRef,
  id: string,
  given: Supersession,
): Plan<FactSuperseded> {
  const until = given.until ?? given.replacement?.meta?.from ?? today(parts);
  const { replacement: next } = given;
  const fact = next === undefined ? undefined : factOf(parts, { ...next, meta: { ...next.meta, supersedes: [id] } });
  const told = new Told<FactSuperseded>();
  const change = changeEntity(parts, entity, (document) => {
    const old = requireStatement(document, entity, id);
    const stated = new Told<FactStated>();
    const by = fact?.id ?? given.supersededBy;
    if (old.isSuperseded) return settled(document, { entity, old, id, fact, by, told });
    refuseLater(old, { until, learned: fact?.meta.learned }, entity);
    if (fact !== undefined && sameWords(old.text, fact.text)) {
      throw new MnemeError('usage', `^${id} in ${entity.path} says the same as what would replace it.`);
    }
    const after = fact === undefined ? document : stateFact(document, { entity, fact, parts, told: stated });
    const replacement = fact === undefined ? undefined : stated.get();
    told.set({ superseded: id, replacement });
    const struckBy = replacement?.id ?? by;
    return must(
      changeFact(after, entity.path, id, (known) => supersedeFact(known, until, struckBy)),
      `^${id}`,
    );
  });
  return { changes: [change], notes: [], outcome: () => told.get() };
}

interface SettledInput {
  readonly entity: EntityRef;
  readonly old: Fact;
  readonly id: string;
  readonly fact: Statement | undefined;
  readonly by: string | undefined;
  readonly told: Told<FactSuperseded>;
}

/** Nothing to do where the same was done before. */
function settled(document: MarkdownDocument, { entity, old, id, fact, by, told }: SettledInput): MarkdownDocument {
  const { facts } = parseEntityWithIds(document, entity.path);
  const current = facts.filter((known) => !known.isSuperseded);
  const said = fact === undefined ? undefined : current.find((known) => sameWords(known.text, fact.text));
  const isSame = fact === undefined ? by === undefined || old.meta.superseded_by === by : said !== undefined;
  if (!isSame) {
    throw new MnemeError('conflict', `^${id} in ${entity.path} was replaced by something else meanwhile.`, {
      hint: 'Look at what holds now, then state the difference.',
    });
  }
  const replacement = said?.id === undefined ? undefined : ({ id: said.id, outcome: 'present' } as const);
  told.set({ superseded: id, replacement });
  return document;
}

/** A fact that began or was learned later cannot have ended earlier: an old log must not undo later facts. */
function refuseLater(
  old: Fact,
  { until, learned }: { readonly until: string; readonly learned: string | undefined },
  entity: EntityRef,
): void {
  const { from, learned: oldLearned } = old.meta;
  const isNewer = isLater(from, until) || isLater(oldLearned, learned);
  if (!isNewer) return;
  const since = isLater(from, until) ? `holds since ${from}` : `was learned on ${oldLearned}`;
  throw new MnemeError(
    'conflict',
    `A fact of ${learned ?? until} cannot replace ^${old.id} in ${entity.path}, which ${since}.`,
    {
      hint: 'Add the older fact with the date until which it held.',
    },
  );
}

/** Compared as far as both are known: March is not later than its year. */
function isLater(date: string | undefined, than: string | undefined): boolean {
  if (date === undefined || than === undefined) return false;
  return date.slice(0, than.length) > than.slice(0, date.length);
}

type Statement = Fact & { readonly id: string };

function factOf(parts: StoreParts, { id, text, meta = {}, attribute, value, isExact }: NewFact): Statement {
  const words = oneLine(text.toWellFormed())
    .replaceAll(/^~~+|~~+$/gu, '')
    .trim();
  if (words === '') throw new MnemeError('usage', 'A fact needs words.');
  const now = today(parts);
  const property = { ...(attribute === undefined ? {} : { attribute }), ...(value === undefined ? {} : { value }) };
  // An ended fact is shown as such: the metadata alone would leave it looking current.
  const isOver = meta.until !== undefined && meta.until <= now;
  return {
    id: id ?? newId(parts),
    text: words,
    meta: { learned: now, ...property, ...(isExact === true && words !== text ? { said: [text] } : {}), ...meta },
    isSuperseded: isOver,
  };
}

interface StateInput {
  readonly entity: EntityRef;
  readonly fact: Statement;
  readonly parts: StoreParts;
  readonly told: Told<FactStated>;
}

function stateFact(document: MarkdownDocument, { entity, fact, parts, told }: StateInput): MarkdownDocument {
  const known = findSame(parseEntityWithIds(document, entity.path), fact);
  if (known?.id === undefined) {
    told.set({ id: fact.id, outcome: 'added' });
    return addFact(document, fact);
  }
  if (known.id === fact.id) {
    told.set({ id: fact.id, outcome: 'present' });
    return document;
  }
  const { evidence = [], learned = today(parts), supersedes = [] } = fact.meta;
  const [after, outcome] = reinforce(document, entity, known.id, { evidence, date: learned });
  told.set({ id: known.id, outcome });
  return supersedes.length === 0 ? after : noteSuperseded(after, entity, known.id, supersedes);
}

function findSame({ facts }: Entity, fact: Statement): Fact | undefined {
  return (
    facts.find(({ id }) => id === fact.id) ??
    facts.find((known) => known.isSuperseded === fact.isSuperseded && sameWords(known.text, fact.text))
  );
}

function noteSuperseded(
  document: MarkdownDocument,
  entity: EntityRef,
  id: string,
  supersedes: readonly string[],
): MarkdownDocument {
  const add = (fact: Fact): Fact => ({
    ...fact,
    meta: { ...fact.meta, supersedes: [...new Set([...(fact.meta.supersedes ?? []), ...supersedes])] },
  });
  return must(changeFact(document, entity.path, id, add), `^${id}`);
}

/** More evidence than this only makes the line long. */
const MAX_EVIDENCE = 5;

function reinforce(
  document: MarkdownDocument,
  entity: EntityRef,
  id: string,
  { evidence, date }: { readonly evidence: readonly string[]; readonly date: string },
): [MarkdownDocument, 'reinforced' | 'present'] {
  const known = requireStatement(document, entity, id);
  const seen = known.meta.evidence ?? [];
  const fresh = evidence.filter((turn) => !seen.includes(turn));
  if (evidence.length > 0 && fresh.length === 0) return [document, 'present'];
  const grown = [...seen, ...fresh].slice(0, MAX_EVIDENCE);
  const lastVerified = known.meta.last_verified;
  const meta: FactMetadata = {
    ...known.meta,
    ...(grown.length === 0 ? {} : { evidence: grown }),
    verified: (known.meta.verified ?? 0) + 1,
    last_verified: lastVerified !== undefined && lastVerified > date ? lastVerified : date,
  };
  return [
    must(
      changeFact(document, entity.path, id, (fact) => ({ ...fact, meta })),
      `^${id}`,
    ),
    'reinforced',
  ];
}

/** The fact or relation of that id, as it stands now. */
function requireStatement(document: MarkdownDocument, entity: EntityRef, id: string): Fact {
  const { facts, relations } = parseEntityWithIds(document, entity.path);
  const fact = facts.find((known) => known.id === id);
  if (fact !== undefined) return fact;
  const relation = relations.find((known) => known.id === id);
  if (relation === undefined) throw missingItem(entity, id);
  return {
    id,
    text: `${relation.relation} [[${relation.target}]]`,
    meta: relation.meta,
    isSuperseded: relation.isSuperseded,
  };
}
