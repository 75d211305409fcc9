import { extractTerms } from '../../search-index/text/terms.ts';
import { namesOfEntity, type AliasTable } from './names.ts';
import type { Expansion, ExpansionReason, FoundEntity, WeightedTerm } from './understanding.ts';
import { IRREGULAR_FORMS } from './vocabulary/irregular-forms.ts';
import { CALENDAR_GROUPS, NUMBER_GROUPS } from './vocabulary/numbers.ts';
import { SYNONYM_GROUPS } from './vocabulary/synonyms.ts';

/** Each expansion costs a posting list; past these, a question has become another question. */
const MAX_EXPANSIONS = 64;
const MAX_EXPANDED_TERMS = 24;
const MAX_ALIASES_PER_ENTITY = 8;

/** Another form of the same word is nearly the word itself; a synonym is a guess. */
const WEIGHTS: Readonly<Record<Exclude<ExpansionReason, 'beginning'>, number>> = {
  form: 0.8,
  calendar: 0.6,
  number: 0.6,
  alias: 0.5,
  synonym: 0.4,
};

type Reason = keyof typeof WEIGHTS;

interface Relative {
  readonly term: string;
  readonly reason: Reason;
}

type Vocabulary = ReadonlyMap<string, readonly Relative[]>;

const SOURCES: readonly (readonly [Reason, string])[] = [
  ['form', IRREGULAR_FORMS],
  ['calendar', CALENDAR_GROUPS],
  ['number', NUMBER_GROUPS],
  ['synonym', SYNONYM_GROUPS],
];

let vocabulary: Vocabulary | undefined;

/** By index term, made when the first question asks: a process that only writes need not pay for it. */
function getVocabulary(): Vocabulary {
  vocabulary ??= buildVocabulary();
  return vocabulary;
}

function buildVocabulary(): Vocabulary {
  const relatives = new Map<string, Relative[]>();
  const addRelative = (from: string, to: string, reason: Reason): void => {
    const known = relatives.get(from) ?? [];
    if (from === to || known.some(({ term }) => term === to)) return;
    relatives.set(from, [...known, { term: to, reason }]);
  };
  for (const [reason, groups] of SOURCES) {
    for (const line of groups.trim().split('\n')) {
      const terms = line.split(' ').flatMap((word) => extractTerms(word).slice(0, 1));
      for (const from of terms) for (const to of terms) addRelative(from, to, reason);
    }
  }
  // A question about kids may have to find children: a synonym counts in all its forms.
  for (const [from, known] of relatives) {
    for (const { term, reason } of known.slice()) {
      if (reason !== 'synonym') continue;
      for (const form of relatives.get(term) ?? []) if (form.reason === 'form') addRelative(from, form.term, 'synonym');
    }
  }
  return relatives;
}

/** Further terms for what was asked; never a term of the question itself, each once, the most certain first. */
export function expandTerms(
  terms: readonly WeightedTerm[],
  entities: readonly FoundEntity[],
  aliases: AliasTable,
): Expansion[] {
  const asked = new Set(terms.map(({ term }) => term));
  const found = new Map<string, Expansion>();
  const add = (term: string, of: string, reason: Reason, share: number): void => {
    const weight = WEIGHTS[reason] * share;
    if (!asked.has(term) && weight > (found.get(term)?.weight ?? 0)) found.set(term, { term, weight, of, reason });
  };
  for (const { id, confidence } of entities) {
    for (const name of namesOfEntity(aliases, id).slice(0, MAX_ALIASES_PER_ENTITY)) {
      for (const term of extractTerms(name)) add(term, id, 'alias', confidence);
    }
  }
  for (const { term, weight, isPerson } of terms.slice(0, MAX_EXPANDED_TERMS)) {
    if (isPerson) continue;
    for (const relative of getVocabulary().get(term) ?? [])
      add(relative.term, term, relative.reason, Math.min(1, weight));
  }
  return [...found.values()].sort((one, other) => other.weight - one.weight).slice(0, MAX_EXPANSIONS);
}
