import { extractTerms } from '../../search-index/text/terms.ts';
import { namesOfEntity, type AliasTable } from './names.ts';
import type { Expansion, ExpansionReason, FoundEntity, WeightedTerm } from './understanding.ts';
import { IRREGULAR_FORMS } from './vocabulary/irregular-forms.ts';
import { SYNONYM_GROUPS } from './vocabulary/synonyms.ts';

/** A line per number: the figure and how it is said. Ordinals stand with theirs ("3rd", "third"). */
const NUMBER_GROUPS = `
1 one
2 two
3 three
4 four
5 five
6 six
7 seven
8 eight
9 nine
10 ten
11 eleven
12 twelve
13 thirteen
14 fourteen
15 fifteen
16 sixteen
17 seventeen
18 eighteen
19 nineteen
20 twenty
30 thirty
40 forty
50 fifty
60 sixty
70 seventy
80 eighty
90 ninety
100 hundred
1000 thousand
1st first
2nd second
3rd third
4th fourth
5th fifth
6th sixth
7th seventh
8th eighth
9th ninth
10th tenth
`;

/** Short and long names of weekdays and months. Not those whose short form is another word: sat, sun, mar. */
const CALENDAR_GROUPS = `
monday mon
tuesday tue tues
wednesday wed
thursday thu thurs
friday fri
january jan
february feb
april apr
june jun
july jul
august aug
september sep sept
october oct
november nov
december dec
`;

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
