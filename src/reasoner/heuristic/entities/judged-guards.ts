import { splitSentences } from '../text/sentences.ts';
import { isFirstName, isPlaceName, type Lexicon } from './lexicon.ts';
import { isNoName } from './read-forms.ts';

/** A relation that the model reads in a message, under the names written there; undefined is the speaker. */
export interface JudgedRelation {
  /** As in `RELATION_FAMILIES`. */
  readonly family: string;
  readonly subject: string | undefined;
  readonly object: string | undefined;
}

/** Evidence for names besides their spelling. */
export interface KnownWords {
  readonly lexicon: Lexicon;
  readonly isKnown: (name: string) => boolean;
}

const LEADING =
  'manag\\w*|boss(?:es)?|leads?|leading|heads?|runs?|running|in charge|supervis\\w*|chief|overse\\w+|directs?|director|captain|report(?:s|ing)?(?: \\w+ly| straight| up| back)? to|answers? to|coordinat\\w+|responsible';

/** Words of a family: around two names, with none of them, a sentence mostly says something else. */
const CUES: Readonly<Record<string, string>> = {
  'works for':
    'work\\w*|job|employ\\w*|hired?|join(?:ed|s)|payroll|staff|boss|colleagues?|engineer|developer|manager|director|teacher|nurse|doctor|clerk|accountant|apprentice|intern|assistant|C[TEFO]O|head|(?:at|with|from|for) (?:the )?OBJECT',
  manages: LEADING,
  'reports to': LEADING,
  'lives in': 'liv(?:e|es|ing)|moved|home|resid\\w+|settled|rent(?:s|ing)?|flat|apartment|address|based',
  'married to': 'marri(?:ed|age)|wife|husband|spouse|wed(?:ding)?|hubby|couple|spouses',
  'parent of':
    'sons?|daughters?|kids?|child(?:ren)?|mother|mum|mom|dad|father|parents?|boys?|girls?|baby|twins|youngest|eldest|oldest|mama|papa|triplets',
  'sibling of': 'brothers?|sisters?|siblings?|twins?|bro|sis',
  uses: 'us(?:e|es|ing)|switched|moved|rel(?:y|ies)|works? (?:with|in)|runs? on|writes? in|on OBJECT|through OBJECT|with OBJECT|in OBJECT',
  'depends on':
    "depend\\w*|needs?|rel(?:y|ies|ying)|requires?|without|w\\/o|crash\\w*|down|dies|dead|breaks?|fails?|unless|talks? to|hangs? off|can't start|waits? for|reads? from|useless",
  owns: "owns?|owned|owner|belongs?|bought|property|mine|SUBJECT's",
  'part of':
    'parts?|belongs?|inside|within|pieces?|division|department|section|sub\\w+|modules?|component|under|one of',
  'deployed on':
    "runs?|running|deploy\\w*|hosted|hosts?|lives?|living|sits?|(?:is|are|now) on OBJECT|'s on OBJECT|served|moved",
  founded: 'found(?:ed|er|ers|ing)|co-founded|started|set up|creat(?:ed|or)|establish\\w*|launched|built|began',
  'member of':
    'members?|joined|belongs?|board|committee|treasurer|president|secretary|chair\\w*|captain|plays?|sings?|band|choir|team|club|squad|part of|drummer|singer|goalkeeper',
  'replaced by':
    'replac\\w*|instead|switch\\w*|migrat\\w*|moved|swapp?\\w*|gone|retired?|dropp?\\w*|no more|no longer|took over|takes over|ditch\\w*|used to|→|->|now|since|away from|got rid|successor|stead',
  'located in': 'located|based|office|in (?:the )?OBJECT|headquarters?|at OBJECT|registered',
};

/** The sentence denies, supposes, wishes, plans, quotes or tells of another time. */
const UNDONE =
  /\b(?:if|whether|unless|wish\w*|hop(?:e|es|ed|ing|efully)|imagin\w+|suppos\w+|pretend\w*|dream\w*|maybe|perhaps|possibly|probably|might|could|would|should|rumou?rs?|apparently|allegedly|claim\w*|thinks?|thought|guess\w*|not|never|nobody|neither|used to|formerly|going to|(?:was|were) married|as if|as though|joke)\b|n't\b|'d\b/iu;

/** A program that needs or takes the place of another is often told by what happens without it. */
const BEARS_DENIAL: ReadonlySet<string> = new Set(['depends on', 'replaced by']);
/** Families of programs, of which people write the names without capitals. */
const OF_PROGRAMS: ReadonlySet<string> = new Set(['uses', 'depends on', 'deployed on', 'part of', 'replaced by']);
/** Whatever is typed without capitals, too many other words stand where these have a name. */
const ONLY_PROPER: ReadonlySet<string> = new Set(['located in', 'owns']);
const OF_KIN: ReadonlySet<string> = new Set(['married to', 'parent of', 'sibling of']);
/** "His wife" is not the speaker's. */
const OF_OTHERS = String.raw`(?<!\b(?:his|her|their|your|whose|\p{L}+'s) (?:\p{L}+ )?)`;
/** Another clause begins: "Ada moved to Graz, so don't write to Linz any more". */
const CLAUSE_END = /[;–—]|, (?:so|but|and|because|which)\b|\. /giu;

/** The chance from which a relation is taken as stated where words of its family stand around its ends, and elsewhere. */
const STATED = 0.6;
const STATED_WITHOUT_CUE = 0.95;
/** Names farther apart belong to different statements; so do words farther from them. */
const MAX_APART_CHARS = 90;
const CUE_CHARS = 50;

/**
 * The chance that the model has to give a relation. Infinity where an end is no name, or no sentence states it:
 * one that asks, quotes, supposes, denies or tells of another time does not. A wrong edge costs more than a missing one.
 * Chosen on bench/data/relations/workshop.txt and by reading what was written from bench/data/knowledge.
 */
export function chanceNeeded(text: string, relation: JudgedRelation, { lexicon, isKnown }: KnownWords): number {
  const { family, subject, object } = relation;
  const read = text.replaceAll('’', "'");
  const isTypedSmall = !/(?<=[\p{L},] )(?!I\b)\p{Lu}/u.test(read);
  const canBeSmall = OF_PROGRAMS.has(family) || (isTypedSmall && !ONLY_PROPER.has(family));
  const isEnd = (name: string | undefined): boolean =>
    name === undefined || isKnown(name) || isNamed(name, { text: read, canBeSmall, lexicon });
  if (!isEnd(subject) || !isEnd(object)) return Number.POSITIVE_INFINITY;
  const cue = cueOf(relation);
  const needed = splitSentences(read).map(({ text: sentence, isAsked }) => {
    const [from, to] = [placeOf(subject, sentence), placeOf(object, sentence)];
    if (from === undefined || to === undefined || isAsked) return Number.POSITIVE_INFINITY;
    const [first, last] = [Math.min(from, to), Math.max(from, to)];
    const isQuoted = /["“”«»]/u.test(sentence.slice(0, last));
    const isUndone = UNDONE.test(clauseOf(sentence, first, last)) && !BEARS_DENIAL.has(family);
    if (isQuoted || isUndone || last - first > MAX_APART_CHARS) return Number.POSITIVE_INFINITY;
    const around = sentence.slice(Math.max(0, first - CUE_CHARS), last + CUE_CHARS);
    return cue.test(around) ? STATED : STATED_WITHOUT_CUE;
  });
  return Math.min(Number.POSITIVE_INFINITY, ...needed);
}

function cueOf({ family, subject, object }: JudgedRelation): RegExp {
  const words = (CUES[family] ?? '').replaceAll('SUBJECT', escaped(subject)).replaceAll('OBJECT', escaped(object));
  const isOwnKin = OF_KIN.has(family) && (subject === undefined || object === undefined);
  return new RegExp(`${isOwnKin ? OF_OTHERS : ''}(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, 'iu');
}

/** The part of a sentence in which both places lie. */
function clauseOf(sentence: string, first: number, last: number): string {
  const ends = Array.from(sentence.matchAll(CLAUSE_END), ({ index }) => index);
  return sentence.slice(ends.findLast((end) => end < first) ?? 0, ends.find((end) => end > last) ?? sentence.length);
}

const SPEAKER = /(?<![\p{L}\p{N}])(?:I|me|my|mine|myself|we|us|our|ours)(?![\p{L}\p{N}])/iu;

/** Where a name stands in a sentence, or a word for the speaker. */
function placeOf(name: string | undefined, sentence: string): number | undefined {
  const pattern =
    name === undefined ? SPEAKER : new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}(?![\\p{L}\\p{N}])`, 'iu');
  return pattern.exec(sentence)?.index;
}

function escaped(name = ''): string {
  return name.replaceAll('’', "'").replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
}

/** "The planer" and "our bookshop" are no names. */
const BEHIND_ARTICLE = /\b(?:the|an?|my|our|your|his|her|its|their|this|that|these|those|some|any|no) (?:\p{Ll}+ )?$/u;

interface Place {
  readonly text: string;
  /** Also without a capital, where the dictionary does not know the word. */
  readonly canBeSmall: boolean;
  readonly lexicon: Lexicon;
}

/** Whether words name something: not "I'll", "Different" at the beginning of a sentence, or "cello". */
function isNamed(name: string, { text, canBeSmall, lexicon }: Place): boolean {
  const words = name
    .replaceAll('’', "'")
    .split(/\s+/u)
    .filter((word) => /\p{L}/u.test(word));
  if (words.some((word) => isNoName(word) || /^(?:i|you|he|she|it|we|they)'/iu.test(word))) return false;
  const before = text.slice(0, Math.max(0, text.indexOf(name)));
  const isFirst = /(?:^|[.!?:(\n])\s*$/u.test(before);
  return words.some((word) => {
    const bare = word.replace(/'s$/u, '');
    if (/\p{L}[-_.]\p{L}|\d|\p{Ll}\p{Lu}/u.test(bare)) return true;
    const isProper = isFirstName(lexicon, bare) || isPlaceName(lexicon, bare);
    const isCommon = !isProper && (lexicon.classesOf(bare).length > 0 || !isNoun(bare, lexicon));
    if (/^\p{Lu}/u.test(bare)) return !isFirst || !isCommon || words.length > 1;
    return words.length === 1 && !isCommon && (canBeSmall || isProper) && !BEHIND_ARTICLE.test(before);
  });
}

/** By its form and its neighbours; the dictionary does not know "different". */
function isNoun(word: string, lexicon: Lexicon): boolean {
  const [first] = lexicon.wordsIn(word);
  return first?.tags.has('Noun') === true && !first.tags.has('Plural');
}
