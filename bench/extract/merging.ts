import fs from 'node:fs';
import path from 'node:path';
import type { PipelineRun, TakenStatement } from './pipeline.ts';

export interface Merging {
  /** Statements that were taken in, whatever became of them. */
  readonly taken: number;
  /** Items that hold, and of them those that say what another says. */
  readonly items: number;
  readonly duplicates: number;
  readonly duplicateRate: number;
  /** Statements that were merged into, or ended, something that they do not restate, replace or take back. */
  readonly wrongMerges: number;
  readonly wrongMergeRate: number;
}

export interface Wrong {
  readonly what: 'twice' | 'merged' | 'replaced' | 'lost';
  readonly statement: string;
  readonly other: string;
}

/** Judges what a run left in its files by the keys of the labels; what tells no label counts for nothing here. */
export function judgeMerging({ taken, live }: PipelineRun): {
  readonly merging: Merging;
  readonly wrong: readonly Wrong[];
} {
  const kept = taken.filter(({ action, id }) => id !== undefined && (action === 'added' || action === 'superseded'));
  const byId = new Map(kept.map((item) => [item.id, item]));
  const wrong = [...findTwice(kept, live), ...findWrongMerges(taken, byId), ...findLost(taken, live)];
  const duplicates = wrong.filter(({ what }) => what === 'twice').length;
  const wrongMerges = wrong.length - duplicates;
  return {
    merging: {
      taken: taken.length,
      items: live.size,
      duplicates,
      duplicateRate: duplicates / Math.max(1, live.size),
      wrongMerges,
      wrongMergeRate: wrongMerges / Math.max(1, taken.length),
    },
    wrong,
  };
}

function findTwice(kept: readonly TakenStatement[], live: ReadonlySet<string>): Wrong[] {
  const first = new Map<string, TakenStatement>();
  return kept.flatMap((item): Wrong[] => {
    const { label, id = '', statement } = item;
    if (label === undefined || label.optional === true || !live.has(id)) return [];
    const other = first.get(label.key);
    if (other === undefined) first.set(label.key, item);
    return other === undefined || other.id === id ? [] : [{ what: 'twice', statement, other: other.statement }];
  });
}

function findWrongMerges(
  taken: readonly TakenStatement[],
  byId: ReadonlyMap<string | undefined, TakenStatement>,
): Wrong[] {
  return taken.flatMap((item): Wrong[] => {
    const { label, action, statement, replaced } = item;
    const target = action === 'confirmed' ? byId.get(item.id) : undefined;
    const merged = target !== undefined && isOther(label, target) ? [target] : [];
    const ended = replaced
      .flatMap(({ id }) => byId.get(id) ?? [])
      .filter((old) => isOther(label, old) && !endsKey(label, old));
    return [
      ...merged.map((old): Wrong => ({ what: 'merged', statement, other: old.statement })),
      ...ended.map((old): Wrong => ({ what: 'replaced', statement, other: old.statement })),
    ];
  });
}

/** An optional label counts neither way. */
function isOther(label: TakenStatement['label'], { label: other }: TakenStatement): boolean {
  if (other === undefined || other.optional === true || label?.optional === true) return false;
  return label === undefined ? false : label.key !== other.key;
}

function endsKey(label: TakenStatement['label'], { label: other }: TakenStatement): boolean {
  const ends = [label?.supersedes, label?.retracts].flat();
  return other !== undefined && ends.includes(other.key);
}

/** Skipped as known although nothing that holds, or held, says it. */
function findLost(taken: readonly TakenStatement[], live: ReadonlySet<string>): Wrong[] {
  const said = new Set(taken.filter(({ action }) => action !== 'skipped').map(({ label }) => label?.key));
  return taken.flatMap(({ action, label, statement, reason, id }): Wrong[] => {
    if (action !== 'skipped' || label === undefined || label.optional === true || said.has(label.key)) return [];
    return id !== undefined && live.has(id) ? [] : [{ what: 'lost', statement, other: reason ?? '' }];
  });
}

interface Trap {
  readonly a: string;
  readonly b: string;
  readonly same: boolean;
}

export interface TrapResult {
  readonly truePairs: number;
  readonly recognised: number;
  readonly falsePairs: number;
  readonly merged: number;
}

/** Which of the trap pairs ended up as one memory. */
export function judgeTraps(folder: string, set: 'A' | 'B', { taken }: PipelineRun): TrapResult {
  const file = path.join(folder, `merge-traps-${set}.json`);
  if (!fs.existsSync(file)) return { truePairs: 0, recognised: 0, falsePairs: 0, merged: 0 };
  const traps = JSON.parse(fs.readFileSync(file, 'utf8')) as readonly Trap[];
  const byLabel = new Map(taken.flatMap((item) => (item.label === undefined ? [] : [[item.label.id, item] as const])));
  const isOne = ({ a, b }: Trap): boolean => {
    const [one, other] = [byLabel.get(a), byLabel.get(b)];
    if (one?.id === undefined || other?.id === undefined) return false;
    const ends = new Set([one, other].flatMap(({ replaced }) => replaced.map(({ id }) => id)));
    return one.id === other.id || ends.has(one.id) || ends.has(other.id);
  };
  const isMerged = (trap: Trap): boolean => byLabel.get(trap.a)?.id === byLabel.get(trap.b)?.id && isOne(trap);
  const real = traps.filter(({ a, b }) => byLabel.has(a) && byLabel.has(b));
  return {
    truePairs: real.filter(({ same }) => same).length,
    recognised: real.filter((trap) => trap.same && isOne(trap)).length,
    falsePairs: real.filter(({ same }) => !same).length,
    merged: real.filter((trap) => !trap.same && isMerged(trap)).length,
  };
}
