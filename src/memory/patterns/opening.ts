import { DAY_MS } from '../../model/time.ts';
import { trustOfAll, type Occurrence, type Suspected } from './occurrence.ts';
import { isHeldNoLonger } from './retire.ts';
import { binomialTail } from './statistics.ts';
import { MIN_SUPPORT, type Search } from './temporal.ts';

const MIN_SHARE = 0.7;
const MAX_EVIDENCE = 12;

interface Day {
  readonly first: Occurrence;
  /** The number of different things done; a single one is not a first. */
  readonly count: number;
  readonly labels: ReadonlySet<string>;
}

/** Finds the usual start of a day, whenever that is; only in conversations, which have an order. */
export function findOpenings(all: readonly Occurrence[]): Search {
  const days = [
    ...Map.groupBy(
      all.filter(({ occasion }) => occasion !== undefined),
      dayOf,
    ).values(),
  ].flatMap(toDay);
  const firsts = new Set(days.flatMap(({ first }) => first.labels));
  const found: Suspected[] = [];
  for (const label of firsts) {
    const tried = days.filter(({ labels }) => labels.has(label));
    const trials = tried.map(({ first }) => ({ ...first, isHeld: first.labels.includes(label) }));
    const held = trials.filter(({ isHeld }) => isHeld);
    if (held.length < MIN_SUPPORT || held.length / tried.length < MIN_SHARE) continue;
    const expected = tried.reduce((sum, { count }) => sum + 1 / count, 0) / tried.length;
    found.push({
      shape: { kind: 'opening', label },
      held: held.length,
      tried: tried.length,
      expected,
      chance: binomialTail(held.length, tried.length, expected),
      firstMs: held[0]?.timeMs ?? 0,
      lastMs: held.at(-1)?.timeMs ?? 0,
      isRetired: isHeldNoLonger(trials),
      evidence: held.slice(-MAX_EVIDENCE).map(({ id }) => id),
      trust: trustOfAll(held),
    });
  }
  return { tests: firsts.size, found };
}

/** By the home's clock, so that an evening is no part of the next day. */
function dayOf({ timeMs, hour }: Occurrence): number {
  return Math.round((timeMs - hour * (DAY_MS / 24)) / DAY_MS);
}

function toDay(happened: readonly Occurrence[]): Day[] {
  const [first] = happened;
  const labels = new Set(happened.flatMap((each) => each.labels));
  return first === undefined || labels.size < 2 ? [] : [{ first, count: labels.size, labels }];
}
