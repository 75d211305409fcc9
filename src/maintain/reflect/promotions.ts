import type { Use } from '../../memory/decay/use-log.ts';
import { CORE_FILE, coreBullets } from '../../memory/stores/core-bullets.ts';
import type { NewCoreBullet } from '../../memory/stores/core.ts';
import { containment, stemsOf } from '../../reasoner/heuristic/text/words.ts';
import { SAFETY } from '../../model/content-words.ts';
import { addDays } from '../../model/time.ts';
import { realName } from '../../model/knowledge.ts';
import type { CoreBlockName } from '../../workspace/formats/core.ts';
import { resolveMetadata } from '../../workspace/formats/defaults.ts';
import type { Entity } from '../../workspace/formats/entity.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { Declined } from './declined.ts';
import { type Said, isReadable, saidOf } from './said-when.ts';
import type { LookedAt, Survey } from './survey.ts';

type EntityFact = Entity['facts'][number];

/** Something that core memory should say. */
export interface Promotion extends NewCoreBullet {
  readonly states: string;
  readonly importance: number;
  /** Where it was said, each with its day; empty where the memory no longer knows. */
  readonly said: readonly Said[];
}

interface PromotionInput {
  readonly survey: Survey;
  readonly uses: ReadonlyMap<string, Use>;
  readonly declined: Declined;
  /** Core memory as it is. */
  readonly text: string;
}

const SOON_DAYS = 14;
const OFTEN_USED = 3;
const OFTEN_CONFIRMED = 2;
const IMPORTANT = 0.7;
/** The importance of a fact says how often the model thinks that it is needed: from here on always or often. */
const STANDING = 0.7;
/** Where somebody could be hurt, less is enough to ask. */
const SAFE_SIDE = 0.5;
/** Statements that share so much are one rule in several wordings. */
const SAME_RULE = 0.6;
/** A rule that is told again matters more than its words alone say. */
const PER_REPETITION = 0.1;
const NAME_IMPORTANCE = 0.9;

/** The user's repeated statements, habits, recent decisions and tasks due soon; the most important first. */
export function findPromotions({ survey, uses, declined, text }: PromotionInput): Promotion[] {
  const bullets = coreBullets(parseDocument(text));
  const stated = new Set(bullets.flatMap(({ states, id }) => [states ?? id, id]));
  const user = survey.entities.find(({ record }) => record.isUser)?.record.name;
  const said = bullets.map((bullet) => matterOf(bullet.text, user));
  const found = survey.entities
    .flatMap((looked) => [
      ...ownName(looked, text),
      ...[...lastingFacts(looked, uses), ...lateDecisions(looked, survey), ...tasksSoon(looked, survey)].filter(
        ({ block, text: line }) =>
          block === 'Critical Facts' || isStandingLine({ text: line, isTask: block === 'Active Context' }, user),
      ),
    ])
    .filter(({ states, text: line }) => !stated.has(states) && isReadable(line))
    .toSorted((one, other) => other.importance - one.importance);
  const kept: Promotion[] = [];
  for (const bullet of found) {
    const matter = matterOf(bullet.text, user);
    if (said.some((other) => isSameRule(matter, other)) || declined.has(CORE_FILE, '+', bullet.text)) continue;
    said.push(matter);
    kept.push(bullet);
  }
  return kept;
}

function ownName({ record }: LookedAt, core: string): Promotion[] {
  const name = realName(record.name);
  if (!record.isUser || name === undefined || core.includes(name)) return [];
  return [promotion('Identity', `The user's name is ${name}.`, record.id, NAME_IMPORTANCE)];
}

/** Properties that say who somebody is. */
const IDENTIFYING: ReadonlySet<string> = new Set(['residence', 'employer', 'role', 'birthday', 'address']);

function lastingFacts({ record, entity }: LookedAt, uses: ReadonlyMap<string, Use>): Promotion[] {
  const live = entity.facts.filter(
    (fact) => !fact.isSuperseded && resolveMetadata(fact.meta, entity.defaults).trust === 'user',
  );
  return live.flatMap((fact): Promotion[] => {
    if (fact.id === undefined) return [];
    const { importance } = resolveMetadata(fact.meta, entity.defaults);
    const repeated = live.filter((other) => other !== fact && isSaidAgain(fact, other, record.name));
    const times = repeated.length + (fact.meta.verified ?? 0);
    const isOften = (uses.get(fact.id)?.count ?? 0) >= OFTEN_USED || times >= OFTEN_CONFIRMED;
    const block = blockOf(fact, record.isUser);
    const least = block === 'Critical Facts' ? SAFE_SIDE : STANDING;
    const isStanding = block !== undefined && importance + times * PER_REPETITION >= least;
    if (!isOften && !isStanding) return [];
    const weight = Math.min(1, importance + times * PER_REPETITION);
    const said = [fact, ...repeated].flatMap(saidOf).toSorted((one, other) => one.day.localeCompare(other.day));
    return [{ ...promotion(block ?? 'Critical Facts', fact.text, fact.id, importance), importance: weight, said }];
  });
}

/** The block of what stands for itself; undefined for what has to be confirmed before it is worth a place. */
function blockOf({ text, meta }: EntityFact, isUser: boolean): CoreBlockName | undefined {
  if (SAFETY.test(text)) return 'Critical Facts';
  if (!isUser) return undefined;
  if (meta.category === 'preference') return 'Persona';
  return meta.category === 'person' || IDENTIFYING.has(meta.attribute ?? '') ? 'Identity' : undefined;
}

/** In another conversation, in nearly the same words. */
function isSaidAgain(one: EntityFact, other: EntityFact, user: string): boolean {
  if (one.meta.category !== other.meta.category) return false;
  const [session, another] = [one, other].map((fact) => saidOf(fact)[0]?.turn.split('#')[0]);
  return session !== another && isSameRule(matterOf(one.text, user), matterOf(other.text, user));
}

/** Words that carry what is said; the user's name stands in half of all statements. */
function matterOf(text: string, user: string | undefined): ReadonlySet<string> {
  return stemsOf(text).difference(stemsOf(user ?? ''));
}

/** Two words in common, such as "always" and "first", make no rule of two. */
const MIN_SHARED = 3;

function isSameRule(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return containment(one, other) >= SAME_RULE && one.intersection(other).size >= MIN_SHARED;
}

function lateDecisions({ entity }: LookedAt, { today }: Survey): Promotion[] {
  const since = addDays(today, -SOON_DAYS);
  return entity.decisions.flatMap(({ id, text, date, meta, ended }): Promotion[] => {
    const { trust, importance } = resolveMetadata(meta, entity.defaults);
    const isActive = (meta.status ?? 'active') === 'active' && ended === undefined;
    if (id === undefined || !isActive || trust !== 'user' || importance < IMPORTANT || (date ?? '') < since) return [];
    return [promotion('Active Context', text, id, importance)];
  });
}

function tasksSoon({ entity }: LookedAt, { today }: Survey): Promotion[] {
  const until = addDays(today, SOON_DAYS);
  return entity.tasks.flatMap(({ id, text, status, meta }): Promotion[] => {
    const { due } = meta;
    const { trust, importance } = resolveMetadata(meta, entity.defaults);
    const isOpen = status !== 'done' && status !== 'dropped';
    if (id === undefined || due === undefined || !isOpen || trust !== 'user' || due < today || due > until) return [];
    return [promotion('Active Context', `${text.replace(/[.\s]+$/u, '')} (due ${due})`, id, importance)];
  });
}

function promotion(block: CoreBlockName, text: string, states: string, importance: number): Promotion {
  return { block, text, states, importance, said: [], meta: { importance, source: 'reflection', trust: 'user' } };
}

/** A task for the agent is done when the next page comes; the user's own tasks may begin with a verb. */
const POLITE = /^(?:(?:now|ok(?:ay)?|and|then|so),? )?please\b|^now /iu;
const ORDERS =
  /^(?:write|send|make|give|tell|show|draft|translate|help|fix|add|create|check|look|prepare|list|put|read|open|run)\b/iu;
const WANTS_NOW = /^\p{Lu}\p{L}* (?:wants?|needs?) (?:one|an?|the|this|that|these|those|some|your) /u;
/** Makes a rule of it. */
const LASTS =
  /\b(?:always|never|every|whenever|from now on|in future|when you|if you|only|must|no more than|at most)\b/iu;
const MEASURES = /\b(?:always|never|every|each|only|first|last|again)\b/giu;
/** With fewer, "Always show … first" does not say what. */
const LEAST_TOLD = 2;
/** Meant for the memory's own pages. */
const KIND_ALONE = /\bis (?:an? )?(?:person|human|company|thing)\b[,.]/iu;

/** Whether a line of core memory would still be wanted next month, and says what it is about. */
function isStandingLine(
  { text, isTask }: { readonly text: string; readonly isTask: boolean },
  user: string | undefined,
): boolean {
  const own = stemsOf(user ?? '');
  if (stemsOf(text.replaceAll(MEASURES, ' ')).difference(own).size < LEAST_TOLD || KIND_ALONE.test(text)) return false;
  return LASTS.test(text) || !(POLITE.test(text) || WANTS_NOW.test(text) || (!isTask && ORDERS.test(text)));
}
