import type { Config } from '../../model/config/schema.ts';
import { relevanceOf, FADING } from '../../memory/decay/relevance.ts';
import type { Use } from '../../memory/decay/use-log.ts';
import { CORE_FILE, coreBullets, type CoreBullet } from '../../memory/stores/core-bullets.ts';
import { Core } from '../../memory/stores/core.ts';
import { Episodes } from '../../memory/stores/episodes.ts';
import { newId, type StoreParts } from '../../memory/stores/plan.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { Declined } from './declined.ts';
import { findPromotions, type Promotion } from './promotions.ts';
import type { Survey } from './survey.ts';
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

/** One line that comes in or goes out, and core memory with this change alone: each is decided on by itself. */
export interface CoreLine<Said> {
  readonly said: Said;
  readonly after: string;
}

export interface CoreRewrite {
  /** With all of them. */
  readonly after: string;
  readonly added: readonly CoreLine<Promotion>[];
  readonly removed: readonly CoreLine<{ readonly text: string; readonly why: string }>[];
}

/** Few enough that a person reads each. */
const MAX_ADDED = 5;
/** More than these nobody weighs against each other. */
const MAX_CANDIDATES = 40;

/** The possible additions and removals; another judge may choose among them. */
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
  const removed = removable.map(({ bullet, why }) => {
    const { changes } = core.planRetract(bullet.id);
    text = carryOut(changes, text);
    return { said: { text: bullet.text, why }, after: carryOut(changes, before) };
  });
  const added: CoreLine<Promotion>[] = [];
  for (const candidate of candidates) {
    if (added.length === MAX_ADDED) break;
    const bullet = { ...candidate, id: newId(parts) };
    const plan = core.planBullet(bullet, { whenFull: 'move' });
    const next = carryOut(plan.changes, text);
    const { outcome, moved } = plan.outcome();
    // A candidate that would push out a line kept nowhere else is rejected.
    if (outcome !== 'added' || moved.some(({ to }) => to.includes('/'))) continue;
    text = next;
    added.push({ said: candidate, after: carryOut(core.planBullet(bullet, { whenFull: 'move' }).changes, before) });
  }
  return { after: text, added, removed };
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
