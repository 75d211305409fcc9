import type { Candidate } from '../model/knowledge.ts';
import { detectTriggers } from '../capture/triggers/detect.ts';
import type { TriggerKind } from '../capture/triggers/judge-request.ts';
import { splitSentences } from '../reasoner/heuristic/text/sentences.ts';
import { withoutMarked } from '../judge/handed-over/marked.ts';
import { contentWords, spoken, stemOf, wordsOf } from '../reasoner/heuristic/text/words.ts';
import type { HeardConversation, HeardTurn } from '../reasoner/port.ts';
import type { Belief } from './beliefs.ts';
import type { Finding } from './extractors.ts';

/** Stands beside what was taken back; moves when the forms do. */
const EXTRACTOR = 'retractions@1';

/**
 * Finds the earlier beliefs that a conversation takes back. What was said and taken back within it is the reasoner's
 * to leave out; this looks beyond it.
 */
export function findRetractions(conversation: HeardConversation, fromTurn: string | undefined): Finding[] {
  const start = conversation.turns.findIndex(({ id }) => id === fromTurn);
  return conversation.turns
    .slice(Math.max(0, start))
    .filter(speaks)
    .flatMap((turn) =>
      splitSentences(withoutMarked(spoken(turn.text))).flatMap(({ text }) => {
        const object = isForgetWish(text) ? undefined : findTakenBack(text);
        return object === undefined ? [] : [toFinding(conversation, turn, text, object)];
      }),
    );
}

/** Words before "forget …" that only lead to it: "ok, please". */
const MAX_WORDS_BEFORE = 3;

/** A wish to forget finds, shows and asks first; it neither states anything nor takes anything back by itself. */
export function isForgetWish(sentence: string): boolean {
  return wishOf(sentence) === 'forget';
}

/** The request in a sentence; undefined where there is none. */
export function wishOf(sentence: string): TriggerKind | undefined {
  return detectTriggers(sentence).find(({ start }) => {
    const before = sentence.slice(0, start).split(/\s+/u);
    return before.filter((word) => word !== '').length <= MAX_WORDS_BEFORE;
  })?.kind;
}

/** A page or a program's output takes nothing back, whatever it says; another person in the conversation may. */
function speaks({ role, trust }: HeardTurn): boolean {
  return role === 'user' || role === 'agent' || (role === 'tool' && trust === 'external');
}

const IMPORTANCE = 0.6;

function toFinding({ session }: HeardConversation, turn: HeardTurn, sentence: string, object: string): Finding {
  const candidate: Candidate = {
    kind: 'decision',
    statement: sentence,
    evidence: { session, turns: [turn.id], quote: sentence },
    trust: turn.trust,
    saidMs: turn.timeMs,
    confidence: 'high',
    importance: IMPORTANCE,
    retracts: object,
    entities: [],
    relations: [],
    tags: [],
    isCoreWorthy: false,
  };
  return { candidate, extractor: EXTRACTOR, isOnlyRetraction: true };
}

/**
 * One finding for each sentence: where the reasoner kept the sentence as a statement, that statement learns what it takes
 * back, and is kept for itself if nothing of the kind is known.
 */
export function withRetractions(findings: readonly Finding[], retractions: readonly Finding[]): Finding[] {
  const rest = new Set(retractions);
  const joined = findings.map((finding): Finding => {
    const { candidate } = finding;
    const own = retractions.find((retraction) => isOfOneSentence(candidate, retraction.candidate));
    if (own === undefined) return withoutVagueRetraction(finding);
    rest.delete(own);
    // The words that take something back leave no doubt, however little else says that it is worth keeping.
    const { retracts, confidence } = own.candidate;
    return { ...finding, candidate: { ...candidate, retracts, confidence } };
  });
  return [...joined, ...rest];
}

/** "instead of", "no longer": the whole sentence is given as what it takes back, which names nothing. */
function withoutVagueRetraction(finding: Finding): Finding {
  const { retracts, ...candidate } = finding.candidate;
  return retracts === undefined || retracts !== candidate.evidence.quote ? finding : { ...finding, candidate };
}

function isOfOneSentence(one: Candidate, other: Candidate): boolean {
  const [turn] = other.evidence.turns;
  if (turn === undefined || !one.evidence.turns.includes(turn)) return false;
  const [left, right] = [one.evidence.quote.toLowerCase(), other.evidence.quote.toLowerCase()];
  return left.includes(right.replace(/[.!\s]+$/u, '')) || right.includes(left.replace(/[.!\s]+$/u, ''));
}

/** The sorts that can end; an entry of a day states what was said then, and is not struck. */
const ENDED_SORTS: readonly Belief['sort'][] = ['decision', 'task', 'fact'];
/** Verbs of taking up or carrying out: what is meant stands behind them. */
const DOING = new Set(
  'use using do doing go going be get getting have having take taking make making try trying start starting run running'.split(
    ' ',
  ),
);

/**
 * The one belief that words name: all of them are in it, in their order; decisions come before tasks and facts, and the latest first.
 * Nobody says "we won't use Kafka" of five things at once, and what is left can be taken back by its own words.
 */
export function findNamed<B extends Belief>(object: string, beliefs: readonly B[], saidMs: number): B | undefined {
  const words = stems(object);
  const meant = words.filter((word) => !DOING.has(word));
  const wanted = meant.length === 0 ? words : meant;
  if (wanted.length === 0) return undefined;
  const named = beliefs.filter((belief) => {
    const isNamed = areInOrder(wanted, stems(belief.text)) && !saysOpposite(object, belief.text);
    return belief.sinceMs <= saidMs && isNamed;
  });
  const rank = ({ sort }: Belief): number => (ENDED_SORTS.includes(sort) ? ENDED_SORTS.indexOf(sort) : 9);
  return named.sort((one, other) => rank(one) - rank(other) || other.sinceMs - one.sinceMs)[0];
}

/** "Anna reports to Ben" is not what "Ben reports to Anna" names. */
function areInOrder(wanted: readonly string[], said: readonly string[]): boolean {
  let at = -1;
  return wanted.every((word) => {
    at = said.findIndex((other, index) => index > at && isSameWord(word, other));
    return at !== -1;
  });
}

/** Small words that no stem holds and that turn a statement into its opposite: "leave it on", "leave it off". */
const OPPOSITES = 'before after above below over under on off up down in out from to with without more less'.split(' ');

function saysOpposite(object: string, belief: string): boolean {
  const [one, other] = [new Set(wordsOf(object)), new Set(wordsOf(belief))];
  return OPPOSITES.some((word, index) => {
    const opposite = OPPOSITES[index ^ 1] ?? '';
    return one.has(word) && !one.has(opposite) && other.has(opposite) && !other.has(word);
  });
}

function stems(text: string): string[] {
  return contentWords(text).map(stemOf);
}

/** "repo" is short for "repository". */
const MIN_SHORT = 4;

function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return short.length >= MIN_SHORT && long.startsWith(short);
}

const WE = "(?:we|i|we're|i'm|we've|i've|we'll|i'll|the team|they|\\p{Lu}\\p{L}+)";
const OBJECT = '(?<object>.{2,120}?)';
const END =
  '(?:\\s*(?:after all|any ?more|anymore|any longer|for now|then|please|instead|,? (?:because|since|as|so|it|that|which)\\b.*))*[.!\\s]*$';

const FORMS: readonly string[] = [
  `${WE} (?:won't|will not|are not going to|aren't going to|am not going to|not going to|don't want to|decided not to|decided against|are no longer going to) (?:be )?${OBJECT},? (?:after all|any ?more|anymore|any longer)[.!]?`,
  `${WE} (?:are not|aren't|am not|is not|isn't|not) (?<object>\\p{L}+ing .{2,120}?),? (?:after all|any ?more|anymore)`,
  `${WE} (?:are|'re|am|'m|is)? ?no longer (?<object>\\p{L}+ing .{2,120}?)${END}`,
  `(?:let's|let us) not ${OBJECT},? after all[.!]?`,
  `(?:scrap|drop|ditch|kill|bin|abandon|cancel|call off|withdraw|take back|never ?mind|strike|shelve) (?:the |that |this |our |my )?(?:whole )?(?:idea|plan|decision|thought|proposal|intention)s? (?:of |to |for |about |with |that (?:we|i) )${OBJECT}${END}`,
  `(?:scrap|drop|ditch|abandon|cancel|call off|shelve) (?:the|that|our|my) ${OBJECT} (?:idea|plan|decision|thing)${END}`,
  `(?:forget|ignore|disregard|never ?mind|strike|take back|scratch) (?:about )?(?:what|everything|all|the thing|the stuff) (?:that )?(?:i|we) (?:just )?(?:said|told you|wrote|mentioned|decided|asked)(?: (?:before|earlier|yesterday|last week))? (?:about|on|regarding|concerning|of) ${OBJECT}${END}`,
  `(?:i|we)(?:'ve| have)? changed (?:my|our) minds? (?:about|on|regarding) ${OBJECT}${END}`,
  `(?:i|we) (?:take|took) back (?:what (?:i|we) said|my words?) (?:about|on) ${OBJECT}${END}`,
  `(?<object>(?:the|our|my|that) .{2,100}?) (?:is|are) (?:off|cancelled|canceled|called off|off the table|scrapped|no longer (?:the plan|planned|happening|valid|needed))${END}`,
  `(?:wir|ich) (?:nehmen|nehme|benutzen|benutze|verwenden|verwende|nutzen|nutze|machen|mache) ${OBJECT} (?:jetzt )?doch nicht(?: mehr)?[.!]?`,
  `vergiss (?:,? was ich (?:über|zu|von)|das mit|die idee mit|den plan mit) ${OBJECT}(?: gesagt habe)?[.!\\s]*$`,
  `(?:al final|finalmente) no (?:vamos a |voy a )?${OBJECT}[.!\\s]*$`,
  `olvida lo que dije (?:sobre|de) ${OBJECT}[.!\\s]*$`,
  `(?:finalement,? )?(?:on|nous) ne ${OBJECT} (?:plus|finalement pas)[.!]?`,
  `oublie ce que j'ai dit (?:sur|à propos de) ${OBJECT}[.!\\s]*$`,
];
const OPENERS = '(?:(?:ok(?:ay)?|so|well|actually|hm+|oh|right|no|wait|please|and|but|then|also|alors|bueno)[,:]? )*';
const PATTERNS = FORMS.map((form) => new RegExp(`^${OPENERS}${form}`, 'iu'));

/** Questions, suppositions and reports of others' doubts retract nothing. */
const NOT_MEANT =
  /\?\s*$|\b(?:if|unless|whether|should we|shall we|could|would|might|maybe|perhaps|said (?:that )?(?:we|they|he|she)|don't (?:forget|cancel|drop|scrap)|never forget)\b/iu;

/** The words a sentence takes back, as the speaker said them ("use Kafka"); undefined for nearly every sentence. */
export function findTakenBack(sentence: string): string | undefined {
  const text = sentence.trim().replaceAll('’', "'");
  if (NOT_MEANT.test(text)) return undefined;
  for (const pattern of PATTERNS) {
    const object = pattern.exec(text)?.groups?.['object']?.replace(/[\s,;]+$/u, '');
    if (object !== undefined && /\p{L}{2}/u.test(object) && !/^(?:that|this|it|them|so|one)$/iu.test(object))
      return object;
  }
  return undefined;
}
