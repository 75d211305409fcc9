import { trustOfAll, type Occurrence, type Suspected } from './occurrence.ts';
import { binomialTail, isHeldNoLonger } from './statistics.ts';
import { MIN_SUPPORT, type Search } from './temporal.ts';

const MIN_SHARE = 0.6;
const MAX_EVIDENCE = 12;

/** Finds options that are mostly chosen where there were others. */
export function findPreferences(all: readonly Occurrence[]): Search {
  const bySubject = new Map<string, { readonly occurrence: Occurrence; readonly value: string }[]>();
  for (const occurrence of all) {
    for (const [subject, value] of Object.entries(occurrence.choices ?? {})) {
      const chosen = bySubject.get(subject) ?? [];
      chosen.push({ occurrence, value });
      bySubject.set(subject, chosen);
    }
  }
  const found: Suspected[] = [];
  let tests = 0;
  for (const [subject, chosen] of bySubject) {
    const values = [...new Set(chosen.map(({ value }) => value))];
    // A single value is a fact somebody stated again and again, not a choice.
    if (values.length < 2) continue;
    tests += values.length;
    for (const value of values) {
      const held = chosen.filter((each) => each.value === value);
      if (held.length < MIN_SUPPORT || held.length / chosen.length < MIN_SHARE) continue;
      found.push({
        shape: { kind: 'preference', subject, value },
        held: held.length,
        tried: chosen.length,
        expected: 1 / values.length,
        chance: binomialTail(held.length, chosen.length, 1 / values.length),
        firstMs: held[0]?.occurrence.timeMs ?? 0,
        lastMs: held.at(-1)?.occurrence.timeMs ?? 0,
        isRetired: isHeldNoLonger(
          chosen.map((each) => ({ timeMs: each.occurrence.timeMs, isHeld: each.value === value })),
        ),
        evidence: held.slice(-MAX_EVIDENCE).map(({ occurrence }) => occurrence.id),
        trust: trustOfAll(held.map(({ occurrence }) => occurrence)),
      });
    }
  }
  return { tests, found };
}
