import { z } from 'zod';
import type { LiveTurn } from '../../capture/live-turn.ts';
import type { SessionRecord as LedgerRecord } from '../../exchange/import/ledger.ts';

const recordSchema = z.object({
  origin: z.string(),
  turns: z.number().int(),
  parts: z.number().int(),
  keys: z.array(z.number()),
  topic: z.string().optional(),
  position: z
    .object({
      size: z.number(),
      mtimeMs: z.number(),
      offset: z.number(),
      tail: z.string(),
      isComplete: z.boolean().optional(),
    })
    .optional(),
});

/** What the record of imports has to say of a capture. It stands in the turn that completed it, in the same write. */
export type CapturedRecord = z.infer<typeof recordSchema>;

export function toLedger(record: CapturedRecord): LedgerRecord {
  return { ...record, path: undefined };
}

export interface CapturedState {
  /** The last capture that was completed, if there was one. */
  readonly last: CapturedRecord | undefined;
  /** Turns behind it: of a capture that was interrupted, to be read again and not to be written again. */
  readonly interrupted: number;
}

export function findCaptured(turns: readonly LiveTurn[]): CapturedState {
  for (let index = turns.length - 1; index >= 0; index -= 1) {
    const last = recordSchema.safeParse(turns[index]?.captured).data;
    if (last !== undefined) return { last, interrupted: turns.length - 1 - index };
  }
  return { last: undefined, interrupted: turns.length };
}
