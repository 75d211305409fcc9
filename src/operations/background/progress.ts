import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { systemCode } from '../../model/errors.ts';
import { replaceFile } from '../../platform/fs.ts';

const amount = z.object({ conversations: z.int().min(0), passages: z.int().min(0) });

const progress = z.object({
  pid: z.int(),
  started: z.iso.datetime(),
  state: z.enum(['working', 'waiting', 'idle']),
  /** Why it waits; null when it does not. */
  reason: z.string().nullable(),
  /** Since it started. */
  done: amount,
  /** As it last counted. */
  left: amount,
  /** Milliseconds that one of each took lately; null while none was done. */
  eachMs: z.object({ conversation: z.number().nullable(), passage: z.number().nullable() }),
  /** The models that passages get vectors of. */
  models: z.array(z.string()),
  lastProblem: z.object({ time: z.iso.datetime(), message: z.string(), hint: z.string().nullable() }).nullable(),
  /** The conversation that is being learned from: if the process ends meanwhile, that may be why. */
  current: z.string().nullable(),
  /** Conversations to look at again once the older ones were learned from: they take back what is not known yet. */
  again: z.array(z.string()),
  /** Conversations that could not be learned from, and when to try them again. */
  failed: z.record(z.string(), z.object({ attempts: z.int().min(1), retryMs: z.number() })),
});

/** Content of `state/worker.json`: the progress of background work, its problems and what it tries again. */
export type Progress = z.output<typeof progress>;

function fileIn(state: string): string {
  return path.join(state, 'worker.json');
}

/** Whole at any moment. */
export function writeProgress(state: string, made: Progress): void {
  replaceFile(fileIn(state), `${JSON.stringify(made)}\n`);
}

export function findProgress(state: string): Progress | undefined {
  try {
    return progress.safeParse(JSON.parse(fs.readFileSync(fileIn(state), 'utf8'))).data;
  } catch (error) {
    // No file, or nothing that a worker wrote.
    if (systemCode(error) === undefined && !(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
