import { fold as foldLexicon } from '../../judge/requests/features.ts';
import { conceptsOf } from '../../judge/requests/lexicon.ts';
import { fold, wordSet } from '../../judge/handed-over/words.ts';
import { type AskedKind, findWhat } from './judge-request.ts';
import type { Stretch } from '../../judge/handed-over/sentences.ts';

interface Word extends Stretch {
  readonly text: string;
}

/** Added to each word's chance: a word too many reads better than half a statement. */
const BENEFIT = 0.5;
/** A neighbour in the same clause that is at least this likely belongs to it. */
const LIKELY_NEIGHBOUR = 0.2;
/** The rest of a clause belongs to it where none of its words is less likely: half a clause says something else. */
const LEAST_OF_CLAUSE = 0.05;
const LEAST_CHANCE = 1e-3;
const CLAUSE_END = /[.!?:;,…]["”»)'’]*$/u;
/** They lead to a statement and are no part of it. */
const LEADING = wordSet('that dass daß das que qu to zu an of');
/** Groups of the lexicon whose words ask, and are no part of what is asked for. */
const ASKING: Readonly<Record<AskedKind, readonly string[]>> = {
  remember: ['keep', 'remind', 'notforget', 'please', 'fromnow'],
  forget: ['drop', 'please'],
  recall: ['remind', 'please'],
  reflect: ['please'],
};
/** "Don't forget …" asks to remember. */
const FORGETTING = wordSet(
  'forget olvide olvides olvidar oublie oublies oubliez oublier noublie vergiss vergessen vergesst acuerdas',
);
const DENYING = wordSet('dont not never no ne pas jamais nicht nich nie');
/** They go with the asking word before them: "vergiss nicht, …", "no te olvides de …". */
const BEHIND = wordSet(
  'nicht nich nie pas jamais dir sich mir te toi vous mal bitte doch siempre toujours immer de d que dass that to of',
);
/** They stand beside such words and go with them. */
const BESIDE = wordSet(`
  dir sich mir mal doch te toi vous you me it lo le la les das es ça im in à on for für fürs para por pour s il please don t n pas no not nicht
  nich nie du tu sie down up auf ab note sure bloß ja`);
/** Phrases that ask for something to be kept or erased: none of their words is part of it. */
const PHRASES =
  /(?<![\p{L}\p{N}])(?:(?:from|as of) (?:now|today|here)(?: on(?:wards?)?)?|going forward|in (?:the )?future|for (?:future reference|the record|later|next time|good|ever)|(?:in|into) (?:mind|your memory|your notes)|note to self|(?:make|take) (?:a )?note(?: of)?|permanently|forever|once and for all|ab (?:jetzt|sofort|heute|nun)|von (?:jetzt|nun) an|in zukunft|künftig|(?:im|in den) (?:hinterkopf|kopf|gedächtnis)|fürs? (?:protokoll|gedächtnis|nächste mal|später|die zukunft)|für immer|endgültig|dauerhaft|a partir de (?:ahora|hoy)|de (?:ahora|hoy|aquí) en (?:adelante|más)|en adelante|(?:en|para) (?:cuenta|mente|el futuro|la próxima|más tarde|siempre)|(?:toma|tome) nota(?: de)?|definitivamente|[àa] partir (?:de maintenant|d['’]aujourd['’]hui)|d[ée]sormais|dor[ée]navant|[àa] l['’]avenir|(?:en|à l['’]|dans ta) ?(?:t[êe]te|esprit|m[ée]moire|compte)|pour (?:la prochaine fois|la suite|plus tard|toujours|de bon)|définitivement)(?![\p{L}\p{N}])[,:]?/giu;
/** Groups of words around what a question or a deletion is about: "everything I told you about …", "was du über … weißt". */
const AROUND = [
  'all',
  'know',
  'said',
  'itoldyou',
  'memory',
  'you',
  'i',
  'we',
  'what',
  'past',
  'learned',
  'show',
  'able',
];
const AROUND_WORDS = wordSet(`
  about regarding concerning of the have has ever über von vom mit zu zum zur wegen an die das der habe hab haben hast gerade eben schon je mal noch
  sobre de del acerca lo la el las los acabo he ha alguna vez sur propos au à du ce c est ai as viens le les est just ce l d`);
const ABOUT = wordSet('about regarding concerning of über von vom mit zum zur wegen sobre de del acerca sur propos du');
/** They stand for something said elsewhere. */
const POINTING = wordSet(`
  this that it these those them thing stuff last message das dies dieses es des sache letzte nachricht esto eso lo ello ese esa esas esos ultimo mensaje
  ça ca cela ceci le la les c dernier message one please bitte too also auch all alles todo tout my meine mi mon decir dire`);

/** The part of a stretch that says what its request is about, without the marks around it; undefined where nothing does. */
export function findContent(text: string, stretch: Stretch, kind: AskedKind): Stretch | undefined {
  const words = wordsIn(text, stretch);
  const chances = findWhat(words.map((word) => word.text));
  if (chances === undefined) return trimmed(text, stretch.start, stretch.end);
  const [first, end] = withNeighbours(words, chances, bestRun(chances));
  const found = cutContent(text, stretch, words.slice(0, end), first, kind);
  // "Lösche alles, was du über … weißt": the words around are surer than what they are about.
  return found ?? (kind === 'forget' ? cutContent(text, stretch, words, 0, kind) : undefined);
}

/** Takes in likely words of the same clause. */
function withNeighbours(
  words: readonly Word[],
  chances: readonly number[],
  run: readonly [first: number, end: number],
): [first: number, end: number] {
  let [first, end] = run;
  const isLikely = (place: number): boolean => (chances[place] ?? 0) >= LIKELY_NEIGHBOUR;
  const endsClause = (place: number): boolean => CLAUSE_END.test(words[place]?.text ?? '');
  while (first > 0 && isLikely(first - 1) && !endsClause(first - 1) && !isOf(words[first - 1], LEADING)) first -= 1;
  while (end > first && isLikely(end) && !endsClause(end - 1)) end += 1;
  let stop = end;
  while (stop < words.length && (chances[stop] ?? 0) >= LEAST_OF_CLAUSE && !endsClause(stop - 1)) stop += 1;
  return [first, end > first && endsClause(stop - 1) ? stop : end];
}

/** Cuts away what asks, and what only leads to the content. */
function cutContent(
  text: string,
  stretch: Stretch,
  words: readonly Word[],
  from: number,
  kind: AskedKind,
): Stretch | undefined {
  let [first, end] = withoutAsking(words, from, words.length, kind);
  if (kind === 'forget' || kind === 'recall') [first, end] = withoutAround(words, first, end, kind);
  while (first < end - 1 && isOf(words[first], LEADING)) first += 1;
  const run = words.slice(first, end);
  const [one, last] = [run[0], run.at(-1)];
  if (one === undefined || last === undefined) return undefined;
  const content = withoutPhrases(text, stretch, { start: one.start, end: last.end });
  return (text.slice(content.start, content.end).match(/\S+/gu) ?? []).every(isPointing)
    ? undefined
    : trimmed(text, content.start, content.end);
}

/** Without the phrases that reach over either of its ends. */
function withoutPhrases(text: string, stretch: Stretch, content: Stretch): Stretch {
  let { start, end } = content;
  for (const { 0: words, index } of text.slice(stretch.start, stretch.end).matchAll(PHRASES)) {
    const [from, to] = [stretch.start + index, stretch.start + index + words.length];
    if (from <= start && to > start && to < end) start = to;
    else if (from > start && from < end && /^[\s\p{P}]*$/u.test(text.slice(to, end))) end = from;
  }
  while (/^\s*(?:that|dass|que)\s/iu.test(text.slice(start, end)))
    start += /^\s*\S+/u.exec(text.slice(start, end))?.[0].length ?? 1;
  return { start, end };
}

function trimmed(text: string, from: number, to: number): Stretch | undefined {
  const content = trimObject(text, from, to);
  if (content === undefined) return undefined;
  const start = text.indexOf(content, from);
  return { start, end: start + content.length };
}

/** Without the words that ask at either end: "souviens-toi que …", "… merken". */
function withoutAsking(
  words: readonly Word[],
  from: number,
  to: number,
  kind: AskedKind,
): [first: number, end: number] {
  const sorts = sortWords(words, kind);
  let start = from;
  while (start > 0 && sorts[start - 1] !== 'other') start -= 1;
  let [first, end] = [from, to];
  for (let at = start; at < to && sorts[at] !== 'other'; at += 1) {
    const isLead =
      at > start && isOf(words[at], LEADING) && (first > from || sorts.slice(start, at).includes('asking'));
    if (sorts[at] === 'asking' || isLead) first = Math.max(from, at + 1);
  }
  if (first > start && sorts[first - 1] === 'asking') while (first < end - 1 && isOf(words[first], BEHIND)) first += 1;
  for (let at = to - 1; at > first && sorts[at] !== 'other'; at -= 1) {
    // "because I always forget" asks for nothing.
    const isTold =
      isOf(words[at], FORGETTING) && !words.slice(Math.max(0, at - 2), to).some((word) => isOf(word, DENYING));
    if (sorts[at] === 'asking' && !isTold) end = at;
  }
  return first >= end ? [from, from] : [first, end];
}

/** From "everything I told you about Kasper" only "Kasper"; a request without such a name means what was said last. */
function withoutAround(
  words: readonly Word[],
  from: number,
  to: number,
  kind: AskedKind,
): [first: number, end: number] {
  const sorts = sortWords(words, kind, AROUND, AROUND_WORDS);
  let [first, end] = [from, to];
  for (let at = from; at < to && sorts[at] !== 'other'; at += 1) if (isOf(words[at], ABOUT)) first = at + 1;
  if (kind === 'forget') {
    const comma = words.findIndex(({ text }, at) => at >= first && at < end - 1 && /[,;]$/u.test(text));
    if (comma !== -1 && sorts.slice(first, comma + 1).includes('other')) end = comma + 1;
    if (!sorts.slice(first, end).includes('other') && first === from) return [from, from];
  }
  if (first > from) while (end > first + 1 && sorts[end - 1] !== 'other') end -= 1;
  return [first, end];
}

type Sort = 'asking' | 'beside' | 'other';

function sortWords(
  words: readonly Word[],
  kind: AskedKind,
  groups = ASKING[kind],
  beside: ReadonlySet<string> = BESIDE,
): readonly Sort[] {
  const parts = words.map(({ text }) => foldLexicon(text).match(/[\p{L}\p{N}]+/gu) ?? []);
  const tokens = parts.flat();
  const concepts = conceptsOf(tokens);
  let at = 0;
  return parts.map((part): Sort => {
    const sorts = part.map((token, place): Sort => {
      if (groups.some((concept) => concepts[at + place]?.has(concept))) return 'asking';
      if (groups === ASKING.remember && FORGETTING.has(token)) return 'asking';
      return beside.has(token) || LEADING.has(token) ? 'beside' : 'other';
    });
    at += part.length;
    const own = new Set(sorts);
    if (own.has('other')) return 'other';
    return own.has('asking') ? 'asking' : 'beside';
  });
}

function isOf(word: Word | undefined, words: ReadonlySet<string>): boolean {
  return word !== undefined && words.has(fold(word.text).replaceAll(/[^\p{L}\p{N}]/gu, ''));
}

function isPointing(said: string): boolean {
  const word = fold(said).replaceAll(/[^\p{L}\p{N}]/gu, '');
  return word === '' || POINTING.has(word);
}

function wordsIn(text: string, { start, end }: Stretch): readonly Word[] {
  return Array.from(text.slice(start, end).matchAll(/\S+/gu), ({ 0: word, index }) => ({
    text: word,
    start: start + index,
    end: start + index + word.length,
  }));
}

/** The neighbouring words that are most likely to be it, taken together; none of them when none is likely. */
function bestRun(chances: readonly number[]): [first: number, end: number] {
  let best: [number, number] = [0, 0];
  let most = 0;
  let [first, sum] = [0, 0];
  for (const [place, chance] of chances.entries()) {
    if (sum <= 0) [first, sum] = [place, 0];
    sum += Math.log((chance + LEAST_CHANCE) / (1 - chance + LEAST_CHANCE)) + BENEFIT;
    if (sum > most) [best, most] = [[first, place + 1], sum];
  }
  return best;
}

const EDGE = /[\s,;:.!?…\-–—*_~|]/;
const LEADING_MARKS = /[\s,;:.!…–—*_~|]/;
const JOINING_WORDS = / (and|but|then|also|plus|und|aber|dann|y|pero|luego|et|mais|puis)$/i;
const PAIRS: readonly (readonly [opener: string, closer: string])[] = [
  ['(', ')'],
  ['[', ']'],
  ['“', '”'],
  ['«', '»'],
];

/** The object's text without the punctuation and joining words that led to it or away from it. */
function trimObject(text: string, from: number, to: number): string | undefined {
  let start = from;
  let end = to;
  while (start < end && LEADING_MARKS.test(text.charAt(start))) start += 1;
  let lastEnd = -1;
  while (end !== lastEnd) {
    lastEnd = end;
    while (end > start && EDGE.test(text.charAt(end - 1))) end -= 1;
    const joining = JOINING_WORDS.exec(text.slice(Math.max(start, end - 8), end));
    if (joining !== null) end -= joining[0].length;
    if (end > start && isUnbalanced(text, start, end)) end -= 1;
  }
  return end > start ? text.slice(start, end) : undefined;
}

/** A closing bracket whose opening one stands outside. */
function isUnbalanced(text: string, start: number, end: number): boolean {
  const closer = text.charAt(end - 1);
  const opener = PAIRS.find((pair) => pair[1] === closer)?.[0];
  return opener !== undefined && !text.slice(start, end).includes(opener);
}
