import { wordSet } from './fold.ts';
import { LANGUAGES } from './languages/index.ts';
import { edgeWords, parsePatterns, type FillerAt, type Pattern } from './pattern.ts';
import type { LanguageTable, RuleGroup, TriggerLanguage } from './types.ts';

/** A language's table with its words looked up by set and its phrases parsed. */
export interface Grammar {
  readonly language: TriggerLanguage;
  readonly conjunctions: ReadonlySet<string>;
  readonly subjects: ReadonlySet<string>;
  readonly firstPerson: ReadonlySet<string>;
  readonly sayVerbs: ReadonlySet<string>;
  readonly not: ReadonlySet<string>;
  readonly pronouns: ReadonlySet<string>;
  readonly complementisers: ReadonlySet<string>;
  readonly generic: ReadonlySet<string>;
  readonly openers: ReadonlySet<string>;
  readonly nostalgia: ReadonlySet<string>;
  readonly determiners: ReadonlySet<string>;
  readonly permanence: readonly Pattern[];
  readonly permanenceStarts: ReadonlySet<string>;
  readonly fillerAt: FillerAt;
  /** Lead-ins by their last word. */
  readonly leadIns: ReadonlyMap<string, readonly LeadIn[]>;
}

export interface LeadIn {
  readonly pattern: Pattern;
  readonly asks: boolean;
}

export interface Rule {
  readonly group: RuleGroup;
  readonly pattern: Pattern;
  readonly grammar: Grammar;
}

function addTo<Item>(index: Map<string, Item[]>, words: Iterable<string>, item: Item): void {
  for (const word of words) {
    const items = index.get(word);
    if (items === undefined) index.set(word, [item]);
    else items.push(item);
  }
}

function indexLeadIns(table: LanguageTable): ReadonlyMap<string, readonly LeadIn[]> {
  const index = new Map<string, LeadIn[]>();
  const groups = [
    { phrases: table.leadIns, asks: false },
    { phrases: table.asks, asks: true },
  ];
  for (const { phrases, asks } of groups) {
    for (const pattern of parsePatterns(phrases)) addTo(index, edgeWords(pattern, true), { pattern, asks });
  }
  return index;
}

function compile(table: LanguageTable): Grammar {
  const fillers = wordSet(table.fillers);
  const permanent = parsePatterns(table.permanence);
  const permanentPhrases = permanent.map(({ elements }) => elements.map(({ words }) => words));
  const permanenceStarts = new Set<string>();
  for (const pattern of permanent) for (const word of edgeWords(pattern, false)) permanenceStarts.add(word);
  const fillerAt: FillerAt = (tokens, index) => {
    if (fillers.has(tokens[index]?.word ?? '')) return 1;
    const phrase = permanentPhrases.find((words) =>
      words.every((word, at) => word.has(tokens[index + at]?.word ?? '')),
    );
    return phrase?.length ?? 0;
  };
  return {
    language: table.language,
    conjunctions: wordSet(table.conjunctions),
    subjects: wordSet(table.subjects),
    firstPerson: wordSet(table.firstPerson),
    sayVerbs: wordSet(table.sayVerbs),
    not: wordSet(table.not),
    pronouns: wordSet(table.pronouns),
    complementisers: wordSet(table.complementisers),
    generic: wordSet(table.generic),
    openers: wordSet(table.openers),
    nostalgia: wordSet(table.nostalgia),
    determiners: wordSet(table.determiners),
    permanence: permanent,
    permanenceStarts,
    fillerAt,
    leadIns: indexLeadIns(table),
  };
}

function indexRules(): ReadonlyMap<string, readonly Rule[]> {
  const index = new Map<string, Rule[]>();
  for (const table of LANGUAGES) {
    const grammar = compile(table);
    for (const group of table.rules) {
      for (const pattern of parsePatterns(group.phrases)) {
        addTo(index, edgeWords(pattern, false), { group, pattern, grammar });
      }
    }
  }
  return index;
}

/** Every rule of every language by the words its phrase can start with. */
export const RULES = indexRules();
