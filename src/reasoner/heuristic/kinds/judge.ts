import type { KnowledgeKind } from '../../../model/knowledge.ts';
import type { Language, Utterance } from '../clauses/utterance.ts';
import { isShortTalk } from '../conversation/judge-turns.ts';
import { propertyOf } from '../entities/properties.ts';
import { stemsOf } from '../text/words.ts';
import { type Finding, type Heard, likeliestKind, neighbour } from './finding.ts';

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
