import type { Config } from '../../model/config/schema.ts';
import { addDays } from '../../model/time.ts';
import { relevanceOf, FADING } from '../../memory/decay/relevance.ts';
import type { Use } from '../../memory/decay/uses.ts';
import { CORE_FILE, coreBullets, type CoreBullet } from '../../memory/stores/core-bullets.ts';
import { Core, type NewCoreBullet } from '../../memory/stores/core.ts';
import { Episodes } from '../../memory/stores/episodes.ts';
import type { StoreParts } from '../../memory/stores/plan.ts';
import type { CoreBlockName } from '../../workspace/formats/core.ts';
import { resolveMetadata } from '../../workspace/formats/defaults.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { Declined } from './declined.ts';
import type { LookedAt, Survey } from './survey.ts';
import { type CoreCaps } from '../../workspace/formats/core.ts';

export interface CoreInput {
  readonly text: string;
  readonly survey: Survey;
  readonly uses: ReadonlyMap<string, Use>;
  /** Whether the item that a bullet states still holds; undefined where nobody knows. */
  readonly holds: (id: string) => boolean | undefined;
  readonly declined: Declined;
  readonly nowMs: number;
  readonly decay: Config['decay'];
}

export interface CoreRewrite {
  readonly after: string;
  readonly added: readonly string[];
  readonly removed: readonly { readonly text: string; readonly why: string }[];
}

/** Few enough that a person reads each. */
const MAX_ADDED = 5;
/** More than these nobody weighs against each other. */
const MAX_CANDIDATES = 40;

/** What may come in and go out; somebody else may choose among it. */
export interface CoreOptions {
  readonly candidates: readonly Promotion[];
  readonly removable: readonly { readonly bullet: CoreBullet; readonly why: string }[];
  readonly questions: readonly string[];
}

export function findCoreOptions(input: CoreInput): CoreOptions {
  const { removed, questions } = findLeaving(input);
  return { candidates: findPromotions(input).slice(0, MAX_CANDIDATES), removable: removed, questions };
}

/**
 * Core memory as it should be: without what no longer holds or nobody used for long, with what proved to matter, and
 * within its caps. A line leaves only when its store says the same; about any other the person is asked.
 */
export function rewriteCore(
  parts: StoreParts,
  caps: CoreCaps,
  before: string,
  { candidates, removable }: CoreOptions,
): CoreRewrite {
  const core = new Core(parts, new Episodes(parts), caps);
  let text = before;
  for (const { bullet } of removable) text = carryOut(core.planRetract(bullet.id).changes, text);
  const added: string[] = [];
  for (const bullet of candidates) {
    if (added.length === MAX_ADDED) break;
    const plan = core.planBullet(bullet, { whenFull: 'move' });
    const next = carryOut(plan.changes, text);
    const { outcome, moved } = plan.outcome();
    // Who would push out a line that stands nowhere else stays outside.
    if (outcome !== 'added' || moved.some(({ to }) => to.includes('/'))) continue;
    text = next;
    added.push(bullet.text);
  }
  return { after: text, added, removed: removable.map(({ bullet, why }) => ({ text: bullet.text, why })) };
}

function carryOut(changes: ReturnType<Core['planRetract']>['changes'], text: string): string {
  const own = changes.find(({ path }) => path === CORE_FILE);
  return own !== undefined && 'edit' in own ? (own.edit(text) ?? text) : text;
}

interface Leaving {
  readonly removed: readonly { readonly bullet: CoreBullet; readonly why: string }[];
  readonly questions: readonly string[];
}

function findLeaving({ text, holds, declined, ...rest }: CoreInput): Leaving {
  const removed: { bullet: CoreBullet; why: string }[] = [];
  const questions: string[] = [];
  for (const bullet of coreBullets(parseDocument(text))) {
    if (declined.has(CORE_FILE, '-', bullet.text)) continue;
    const ended = bullet.states !== undefined && holds(bullet.states) === false;
    const isUnused = !ended && isFaded(bullet, rest);
    if (!ended && !isUnused) continue;
    if (bullet.isPinned || bullet.states === undefined)
      questions.push(
        `“${bullet.text}” in core memory ${ended ? 'no longer holds' : 'was not used for long'}. Still relevant?`,
      );
    else removed.push({ bullet, why: ended ? 'no longer holds' : 'not used for long; its store keeps it' });
  }
  return { removed, questions };
}

function isFaded(
  { id, states, meta, isPinned }: CoreBullet,
  { uses, nowMs, decay }: Pick<CoreInput, 'uses' | 'nowMs' | 'decay'>,
): boolean {
  const createdMs = meta.time === undefined ? undefined : Date.parse(meta.time);
  const use = uses.get(id) ?? (states === undefined ? undefined : uses.get(states));
  const fading = {
    store: 'core',
    source: meta.source,
    createdMs,
    accesses: use?.count ?? 0,
    lastAccessMs: use?.lastMs,
    isPinned,
  } as const;
  return relevanceOf(fading, nowMs, decay) < FADING.fadingMin;
}

const SOON_DAYS = 14;
const OFTEN_USED = 3;
const OFTEN_CONFIRMED = 2;
const IMPORTANT = 0.7;

export interface Promotion extends NewCoreBullet {
  readonly states: string;
  readonly importance: number;
}

/** What the person said and came back to, decided lately, or has to do soon; the most important first. */
function findPromotions({ survey, uses, declined, text }: CoreInput): Promotion[] {
  const stated = new Set(coreBullets(parseDocument(text)).flatMap(({ states, id }) => [states ?? id, id]));
  return survey.entities
    .flatMap((looked) => [
      ...lastingFacts(looked, uses),
      ...lateDecisions(looked, survey),
      ...tasksSoon(looked, survey),
    ])
    .filter((bullet) => !stated.has(bullet.states) && !declined.has(CORE_FILE, '+', bullet.text))
    .toSorted((one, other) => other.importance - one.importance);
}

const BLOCKS: Readonly<Record<string, CoreBlockName>> = { preference: 'Persona', person: 'Identity' };

function lastingFacts({ record, entity }: LookedAt, uses: ReadonlyMap<string, Use>): Promotion[] {
  return entity.facts.flatMap((fact): Promotion[] => {
    const { trust, importance } = resolveMetadata(fact.meta, entity.defaults);
    const isOften = (uses.get(fact.id ?? '')?.count ?? 0) >= OFTEN_USED || (fact.meta.verified ?? 0) >= OFTEN_CONFIRMED;
    if (fact.id === undefined || fact.isSuperseded || trust !== 'user' || !isOften) return [];
    const block = record.isUser ? (BLOCKS[fact.meta.category ?? ''] ?? 'Critical Facts') : 'Critical Facts';
    return [promotion(block, fact.text, fact.id, importance)];
  });
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
  return { block, text, states, importance, meta: { importance, source: 'reflection', trust: 'user' } };
}
