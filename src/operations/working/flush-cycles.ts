import path from 'node:path';
import { z } from 'zod';
import type { FileSystem } from '../../platform/fs.ts';

const cycleSchema = z.object({
  /** Windows of the session that were compacted before this one. */
  cycle: z.number().int().min(0),
  /** When this one was flushed; null while it was not. */
  flushedMs: z.number().nullable(),
  /** How large the window was after it was last emptied, and the last turn before that. */
  emptied: z.object({ turn: z.number().int().min(0), tokens: z.number().int().min(0) }).nullable(),
});
export type FlushCycle = z.output<typeof cycleSchema>;

const FIRST: FlushCycle = { cycle: 0, flushedMs: null, emptied: null };

/**
 * `journal/flush/<session>.json`: whether a session's window was flushed since it was last emptied. Losing it costs one more
 * flush, which finds everything known; so nothing is synced.
 */
export class FlushCycles {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, journal: string) {
    this.#fs = fs;
    this.#folder = path.join(journal, 'flush');
  }

  read(session: string): FlushCycle {
    const text = this.#fs.read(this.#file(session))?.toString('utf8');
    return text === undefined ? FIRST : parse(text);
  }

  async noteFlush(session: string, nowMs: number): Promise<FlushCycle> {
    return this.#write(session, { ...this.read(session), flushedMs: nowMs });
  }

  /** The window was emptied: the next time it is full it is flushed again. */
  async beginNext(session: string, emptied: FlushCycle['emptied'] = null): Promise<FlushCycle> {
    const { cycle, flushedMs } = this.read(session);
    return this.#write(session, { cycle: flushedMs === null ? cycle : cycle + 1, flushedMs: null, emptied });
  }

  async #write(session: string, cycle: FlushCycle): Promise<FlushCycle> {
    this.#fs.makeDirectory(this.#folder);
    const file = this.#file(session);
    this.#fs.write(`${file}.new`, Buffer.from(`${JSON.stringify(cycle)}\n`, 'utf8'));
    await this.#fs.rename(`${file}.new`, file);
    return cycle;
  }

  #file(session: string): string {
    return path.join(this.#folder, `${session}.json`);
  }
}

/** What cannot be read says as much as what is not there. */
function parse(text: string): FlushCycle {
  try {
    return cycleSchema.safeParse(JSON.parse(text)).data ?? FIRST;
  } catch (error) {
    if (error instanceof SyntaxError) return FIRST;
    throw error;
  }
}
