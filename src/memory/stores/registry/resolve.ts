import { scopeCanSee, type Scope } from '../../../model/provenance.ts';
import type { EntityRecord } from './entity-record.ts';
import { foldName, withoutTitle } from './names.ts';
import type { NamedRecord } from './record-table.ts';

/** Whom a name means. Two that fit are never decided by chance: they are handed back. */
export type Resolution =
  | { readonly kind: 'entity'; readonly entity: EntityRecord; readonly by: MatchKind }
  | { readonly kind: 'candidates'; readonly candidates: readonly EntityRecord[]; readonly reason: string }
  | { readonly kind: 'none' };

export type MatchKind = 'id' | 'name' | 'alias' | 'part' | 'context';

export interface ResolveOptions {
  /** The expected type. */
  readonly type?: string | undefined;
  /** The words around it; a surname, role or employer there may decide between two. */
  readonly context?: string | undefined;
  /** Where the question comes from; private entities of other scopes do not exist there. */
  readonly scope?: Scope | undefined;
}

export interface Lookup {
  byForm(form: string): readonly NamedRecord[];
  byId(id: string): readonly EntityRecord[];
  /** The words that tell an entity from a namesake. */
  tellingWords(entity: EntityRecord): ReadonlySet<string>;
  contextWords(context: string): ReadonlySet<string>;
}

export function resolveName(name: string, options: ResolveOptions, lookup: Lookup): Resolution {
  const form = foldName(name.replace(/^\[\[([^\]|#]+).*\]\]$/su, '$1'));
  if (form === '') return { kind: 'none' };
  const found = find(form, options, lookup);
  const untitled = withoutTitle(form);
  const named = found.length > 0 || untitled === form ? found : find(untitled, options, lookup).filter(isPerson);
  if (named.length === 0) return findShorter(untitled, options, lookup);
  return choose(named, options, lookup);
}

function isPerson({ type }: EntityRecord): boolean {
  return type === 'person';
}

/** A scope's entities with that name; merged ones are replaced by their targets. */
function find(form: string, { scope = 'shared' }: ResolveOptions, lookup: Lookup): NamedRecord[] {
  const seen = new Map<string, NamedRecord>();
  for (const record of lookup.byForm(form)) {
    const target = followMerge(record, lookup);
    const { kind } = record;
    if (scopeCanSee(scope, target.scope) && !seen.has(target.path)) seen.set(target.path, { ...target, kind });
  }
  return [...seen.values()];
}

const MAX_MERGES = 10;

function followMerge(record: EntityRecord, lookup: Lookup): EntityRecord {
  let at = record;
  for (let step = 0; step < MAX_MERGES && at.mergedInto !== undefined; step += 1) {
    const next = lookup.byId(at.mergedInto.replace(/^\[\[|\]\]$/gu, '')).find(({ scope }) => scope === record.scope);
    if (next === undefined) break;
    at = next;
  }
  return at;
}

function choose(named: readonly NamedRecord[], options: ResolveOptions, lookup: Lookup): Resolution {
  const fitting = named.filter((record) => fits(record.type, options.type));
  if (fitting.length === 0) {
    return { kind: 'candidates', candidates: named, reason: `known as ${named[0]?.type}, not as ${options.type}` };
  }
  const [only, ...more] = fitting;
  if (only !== undefined && more.length === 0) return { kind: 'entity', entity: only, by: only.kind };
  const said = fitting.filter((record) => isSaidSo(record, fitting));
  if (said.length === 1 && said[0] !== undefined) return { kind: 'entity', entity: said[0], by: said[0].kind };
  // The same name in a scope of its own and in the shared memory: whoever is in the scope means their own.
  const own = fitting.filter(({ scope, kind }) => scope === options.scope && scope !== 'shared' && kind !== 'part');
  if (own.length === 1 && own[0] !== undefined) return { kind: 'entity', entity: own[0], by: own[0].kind };
  const decided = decideByContext(fitting, options.context, lookup);
  if (decided !== undefined) return { kind: 'entity', entity: decided, by: 'context' };
  return { kind: 'candidates', candidates: fitting, reason: `${fitting.length} are called so` };
}

/**
 * An id, an alias somebody gave, or a full name decides over part of another's name. A single first name does not: the
 * Jonas of one word and Jonas Weber are both called Jonas.
 */
function isSaidSo({ kind, name, type }: NamedRecord, all: readonly NamedRecord[]): boolean {
  if (kind === 'part') return false;
  const others = all.filter((other) => other.kind !== 'part').length;
  if (others > 1) return false;
  return kind !== 'name' || type !== 'person' || foldName(name).includes(' ');
}

/** Each of them has to be read; among more than this no word would single one out anyway. */
const MAX_COMPARED = 20;

function decideByContext(
  fitting: readonly NamedRecord[],
  context: string | undefined,
  lookup: Lookup,
): NamedRecord | undefined {
  const said = context === undefined ? new Set<string>() : lookup.contextWords(context);
  if (said.size === 0 || fitting.length > MAX_COMPARED) return undefined;
  const words = fitting.map((record) => lookup.tellingWords(record));
  const hits = words.map((own, index) => {
    const isTheirs = (word: string): boolean => words.some((other, at) => at !== index && other.has(word));
    return [...own].filter((word) => said.has(word) && !isTheirs(word)).length;
  });
  const matching = fitting.filter((_record, index) => (hits[index] ?? 0) > 0);
  return matching.length === 1 ? matching[0] : undefined;
}

/** `Jonas Weber` where only a `Jonas` is known: perhaps him, perhaps another. */
function findShorter(form: string, options: ResolveOptions, lookup: Lookup): Resolution {
  const first = form.split(' ')[0] ?? '';
  if (first === form || (options.type !== undefined && options.type.toLowerCase() !== 'person'))
    return { kind: 'none' };
  const shorter = find(first, options, lookup).filter(
    (record) => isPerson(record) && record.kind !== 'part' && !foldName(record.name).includes(' '),
  );
  if (shorter.length === 0) return { kind: 'none' };
  return { kind: 'candidates', candidates: shorter, reason: 'known by the first name only' };
}

/** Things that people, and programs, take for one another; a person or a place is never taken for a tool. */
const LOOSE_TYPES: ReadonlySet<string> = new Set([
  'concept',
  'document',
  'organization',
  'project',
  'service',
  'thing',
  'tool',
]);

function fits(type: string, wanted: string | undefined): boolean {
  const asked = wanted?.toLowerCase();
  if (asked === undefined || asked === type || asked === 'thing' || type === 'thing') return true;
  return LOOSE_TYPES.has(type) && LOOSE_TYPES.has(asked);
}
