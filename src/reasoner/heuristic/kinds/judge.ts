import type { KnowledgeKind } from '../../../model/knowledge.ts';
import type { Utterance } from '../clauses/utterance.ts';
import { neighbour } from '../features/dialogue.ts';
import { propertyOf } from '../entities/properties.ts';
import { featuresOf } from '../features/features.ts';
import { stemsOf } from '../text/words.ts';
import type { Finding, Heard } from './finding.ts';
import { foreignFormOf } from './other-languages.ts';
import { plainFormOf } from './forms/find.ts';
import { likeliestKind, type Chances } from './outcomes.ts';

/** How sure a plain form is, and how likely another kind must be to outdo it. */
const PLAIN = 0.7;
const RIVAL = 0.9;
/**
 * Where everything else speaks against it, a form is only a turn of phrase. A name and a verb is a weak one: it mostly
 * tells what somebody just did. Whoever says "next time" or "no, it is" means it.
 */
const FORM_AT_LEAST: Readonly<Record<KnowledgeKind, number>> = {
  person: 0.2,
  decision: 0.05,
  procedure: 0.05,
  preference: 0.05,
  fact: 0.05,
  task: 0.05,
  lesson: 0,
  correction: 0,
};
/** Turns, whoever's: with fewer there is no conversation yet that could speak against a form. */
const SHORT_TALK = 8;
/**
 * How likely a kind must be when no form says it: where, judged by others' conversations, two of three that are no
 * likelier are right. Facts, tasks and people are what every sentence looks like that names something.
 */
const LIKELY: Readonly<Record<KnowledgeKind, number>> = {
  decision: 0.5,
  lesson: 0.45,
  procedure: 0.5,
  correction: 0.5,
  preference: 0.55,
  person: 0.65,
  fact: 0.7,
  task: 0.7,
};
/** What is surely worth keeping is kept under the likeliest kind: a rule may be a decision or a lesson, and is one anyway. */
const NOT_NOTHING = 0.2;
const AMONG_KINDS = 0.43;
const SURE = 0.75;
/** How much likelier it must be where tools do the work: what people say there is mostly about the hour. */
const OF_THE_HOUR = 0.2;
/** A form is not meant there when everything else says that nothing worth keeping was said. */
const NOT_MEANT = 0.3;
/** Says how somebody is, not only what happened to them once. */
const SAYS_WHAT_IS =
  /\b(?:is|are|has|have|can|can't|cannot|will|won't|does|doesn't|don't|always|never|usually|only|called|named|since|likes?|loves?|hates?|prefers?|wants?|needs?|lives?|works?|takes?|speaks?|knows?|owns?|runs?|leads?|plays?|reads?|drives?|eats?|drinks?|uses?|teaches|studies|starts?|joins?|handles?|signs?|answers?|gets?|goes|comes?|sits?|turns|sleeps?|allergic|birthday)\b|'(?:s|re|ll|ve)\b/u;
/** What people have and things do not. */
const PERSONAL = new Set(['residence', 'employer', 'birthday', 'school']);
/** "Vera, my sister, lives …" */
const APPOSITION = /^(?<name>\p{Lu}[\p{L}'-]+), [^,]{1,30}, /u;
const MIN_CONTENT_WORDS = 2;
/** "No emojis." says all there is to say. */
const BANS = /^(?:no|never|only) \p{L}{4,}[.!]*$/u;
/** A reason belongs to what it is given for, an opinion to whoever holds it, and a plot to its book. */
const NOT_OWN =
  /^(?:(?:the |my )?reason\b|because\b|in (?:the|this|that|my|his|her) (?:novel|book|story|film|movie|game|episode|series|play|song|dream)\b|the (?:\p{L}+ ){1,5}said\b|(?!i |we )(?:\p{L}+ ){0,2}(?:says|said|thinks|thought|swears|claims|reckons|recommends|suggests|insists|believes)\b)/u;

/** The kind a statement most likely is; undefined when it is not worth keeping, or not surely enough. */
export function judge(heard: Heard): Finding | undefined {
  if (!isAsserted(heard)) return undefined;
  if (heard.utterance.language !== 'en') {
    const kind = foreignFormOf(heard);
    return kind === undefined ? undefined : { kind, heard, score: PLAIN };
  }
  const chances = heard.scene.chancesOf(featuresOf(heard));
  const best = likeliestKind(chances);
  const form = plainFormOf(heard) ?? (givesProperty(heard) ? 'person' : undefined);
  if (form !== undefined && isMeant(form, best, chances, heard))
    return found(form, heard, Math.max(PLAIN, chances[form]));
  return chances[best] < neededFor(best, chances, heard) ? undefined : found(best, heard, chances[best]);
}

function isMeant(form: KnowledgeKind, best: KnowledgeKind, chances: Chances, heard: Heard): boolean {
  if (heard.scene.strictness === 1 && chances.none > NOT_MEANT && !givesProperty(heard)) return false;
  if (!isShortTalk(heard.scene) && chances[form] < FORM_AT_LEAST[form] && !givesProperty(heard)) return false;
  return best === form || form === 'correction' || chances[best] < RIVAL;
}

/** There is nothing else yet by which it could be judged: "My wife's name is Ana." is what it says. */
function isShortTalk({ conversation }: Heard['scene']): boolean {
  return conversation.turns.length < SHORT_TALK;
}

/** Where somebody lives or works is worth keeping however little the rest of the conversation looks like it. */
function givesProperty(heard: Heard): boolean {
  const statement = heard.utterance.text.replace(APPOSITION, '$<name> ');
  const property = isDoubtful(heard) ? undefined : propertyOf(statement);
  if (property === undefined || !PERSONAL.has(property.attribute)) return false;
  return /^\p{Lu}/u.test(property.subject) && /^[\p{Lu}\d]/u.test(property.value);
}

function neededFor(kind: KnowledgeKind, { none }: Chances, heard: Heard): number {
  const { strictness } = heard.scene;
  if (isDoubtful(heard) || (kind === 'decision' && heard.modality.isReported)) return SURE;
  if (kind === 'person' && !SAYS_WHAT_IS.test(heard.utterance.plain)) return SURE;
  const likely = LIKELY[kind] + strictness * OF_THE_HOUR;
  return strictness < 1 && none <= NOT_NOTHING ? Math.min(likely, AMONG_KINDS) : likely;
}

/** Said of the moment, of what might be, or without being sure. */
function isDoubtful({ modality }: Heard): boolean {
  return modality.isMomentary || modality.isHypothetical || modality.isHedged;
}

function found(kind: KnowledgeKind, heard: Heard, score: number): Finding {
  const corrected = kind === 'correction' ? correctedBy(heard) : undefined;
  return { kind, heard, score, owner: kind === 'task' ? ownerOf(heard) : undefined, corrects: corrected?.text };
}

/** Whose a task is, when it is somebody else's: "Jonas sets them up by Friday". */
function ownerOf({ utterance, scene }: Heard): string | undefined {
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

/** Questions, jokes, daydreams and what is over are not claims, however they are worded. */
export function isAsserted({ utterance, modality, specifics }: Heard): boolean {
  if (utterance.turn.role !== 'user') return false;
  if (specifics.contentWords < MIN_CONTENT_WORDS && !BANS.test(utterance.plain)) return false;
  const isReminder = /\bremind me\b/u.test(utterance.plain);
  if (NOT_OWN.test(utterance.plain)) return false;
  const isAsking = modality.isQuestion && (utterance.isAsked || /, \p{L}+n't \p{L}+[.!]*$/u.test(utterance.plain));
  return !modality.isIronic && !(isAsking && !isReminder);
}
