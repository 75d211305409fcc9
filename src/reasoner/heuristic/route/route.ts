import { packagedJudge } from '../../../judge/judge.ts';
import { divideRequest, isForEver } from '../../../judge/requests/command-words.ts';
import type { KnowledgeKind } from '../../../model/knowledge.ts';
import type { RouteInput, Route } from '../../port.ts';
import { fromOf, isUsers, subjectOf, untilOf } from '../conversation/candidate.ts';
import { INVITATION, foreignFormOf, ownerOf } from '../conversation/judge-turns.ts';
import { setScene } from '../conversation/scene.ts';
import { entitiesIn } from '../entities/entities.ts';
import { propertyIn, type PropertyMention } from '../entities/bearer.ts';
import { type Chances, type Finding, type Heard, NOTHING, type Scene, notice } from '../kinds/finding.ts';
import { rationaleOf, stateFinding, stepsOf, triggerOf } from '../statement/statement.ts';
import { confidenceOf, coreBlockOf, kindByWords, kindOfThing, placeOf, type Sorting } from './store.ts';
import { SAFETY, tagsOf } from '../../../model/content-words.ts';

/** Where a single message belongs that somebody asked to keep. */
export async function route({ text, user, timeMs, timeZone, known }: RouteInput): Promise<Route> {
  const request = divideRequest(text);
  const { content } = request;
  const turn = { id: 't1', role: 'user' as const, text: content, timeMs, trust: 'user' as const };
  const scene = await setScene({ session: 'route', user, timeZone, turns: [turn], known });
  const heard =
    scene.turns[0]?.filter((utterance) => utterance.text !== '').map((utterance) => notice(utterance, scene)) ?? [];
  const chances = judgeRequest(content);
  const steps = stepsOf(content);
  const likely = kindOfWords(content, heard, chances, steps?.length ?? 0);
  const findings = heard.map((each): Finding => ({ kind: likely, heard: each, score: 1 }));
  const stated = findings.map((finding) => stateFinding(finding, scene));
  const summary = stated.length === 0 ? content : stated.join(' ');
  const property = stated
    .map((each, place) => propertyIn(each, heard[place]?.utterance.text ?? '', scene))
    .find((each) => each !== undefined);
  const stands = property === undefined ? likely : kindOf(property, likely);
  const entities = entitiesIn(summary, scene);
  // The owner of an unknown name: the model tells people's statements from those about things.
  const isOfPerson = stands === 'fact' && property === undefined && chances.person >= MAY_BE_PERSON;
  const subject = subjectOf(summary, entities, isOfPerson ? 'person' : stands, property, scene);
  const kind = kindOfThing(content, stands, subject);
  const sorting: Sorting = {
    text: content,
    kind,
    none: chances.none,
    property,
    isUsers: isUsers(subject),
    // Asking for the meaning costs some milliseconds; of what is to be done or was decided it is not asked.
    isSafety: kind !== 'task' && kind !== 'decision' && isSafety(content),
    stepCount: steps?.length,
    lexicon: scene.lexicon,
  };
  return {
    ...(isForEver(request) ? { store: 'vault' as const, block: coreBlockOf(sorting) } : placeOf(sorting)),
    kind,
    entities,
    relations: [],
    tags: tagsOf(summary, undefined),
    confidence: request.asking === '' ? confidenceOf(1 - chances.none) : 'high',
    isCoreWorthy: coreBlockOf(sorting) !== undefined,
    summary,
    subject,
    property,
    ...partsOf(content, kind, findings, scene),
  };
}

/** The model's verdict on words that were given to be kept. */
function judgeRequest(content: string): Chances {
  const [chances] = packagedJudge().readTurn({ before: INVITATION, after: '', statements: [content] });
  return { ...NOTHING, ...chances };
}

/** To keep it was already decided; a plain form in another language says more than a model of English. */
function kindOfWords(content: string, heard: readonly Heard[], chances: Chances, stepCount: number): KnowledgeKind {
  const isForeign =
    !ENGLISH.test(content) &&
    heard.some(({ utterance }) => utterance.language !== 'en' && utterance.language !== 'other');
  const byForm = heard.map(foreignFormOf).find((kind) => kind !== undefined);
  return byForm ?? (isForeign ? 'fact' : kindByWords(content, chances, stepCount));
}

/** For a stated property, the subject says more about the kind than the words do. */
function kindOf({ subject }: PropertyMention, likely: KnowledgeKind): KnowledgeKind {
  if (likely === 'task' || likely === 'correction' || likely === 'decision') return likely;
  if (subject.isUser === true) return 'fact';
  return subject.type === 'person' ? 'person' : likely;
}

function partsOf(content: string, kind: KnowledgeKind, findings: readonly Finding[], scene: Scene): Partial<Route> {
  const [first] = findings;
  if (first === undefined || scene.turns.length === 0) return {};
  if (kind === 'procedure') return { trigger: triggerOf(content), steps: stepsOf(content) };
  if (kind === 'task') {
    const due = findings.flatMap(({ heard }) => heard.dates).find(({ date }) => date.length === ISO_DAY)?.date;
    return { due, owner: ownerOf(first.heard) };
  }
  return {
    from: fromOf(first),
    until: untilOf(first),
    ...(kind === 'decision' || kind === 'lesson' ? { rationale: rationaleOf(content) } : {}),
  };
}

/** Short orders are taken for another language by their letters. */
const ENGLISH = /\b(?:the|is|are|my|of|to|and|than|that|per|from|with|emojis?|please|more|not)\b/iu;
const ISO_DAY = 10;
const MAY_BE_PERSON = 0.2;

/** The margin by which danger must be nearer: half of what words alone would miss, and nothing else so far. */
const NEARER = 0.18;

/** Whether somebody could be hurt if it were not known. */
function isSafety(text: string): boolean {
  if (SAFETY.test(text)) return true;
  const [danger = 0, other = 0] = packagedJudge().nearestOf(text, [DANGERS, OTHERS]);
  return danger - other >= NEARER;
}

/**
 * Examples near in meaning to statements of what could hurt somebody, and others that are not: they cover words missing from the
 * list. Their vectors are in `assets/model/examples.json` (`npm run generate`).
 */
export const DANGERS = [
  'allergic reaction, could die',
  'has a serious illness and needs medication',
  'must not take this medicine',
  'emergency contact phone number',
  'blood type',
  'dangerous, do not touch',
  'where the first aid kit and fire extinguisher are',
  'what to do in a medical emergency',
  'in case of fire or alarm leave the building at once',
  'poisonous chemicals, gas or explosion',
];
export const OTHERS = [
  'answer in short sentences',
  'my name, job and home town',
  'likes this food and drink',
  'lives and works there',
  'the server, database and website',
  'birthday and phone number',
  'prefers to travel this way',
  'steps to build, test and release software',
  'units, numbers and formatting',
  'speaks a language, plays an instrument',
];
