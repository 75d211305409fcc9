import type { franc as Franc } from 'franc-min';
import { capitalise } from '../../../model/text.ts';
import type { HeardTurn } from '../../port.ts';
import { splitSentences } from '../text/sentences.ts';
import { withoutMarked } from '../../../judge/handed-over/marked.ts';
import { spoken, wordsOf } from '../text/words.ts';
import { takeOpeners } from './openers.ts';

/** One statement of a turn, in the author's own words. */
export interface Utterance {
  readonly turn: HeardTurn;
  readonly turnIndex: number;
  /** Its place among the turn's statements. */
  readonly index: number;
  /** The number of its sentence in the turn. */
  readonly sentence: number;
  /** The number of its line in the message. */
  readonly line: number;
  readonly text: string;
  /** Lower case; code spans and long quotations are stand-ins, so that nothing inside them counts as said. */
  readonly plain: string;
  readonly openers: readonly string[];
  readonly isAsked: boolean;
  readonly isListed: boolean;
  readonly number?: number | undefined;
  readonly language: Language;
}

export function utterancesOf(turn: HeardTurn, turnIndex: number, guessByLetters: GuessByLetters): Utterance[] {
  const own = withoutMarked(tidy(spoken(turn.text))).replaceAll(/\s(?:um+|uh+|uhm|erm?)\s/giu, '. ');
  const language = guessLanguage(own, wordsOf(own.slice(0, 2000)), guessByLetters);
  const utterances: Utterance[] = [];
  let carried: readonly string[] = [];
  for (const [sentenceIndex, sentence] of splitSentences(own).entries()) {
    const parts = splitStatements(sentence.text);
    for (const [place, part] of parts.entries()) {
      const { openers: ownOpeners, text } = takeOpeners(part);
      const openers = [...carried, ...ownOpeners];
      // "No. Half past seven.": the opener belongs to what follows it.
      carried = text === '' ? openers : [];
      if (text === '') continue;
      utterances.push({
        turn,
        turnIndex,
        index: utterances.length,
        sentence: sentenceIndex,
        line: sentence.line,
        text: text.trim(),
        plain: plainOf(text),
        openers,
        isAsked: sentence.isAsked && place === parts.length - 1,
        isListed: sentence.isListed,
        number: sentence.number,
        language,
      });
    }
  }
  if (utterances.length === 0 && carried.length > 0) utterances.push(bare(turn, turnIndex, carried, language));
  return utterances;
}

/** A turn that is nothing but "yes". */
function bare(turn: HeardTurn, turnIndex: number, openers: readonly string[], language: Language): Utterance {
  return {
    turn,
    turnIndex,
    index: 0,
    sentence: 0,
    line: 0,
    text: '',
    plain: '',
    openers,
    isAsked: false,
    isListed: false,
    language,
  };
}

export function plainOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/`[^`]*`/gu, 'codeterm')
    .replaceAll(/"([^"]*)"/gu, (_whole, inner: string) => (inner.split(/\s+/u).length > 3 ? 'quotedtext' : inner))
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

/** Subjects that can stand at the head of a statement of its own. */
const SUBJECT =
  "(?:i|i'm|i've|i'll|i'd|we|we're|we've|we'll|we'd|my|our|the|let's|please|don't|never|always|remind|there's|there|if|when|whenever|every|he|she|he's|she's|he'll|she'll|\\p{Lu}[\\p{L}]+(?:'s)?|[a-z]+'s\\s+[a-z]+\\s+is)";

/** Words between two statements of one sentence; "so", "because" and "since" give reasons and stay. */
const JOINT = new RegExp(
  `(?:,\\s*(?:and|but|plus|also|and also|oh and|btw|by the way|though|while|whereas)\\s+(?:also\\s+|then\\s+|btw\\s+)?|\\s+(?:and also|oh and|and btw|btw|plus|but)\\s+|\\s+and\\s+(?=(?:i|we|i'm|we're|i've|we've|i'll|we'll|my|our|let's|please|remind|never|always|he|she|she's|he's)\\s)|\\s+[–—]\\s+|\\s+--?\\s+|,\\s+(?=(?:let's|we'll|i'll|please|remind me|we're going|i'm going)\\s))`,
  'giu',
);
const HEAD = new RegExp(`^${SUBJECT}\\s+\\S+`, 'u');
const VERBISH =
  /\b(?:is|are|was|were|am|be|has|have|had|will|won't|would|can|can't|must|should|do|does|did|don't|doesn't|didn't|need|needs|want|wants|let's|goes|go|use|uses|get|gets|got|like|likes|love|hate|prefer|keep|take|takes|make|makes|run|runs|live|lives|work|works|start|starts|moved|remind|never|always|please)\b|'(?:m|re|ve|ll|s|d)\b|\p{L}{3,}(?:ed|es)\b/iu;
const MIN_WORDS = 3;
/** Steps in order, or what belongs to a heading: cut apart, none of them says what it is for. */
const STEPS =
  /^(?:(?:to|if|when|whenever|for|first|after|before)\b.*,? then\b|(?:for|to|when|if) [^:,]{3,40}: [^,]+,[^,]+,|[^:,]{3,40}: first\b)/iu;

/** A sentence cut into the statements it joins; a part that cannot stand alone stays with its neighbour. */
function splitStatements(sentence: string): string[] {
  if (STEPS.test(sentence)) return [sentence];
  const parts: string[] = [];
  let start = 0;
  for (const match of sentence.matchAll(JOINT)) {
    const left = sentence.slice(start, match.index);
    const right = sentence.slice(match.index + match[0].length);
    if (!canStand(left, false) || !canStand(right, true) || isInside(sentence, match.index)) continue;
    parts.push(left);
    start = match.index + match[0].length;
  }
  parts.push(sentence.slice(start));
  return parts.map((part) => part.replace(/^[\s,;:–—-]+/u, '').trim()).filter((part) => part !== '');
}

function canStand(part: string, needsSubject: boolean): boolean {
  const words = part.trim().split(/\s+/u);
  if (words.length < MIN_WORDS || !VERBISH.test(part)) return false;
  return !needsSubject || HEAD.test(part.trim()) || HEAD.test(part.trim().toLowerCase());
}

/** Inside brackets, quotes or code nothing is cut. */
function isInside(text: string, index: number): boolean {
  const before = text.slice(0, index);
  const count = (sign: string): number => before.split(sign).length - 1;
  return count('(') > count(')') || count('"') % 2 === 1 || count('`') % 2 === 1;
}

/** Contractions as people type them in a hurry; only those whose bare form is no word of its own. */
const BARE_CONTRACTIONS: Readonly<Record<string, string>> = {
  dont: "don't",
  doesnt: "doesn't",
  didnt: "didn't",
  isnt: "isn't",
  arent: "aren't",
  wasnt: "wasn't",
  werent: "weren't",
  havent: "haven't",
  hasnt: "hasn't",
  hadnt: "hadn't",
  wouldnt: "wouldn't",
  shouldnt: "shouldn't",
  couldnt: "couldn't",
  cant: "can't",
  wont: "won't",
  im: "I'm",
  ive: "I've",
  youre: "you're",
  youve: "you've",
  theyre: "they're",
  theyve: "they've",
  weve: "we've",
  thats: "that's",
  theres: "there's",
  whats: "what's",
  lets: "let's",
  hes: "he's",
  shes: "she's",
  itll: "it'll",
  youll: "you'll",
  theyll: "they'll",
};

const BARE = new RegExp(`(?<![\\w'./-])(?:${Object.keys(BARE_CONTRACTIONS).join('|')})(?![\\w'-]|\\.\\w)`, 'giu');

/** One kind of apostrophe, quote and space; hurried contractions written out. Meaning and words stay. */
export function tidy(text: string): string {
  return text
    .replaceAll(/[\u2018\u2019\u00b4]/gu, "'")
    .replaceAll(/[\u201c\u201d\u201e\u00ab\u00bb]/gu, '"')
    .replaceAll(/[^\S\n]+/gu, ' ')
    .replaceAll(BARE, (word) => matchCase(BARE_CONTRACTIONS[word.toLowerCase()] ?? word, word));
}

function matchCase(written: string, model: string): string {
  const first = model.charAt(0);
  return first === first.toUpperCase() && first !== first.toLowerCase() ? capitalise(written) : written;
}

export type Language = 'en' | 'de' | 'es' | 'fr' | 'other';

const CODES: Readonly<Record<string, Language>> = { eng: 'en', deu: 'de', spa: 'es', fra: 'fr' };

/** Function words that are frequent in one language and hardly occur in the others. */
const MARKERS: Readonly<Record<Exclude<Language, 'other'>, ReadonlySet<string>>> = {
  en: new Set(
    "the and is are of to for with we i'm it's you that this have don't my our be will not on it was but so let's i".split(
      ' ',
    ),
  ),
  de: new Set(
    'und ist nicht ich wir mit für auf das der die ein eine den dem haben habe zu bitte auch noch mein meine uns am im'.split(
      ' ',
    ),
  ),
  es: new Set('el los las que para con una un no es mi nos por del está prefiero quiero y en'.split(' ')),
  fr: new Set('le les des est pas je nous pour avec une un mon ma que du sur et vous dans on'.split(' ')),
};

/** Below this a statistical guess is a coin toss. */
const MIN_GUESS_LENGTH = 80;
/** This many function words of one language leave no doubt. */
const ENOUGH = 3;

type GuessByLetters = typeof Franc;

/** Function words first: chat is too short for statistics, and names would mislead them. */
export function guessLanguage(text: string, words: readonly string[], guessByLetters: GuessByLetters): Language {
  let best: Language = 'en';
  let bestCount = 0;
  for (const [language, markers] of Object.entries(MARKERS) as [Exclude<Language, 'other'>, ReadonlySet<string>][]) {
    const count = words.filter((word) => markers.has(word)).length;
    if (count > bestCount) {
      best = language;
      bestCount = count;
    }
  }
  if (bestCount >= ENOUGH || text.length < MIN_GUESS_LENGTH) return best;
  const code = guessByLetters(text);
  return code === 'und' ? best : (CODES[code] ?? 'other');
}
