import { packagedJudge } from '../../../judge/judge.ts';
import type { KnowledgeKind } from '../../../model/knowledge.ts';
import type { HeardConversation } from '../../port.ts';
import type { Language, Utterance } from '../clauses/utterance.ts';
import { propertyOf } from '../entities/properties.ts';
import { type Chances, type Finding, type Heard, NOTHING, likeliestKind, neighbour } from '../kinds/finding.ts';
import { stemsOf } from '../text/words.ts';

/** From here on a conversation counts as work with tools. */
const WORK = 0.5;
/** Characters of what was said before; the model reads the last tokens of them. */
const BEFORE_CHARS = 400;
/** Characters of the answer; the model reads the first tokens of them. */
const AFTER_CHARS = 200;

/**
 * A long conversation mostly consists of what somebody wants done, and the model has learned so. Whoever says only a few
 * things says them to be known: they are also read as the answer to this, and the reading that keeps more counts.
 */
const SHORT_TALK = 8;
export const INVITATION = 'agent: Noted. Anything else?';

export function isShortTalk({ turns }: HeardConversation): boolean {
  return turns.length < SHORT_TALK;
}

/** The model's verdict on every statement of the users' turns: one pass for each turn. */
export function judgeTurns(
  conversation: HeardConversation,
  turns: readonly (readonly Utterance[])[],
  strictness: number,
): Map<Utterance, Chances> {
  const found = new Map<Utterance, Chances>();
  const isShort = isShortTalk(conversation);
  for (const [index, utterances] of turns.entries()) {
    const statements = utterances.filter(({ text }) => text !== '');
    if (conversation.turns[index]?.role !== 'user' || statements.length === 0) continue;
    const turn = { after: saidAfter(conversation, index), statements: statements.map(wordsOfStatement) };
    const befores = [saidBefore(conversation, index, strictness), ...(isShort ? [INVITATION] : [])];
    const readings = befores.map((before) => packagedJudge().readTurn({ ...turn, before }));
    for (const [place, statement] of statements.entries()) {
      const chances = readings.map((reading) => reading[place] ?? NOTHING);
      found.set(
        statement,
        chances.reduce((one, other) => (other.none < one.none && !statement.isAsked ? other : one)),
      );
    }
  }
  return found;
}

/** A statement as the model reads it: with the words that open it, and a question mark where it asks. */
export function wordsOfStatement({ openers, text, isAsked }: Utterance): string {
  const whole = [...openers, text].join(' ');
  return isAsked && !whole.endsWith('?') ? `${whole}?` : whole;
}

/** The agent's reply to a turn; '' when another speaker is next. */
export function saidAfter({ turns }: HeardConversation, index: number): string {
  const turn = turns.slice(index + 1).find(({ role }) => role === 'user' || role === 'agent');
  return turn?.role === 'agent' ? turn.text.slice(0, AFTER_CHARS) : '';
}

/** The previous speaker and the end of their words; whether tools do the work stands in front. */
export function saidBefore({ turns }: HeardConversation, index: number, strictness: number): string {
  const turn = turns.slice(0, index).findLast(({ role }) => role === 'user' || role === 'agent');
  const said = turn === undefined ? '' : `${turn.role}: ${turn.text.slice(-BEFORE_CHARS)}`;
  return strictness >= WORK ? `tools. ${said}` : said;
}

/** The confidence in a plain form in another language: the model has learned English. */
const PLAIN = 0.7;
/** Thresholds for a statement to be worth keeping, and to be of its kind: chosen by writers left out of training. */
const WORTH = 0.8;
const OF_ITS_KIND = 0.25;
/** In a conversation of a few turns there is little else that could be meant. */
const WORTH_IN_SHORT = 0.65;
/** Where tools do the work, most of what is said is about the hour; a fragment has mostly lost what it speaks of. */
const WORTH_AT_WORK = 0.95;
const WORTH_OF_FRAGMENT = 0.98;
const FRAGMENT_CHARS = 30;
/** A person's home, employer, birthday or school is worth keeping in however few words it is given. */
const WORTH_OF_PROPERTY = 0.3;
const PERSONAL = new Set(['residence', 'employer', 'birthday', 'school']);
/** "Vera, my sister, lives …" */
const APPOSITION = /^(?<name>\p{Lu}[\p{L}'-]+), [^,]{1,30}, /u;
const MIN_CONTENT_WORDS = 2;
/** "No emojis." says all there is to say. */
const BANS = /^(?:no|never|only) \p{L}{4,}[.!]*$/u;

/** The kind a statement most likely is; undefined when it is not worth keeping, or not surely enough. */
export function judge(heard: Heard): Finding | undefined {
  if (!isAsserted(heard)) return undefined;
  if (heard.utterance.language !== 'en') {
    const kind = foreignFormOf(heard);
    return kind === undefined ? undefined : { kind, heard, score: PLAIN };
  }
  const chances = heard.scene.chancesOf(heard.utterance);
  const worth = 1 - chances.none;
  const kind = likeliestKind(chances);
  if (worth >= WORTH_OF_PROPERTY && givesProperty(heard)) return found(kind, heard, Math.max(WORTH_IN_SHORT, worth));
  return worth < neededWorth(heard) || chances[kind] < OF_ITS_KIND ? undefined : found(kind, heard, worth);
}

function givesProperty({ utterance }: Heard): boolean {
  const property = propertyOf(utterance.text.replace(APPOSITION, '$<name> '));
  if (property === undefined || utterance.isAsked || !PERSONAL.has(property.attribute)) return false;
  return /^\p{Lu}/u.test(property.subject) && /^[\p{Lu}\d]/u.test(property.value);
}

function neededWorth({ utterance, scene }: Heard): number {
  if (isShortTalk(scene.conversation)) return WORTH_IN_SHORT;
  if (utterance.text.length < FRAGMENT_CHARS) return WORTH_OF_FRAGMENT;
  return WORTH + scene.strictness * (WORTH_AT_WORK - WORTH);
}

function found(kind: KnowledgeKind, heard: Heard, score: number): Finding {
  const corrected = kind === 'correction' ? correctedBy(heard) : undefined;
  return { kind, heard, score, owner: kind === 'task' ? ownerOf(heard) : undefined, corrects: corrected?.text };
}

/** The owner of a task, when it is another person's: "Jonas sets them up by Friday". */
export function ownerOf({ utterance, scene }: Heard): string | undefined {
  const first = /^\p{L}+/u.exec(utterance.text)?.[0];
  return first === undefined ? undefined : scene.people.nameOf(first);
}

/** The agent's sentence that shares most words with its correction. */
function correctedBy({ utterance, scene }: Heard): Utterance | undefined {
  const own = stemsOf(utterance.text);
  let best: Utterance | undefined;
  let bestShared = 0;
  for (const candidate of neighbour(utterance, scene, -1) ?? []) {
    const shared = [...stemsOf(candidate.text)].filter((stem) => own.has(stem)).length;
    if (shared > bestShared) {
      best = candidate;
      bestShared = shared;
    }
  }
  return best;
}

/** Only a person's own words are claims, and a word or two say nothing. */
function isAsserted({ utterance, contentWords }: Heard): boolean {
  if (utterance.turn.role !== 'user') return false;
  return contentWords >= MIN_CONTENT_WORDS || BANS.test(utterance.plain);
}

type Forms = readonly (readonly [KnowledgeKind, RegExp])[];

/** First-person forms that leave no doubt. Everything subtler in these languages is left to a model. */
const FORMS: Readonly<Record<Exclude<Language, 'en' | 'other'>, Forms>> = {
  de: [
    ['task', /\b(?:erinner(?:e)? mich|ich muss noch|wir müssen noch|ich muss (?:bis|am|morgen))\b/u],
    [
      'decision',
      /\b(?:wir haben (?:uns )?(?:entschieden|beschlossen)|ich habe (?:mich )?(?:entschieden|beschlossen)|wir nehmen|wir bleiben bei|es bleibt bei)\b/u,
    ],
    [
      'preference',
      /^(?:bitte )?(?:immer|nie|niemals|ab jetzt)\b|\bich (?:mag|hasse|bevorzuge|will kein\p{L}*)\b|\bbitte (?:nie|niemals|immer|keine?)\b/u,
    ],
    [
      'fact',
      /\bich (?:wohne|lebe|arbeite) (?:jetzt |seit \S+ |nun )*(?:in|bei|als)\b|\bich bin (?:nach|allergisch)\b|\bich heiße\b/u,
    ],
  ],
  es: [
    ['task', /\b(?:recuérdame|tengo que|no me dejes olvidar)\b/u],
    ['decision', /\b(?:hemos decidido|he decidido|decidimos|nos quedamos con|vamos con)\b/u],
    ['preference', /\b(?:prefiero|odio|no me gusta|me encanta|por favor,? (?:nunca|siempre))\b/u],
    ['fact', /\b(?:vivo en|trabajo (?:en|para|como)|me mudé a|soy alérgic[oa]|me llamo)\b/u],
  ],
  fr: [
    ['task', /\b(?:rappelle[- ]moi|je dois|il faut que je)\b/u],
    ['decision', /\b(?:nous avons décidé|on a décidé|j'ai décidé|on garde|on part sur)\b/u],
    ['preference', /\b(?:je préfère|je déteste|j'aime|je n'aime pas|s'il te plaît,? (?:jamais|toujours))/u],
    ['fact', /\b(?:j'habite|je vis|je travaille (?:chez|à|pour|comme)|j'ai déménagé|je suis allergique|je m'appelle)/u],
  ],
};
const DOUBT =
  /\?|\b(?:vielleicht|wenn|falls|würde|könnte|quizás|quizá|tal vez|si|podría|sería|peut-être|serait|pourrait|aurait)\b/u;

export function foreignFormOf({ utterance }: Heard): KnowledgeKind | undefined {
  const { language, plain, isAsked } = utterance;
  if (language === 'en' || language === 'other' || isAsked || DOUBT.test(plain)) return undefined;
  return FORMS[language].find(([, pattern]) => pattern.test(plain))?.[0];
}
