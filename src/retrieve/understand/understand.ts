import { DAY_MS } from '../../model/time.ts';
import { extractQueryTerms, extractTerms } from '../../search-index/text/terms.ts';
import { expandTerms } from './expand.ts';
import { guessLanguage, guessScript, isFunctionWord } from './language.ts';
import { findNames, findPeople } from './names.ts';
import { findTimeRange } from './time/time-range.ts';
import type {
  FoundEntity,
  Intent,
  Language,
  TimeRange,
  UnderstandContext,
  Understanding,
  WeightedTerm,
} from './understanding.ts';
import { type Word, findPhrases, foldInPlace, splitWords } from './words.ts';

/** Names, times and intent stand near the beginning; the rest of a pasted log is only searched for its words. */
const MAX_PARSED_LENGTH = 4096;
const MAX_SEARCHED_LENGTH = 16_384;
const MAX_ENTITIES = 32;
const CONFIDENCE_LOST_PER_EDIT = 0.3;

/**
 * Analyses a question, by its words alone. Asynchronous only because the date parser is loaded when a question
 * first seems to name a time.
 */
export async function understandQuery(text: string, context: UnderstandContext): Promise<Understanding> {
  const question = cut(text, MAX_PARSED_LENGTH).normalize('NFKC');
  const words = splitWords(question);
  const folded = foldInPlace(question);
  const language = guessLanguage(question, words);
  const people = findPeople(context.speakers, question, words);
  const timeRange = await findTimeRange(question, { ...context, language, people: people.places });
  const intent = guessIntent(folded);
  const entities = findEntities(question, words, context);
  const terms = weighTerms(cut(text, MAX_SEARCHED_LENGTH), words, language, {
    personText: people.places.map(({ start, end }) => question.slice(start, end)),
    timeText: timeRange?.phrase ?? '',
  });
  return {
    intent,
    isAboutThePast: asksAboutThePast(folded, intent, timeRange, context.nowMs),
    timeRange,
    people: people.speakers,
    entities,
    phrases: findPhrases(question),
    terms,
    expansions: expandTerms(terms, entities, context.aliases),
    language,
    script: guessScript(question),
  };
}

function findEntities(
  question: string,
  words: ReturnType<typeof splitWords>,
  { aliases }: UnderstandContext,
): FoundEntity[] {
  const byId = new Map<string, FoundEntity>();
  for (const { ids, start, end, edits } of findNames(aliases, question, words)) {
    const confidence = 1 - CONFIDENCE_LOST_PER_EDIT * edits;
    for (const id of ids) {
      if (confidence > (byId.get(id)?.confidence ?? 0))
        byId.set(id, { id, phrase: question.slice(start, end), confidence });
    }
  }
  return [...byId.values()].slice(0, MAX_ENTITIES);
}

/** Never between the two halves of a character. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  return text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? maxLength - 1 : maxLength);
}

/** A pasted log has thousands of terms; those it repeats most say what it is about. */
const MAX_TERMS = 128;

/** Words that frame a question and do not say what it asks. */
const FRAMING = new Set(
  extractTerms(
    'tell know remember recall please show give find explain describe mention anything everything kind thing',
  ),
);
const FRAMING_WEIGHT = 0.5;

/** Function words of languages other than English are in the index and nearly everywhere in such texts. */
const FUNCTION_WORD_WEIGHT = 0.2;

interface MarkedSpans {
  readonly personText: readonly string[];
  readonly timeText: string;
}

function weighTerms(text: string, words: readonly Word[], language: Language, marked: MarkedSpans): WeightedTerm[] {
  const counts = new Map<string, number>();
  for (const term of extractQueryTerms(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const people = new Set(marked.personText.flatMap((name) => extractTerms(name)));
  const time = new Set(extractTerms(marked.timeText));
  const light = lightTerms(words, language);
  const hasContent = [...counts.keys()].some((term) => !light.has(term));
  const kept = [...counts].length <= MAX_TERMS ? [...counts] : mostFrequent(counts);
  return kept.map(([term]) => ({
    term,
    weight: hasContent && !people.has(term) ? (light.get(term) ?? 1) : 1,
    isPerson: people.has(term),
    isTime: time.has(term) && !people.has(term),
  }));
}

function lightTerms(words: readonly Word[], language: Language): Map<string, number> {
  const light = new Map<string, number>();
  for (const term of FRAMING) light.set(term, FRAMING_WEIGHT);
  for (const { folded } of words) {
    if (!isFunctionWord(folded, language)) continue;
    for (const term of extractTerms(folded)) light.set(term, FUNCTION_WORD_WEIGHT);
  }
  return light;
}

function mostFrequent(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([, one], [, other]) => other - one).slice(0, MAX_TERMS);
}

/** Asked in the folded question (lower case, no accents). The first list that matches decides. */
const PATTERNS: readonly (readonly [Intent, readonly RegExp[]])[] = [
  [
    'latest',
    [
      /\b(?:latest|newest|most recent(?:ly)?|up[- ]to[- ]date|status of|state of|where do we stand|what'?s new)\b/u,
      /\bwhat(?:'?s| is| are| are we| am i)\b.*\b(?:current|currently|right now|at the moment|these days|nowadays)\b/u,
      /\b(?:is|are|do|does) .*\bstill\b/u,
      /\b(?:what|where|which|who)\b.*\b(?:now|currently)\s*\?*$/u,
      /\bany (?:news|updates?)\b/u,
      /\b(?:neueste[nrs]?|aktuelle[nrs]?|stand (?:der|des|von|bei)|zuletzt|derzeit|was gibt es neues)\b/u,
      /\b(?:lo ultimo|ultim[ao]s? (?:novedades|noticias|version|estado)|estado (?:actual|de)|actualmente|mas reciente)\b/u,
      /\b(?:derniere?s? (?:nouvelles?|version|infos?|etat)|etat (?:actuel|de)|actuellement|le plus recent|ou en (?:est|sont|sommes))\b/u,
    ],
  ],
  [
    'when',
    [
      /(?:^|[.!?,;]\s*|\b(?:and|remember|know|recall|say|tell me|since|until|und|seit|y|desde|et|depuis)\s+)when\s+(?:did|was|were|is|are|will|does|do|has|have|had|am|can|should|would|exactly|in)\b/u,
      /^\W*when\b|\b(?:remember|recall|know|tell me) when\b/u,
      /\b(?:what|which|in what|in which|on what|on which) (?:exact )?(?:date|day|month|year|week|weekday|time)\b(?! (?:zone|series|limit|out))/u,
      /\bhow long ago\b/u,
      /\bsince when\b/u,
      /\b(?:wann|seit wann|an welchem tag|in welchem (?:jahr|monat)|um wie viel uhr|wie lange ist es her)\b/u,
      /(?:^|\W)cuando\b.*\?|^\W*(?:desde )?cuando\b|\b(?:en que (?:fecha|dia|mes|ano)|que dia|a que hora|hace cuanto)\b/u,
      /^\W*(?:depuis )?quand\b|\b(?:a quelle (?:date|heure)|quel jour|en quelle annee|quel mois|quand (?:est|a|ai|as|avons|avez|ont))\b/u,
    ],
  ],
  [
    'how-to',
    [
      /\bhow (?:do|does|can|should|could|would|did) (?:i|we|you|one|someone|people)\b/u,
      /\bhow (?:do|should) \w+ (?:usually|normally|always)\b/u,
      /\bhow to\b/u,
      /\b(?:steps?|procedure|instructions?|recipe|workflow|runbook|process|command|way|guide) (?:to|for|of)\b/u,
      /\b(?:walk me through|what(?:'?s| is) the (?:usual |best |right )?(?:way|command|process|procedure))\b/u,
      /\bwie (?:mache?|kann|konnen|muss|mussen|soll|sollen|geht|macht|richte|installiere?|starte?|baue?)\b|\bwie \w+ (?:ich|wir|man)\b|\banleitung\b/u,
      /\bcomo (?:se|puedo|podemos|hago|hacemos|debo|configuro|instalo|despliego|ejecuto)\b|\bpasos para\b/u,
      /\bcomment (?:faire|puis|peut|je|on|dois|doit|fait|faut|installer|configurer|deployer|lancer)\b|\betapes pour\b/u,
    ],
  ],
  [
    'about',
    [
      /\b(?:tell me|know|knew|remember|recall|have|got|anything|everything|information|info|details?|facts?|notes?|background) (?:\w+ ){0,3}?(?:about|on|regarding|concerning)\b/u,
      /^\W*(?:who|what|whats|whos)(?:'s| is| are|s) (?:an? |the |this |that |our |my |your )?[\w.+#-]+(?: [\w.+#-]+){0,2}\W*$/u,
      /^\W*who(?:'s| is| was)\b/u,
      /^\W*(?:describe|summari[sz]e|explain|introduce)\b/u,
      /\b(?:what do you know|tell me more|who exactly)\b/u,
      /^\W*wer (?:ist|war)\b|\b(?:wei(?:ss|ß)t du|wissen wir|erzahl(?:e)? (?:mir|uns)?|informationen) (?:\w+ ){0,2}?(?:uber|zu|von)\b|^\W*was ist \S+(?: \S+)?\W*$/u,
      /^\W*quien(?:es)? (?:es|son|era)\b|\b(?:sabes|sabemos|cuentame|hablame|informacion) (?:\w+ ){0,2}?(?:de|sobre|del)\b|^\W*que es \S+(?: \S+)?\W*$/u,
      /^\W*qui (?:est|sont|etait)\b|\b(?:sais-tu|sait-on|savez-vous|parle[- ]moi|dis[- ]moi|infos?) (?:\w+ ){0,2}?(?:de|du|sur|d)\b|^\W*qu'est[- ]ce que? (?:c'est|le|la|un)/u,
    ],
  ],
];

const PAST = [
  /\b(?:did|was|were|had|used to|previous|previously|originally|formerly|earlier|ago|back then|back in|back when|at the time|once upon|yesterday|history|in the past|the first time|initially|no longer|remember when|anymore)\b/u,
  /\b(?:have|has) (?:\w+ )?(?:we|you|i|he|she|they|it|\w+) (?:ever|already|been|tried|used|said|told|talked|discussed|decided|done|gone|made|seen)\b/u,
  /\bwhat happened\b/u,
  /\b(?:hat|hatte[nst]*|habe[n]?|war(?:en|st)?|wurde[n]?|damals|fruher|vorher|ursprunglich|gestern)\b/u,
  /\b(?:fue|fueron|era|eran|estaba[ns]?|hizo|hicimos|dijo|dijeron|hablamos|decidimos|decidio|ayer|antes|anteriormente|hubo|tuvo|habia)\b/u,
  /\b(?:etait|etaient|avait|avaient|avons|avez|a-t-(?:il|elle|on)|ont-(?:ils|elles)|as-tu|hier|autrefois|auparavant|avant)\b/u,
];

const PRESENT =
  /\b(?:now|currently|right now|at the moment|these days|nowadays|derzeit|aktuell|jetzt|actualmente|ahora|maintenant|actuellement)\b/u;

function guessIntent(foldedText: string): Intent {
  for (const [intent, patterns] of PATTERNS) {
    if (patterns.some((pattern) => pattern.test(foldedText))) return intent;
  }
  return 'general';
}

/** "Latest" asks for what holds now, however it is worded. */
function asksAboutThePast(
  foldedText: string,
  intent: Intent,
  timeRange: TimeRange | undefined,
  nowMs: number,
): boolean {
  if (intent === 'latest') return false;
  if (timeRange?.untilMs !== undefined && timeRange.untilMs < nowMs - DAY_MS) return true;
  if (PRESENT.test(foldedText)) return false;
  return PAST.some((pattern) => pattern.test(foldedText));
}
