import { compareItems, type ItemComparison } from '../../maintain/reconstruct/compare-items.ts';
import type { DerivedItem } from '../../maintain/reconstruct/derived-items.ts';
import { MnemeError } from '../../model/errors.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import type { OperationContext } from '../context.ts';
import { assertReconstructionName, reconstructionPlaces, type ReconstructionPlaces } from './places.ts';
import { derivedRule, readDerived } from './prepare.ts';
import { getRecord, readDone, type ReconstructionRecord } from './record.ts';
import { openScratch } from './scratch-home.ts';

export interface BothSides {
  readonly record: ReconstructionRecord;
  readonly places: ReconstructionPlaces;
  readonly scratch: OperationContext;
  readonly before: readonly DerivedItem[];
  readonly after: readonly DerivedItem[];
  readonly comparison: ItemComparison;
  readonly done: number;
}

/** Opens the known facts and those a reconstruction found, while no other process works on it. */
export async function withBothSides<T>(
  context: OperationContext,
  name: string,
  body: (sides: BothSides) => Promise<T>,
): Promise<T> {
  assertReconstructionName(name);
  const record = getRecord(context.workspace.paths, name);
  const places = reconstructionPlaces(context.workspace.paths, name);
  const lock = ProcessLock.tryTake(places.lock);
  if (lock === undefined) {
    throw new MnemeError('locked', `${name} is being worked on by another process.`, { hint: 'Wait for it.' });
  }
  try {
    if (record.state === 'begun') throw unfinished(name, 'nothing of it was replayed yet');
    const scratch = await openScratch(context, places, record);
    try {
      await context.workspace.scan();
      const rule = await derivedRule(context, record);
      const within = await replayed(record, places);
      const before = readDerived(context, rule).filter((item) => within(item));
      const after = readDerived(scratch.context, rule);
      const comparison = compareItems(before, after);
      const done = readDone(places).size;
      return await body({ record, places, scratch: scratch.context, before, after, comparison, done });
    } finally {
      await scratch.close();
    }
  } finally {
    lock.release();
  }
}

/** Skips knowledge learned from conversations that a reconstruction did not cover. */
async function replayed(
  { sessions }: ReconstructionRecord,
  places: ReconstructionPlaces,
): Promise<(item: DerivedItem) => boolean> {
  const done = readDone(places);
  const known = new Set(sessions.filter((session) => done.has(session)));
  return ({ meta }) => meta.session === undefined || known.has(meta.session);
}

export function unfinished(name: string, why: string): MnemeError {
  return new MnemeError('conflict', `${name} is not complete: ${why}.`, {
    hint: `\`mneme learn reconstruct start ${name}\` goes on with it.`,
  });
}
