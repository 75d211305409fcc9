import path from 'node:path';
import { z } from 'zod';
import type { FileSystem } from '../../platform/fs.ts';

const marksSchema = z.record(z.string(), z.string());

/**
 * `journal/consolidation.json`: for each step the last day, week or month it was done for. It holds nothing of what is
 * remembered. Losing it costs time only: every step done again finds its work done.
 */
export class ConsolidationProgress {
  readonly #fs: FileSystem;
  readonly #file: string;

  constructor(fs: FileSystem, journal: string) {
    this.#fs = fs;
    this.#file = path.join(journal, 'consolidation.json');
  }

  /** Undefined when it was never done. */
  doneUpTo(step: string): string | undefined {
    return this.#read()[step];
  }

  /** Notes that a step is done; never moves back. */
  async mark(step: string, upTo: string): Promise<void> {
    const marks = this.#read();
    if ((marks[step] ?? '') >= upTo) return;
    this.#fs.makeDirectory(path.dirname(this.#file));
    this.#fs.write(`${this.#file}.new`, Buffer.from(`${JSON.stringify({ ...marks, [step]: upTo })}\n`, 'utf8'));
    await this.#fs.rename(`${this.#file}.new`, this.#file);
  }

  /** An unreadable file is treated as a missing one. */
  #read(): z.output<typeof marksSchema> {
    const text = this.#fs.read(this.#file)?.toString('utf8');
    if (text === undefined) return {};
    try {
      return marksSchema.safeParse(JSON.parse(text)).data ?? {};
    } catch (error) {
      if (error instanceof SyntaxError) return {};
      throw error;
    }
  }
}
