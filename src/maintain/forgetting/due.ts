import {
  FADING,
  fallsBelowMs,
  relevanceOf,
  statusOf,
  type DecayStatus,
  type Fading,
} from '../../memory/decay/relevance.ts';
import type { Config } from '../../model/config/schema.ts';
import { whyArchived, whyKept, type ForgettingRules } from './candidates.ts';
import type { SurveyedMemory } from './memory.ts';
import { DAY_MS } from '../../model/time.ts';

/** The properties of a memory that fading needs: everything but its words. */
export type FadingMemory = Omit<SurveyedMemory, 'relevance' | 'status' | 'text' | 'confidence'>;

export interface Outlook {
  readonly relevance: number;
  readonly status: DecayStatus;
  /** Whether something speaks for putting it away, and nothing that lasts against it. */
  readonly isCandidate: boolean;
  /** When one of the two may change although nobody touches it; undefined when neither ever does. */
  readonly nextMs: number | undefined;
}

type Rules = Pick<ForgettingRules, 'decay' | 'retention'>;

/** Further ahead nothing is reckoned out: whoever gets there looks again. */
const HORIZON_MS = 400 * DAY_MS;
/** Finer than any night. */
const PRECISION_MS = 60_000;

/** The present fading of a memory, and the time of the next check. */
export function outlookOf(memory: FadingMemory, nowMs: number, rules: Rules): Outlook {
  const { relevance, status } = fadedAt(memory, nowMs, rules.decay);
  const mayGo = whyKept({ ...memory, ...WORDLESS, relevance, status }) === undefined;
  const isCandidate = mayGo && wouldGo(memory, nowMs, rules);
  const changes = [
    nextStatusMs(memory, nowMs, rules.decay),
    mayGo && !isCandidate ? findChange((timeMs) => wouldGo(memory, timeMs, rules), nowMs) : undefined,
  ].filter((timeMs) => timeMs !== undefined);
  return { relevance, status, isCandidate, nextMs: changes.length === 0 ? undefined : Math.min(...changes) };
}

const WORDLESS = { text: '', confidence: undefined };

export function fadingOfMemory({ store, source, createdMs, isPinned, isStanding, use }: FadingMemory): Fading {
  return { store, source, createdMs, isPinned, isStanding, accesses: use?.count ?? 0, lastAccessMs: use?.lastMs };
}

/** The relevance and status it has at a time, with what is known of its uses now. */
export function fadedAt(
  memory: FadingMemory,
  timeMs: number,
  config: Config['decay'],
): Pick<Outlook, 'relevance' | 'status'> {
  const relevance = relevanceOf(fadingOfMemory(memory), timeMs, config);
  return { relevance, status: statusOf(relevance) };
}

function wouldGo(memory: FadingMemory, timeMs: number, rules: Rules): boolean {
  const surveyed = { ...memory, ...WORDLESS, ...fadedAt(memory, timeMs, rules.decay) };
  return whyArchived(surveyed, timeMs, rules) !== undefined;
}

function nextStatusMs(memory: FadingMemory, nowMs: number, config: Config['decay']): number | undefined {
  const { relevance } = fadedAt(memory, nowMs, config);
  const ahead = [FADING.activeMin, FADING.fadingMin, FADING.dormantMin]
    .filter((limit) => relevance >= limit)
    .flatMap((limit) => fallsBelowMs(fadingOfMemory(memory), limit, config) ?? []);
  // A crossing that rounding has put into the past is looked at the next time.
  return ahead.length === 0 ? undefined : Math.max(nowMs + 1, Math.min(...ahead));
}

/** Reasons to archive only increase over time, so the first moment can be found by bisection. */
function findChange(holdsAt: (timeMs: number) => boolean, nowMs: number): number {
  let [before, after] = [nowMs, nowMs + HORIZON_MS];
  if (!holdsAt(after)) return after;
  while (after - before > PRECISION_MS) {
    const middle = before + Math.floor((after - before) / 2);
    if (holdsAt(middle)) after = middle;
    else before = middle;
  }
  // The last moment of which it is known that nothing speaks for it yet; by the next look it will.
  return before + 1;
}
