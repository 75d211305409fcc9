import path from 'node:path';
import type { FileSystem } from '../platform/fs.ts';

/**
 * `journal/extracted.txt`: a line for every transcript all of whose turns were processed, so that looking for what is new
 * does not open thousands of files. A line follows the write it speaks of; if a crash comes between, the pointer of the
 * session tells that nothing is new.
 */
export class ProcessedTranscripts {
  readonly #file: string;
  readonly #fs: FileSystem;
  readonly #paths = new Set<string>();
  #position = 0;

  constructor(fs: FileSystem, journal: string) {
    this.#fs = fs;
    this.#file = path.join(journal, 'extracted.txt');
  }

  has(transcript: string): boolean {
    return this.#paths.has(transcript);
  }

  /** Durable when the promise resolves. Only whoever holds the extraction lock may do this. */
  async add(transcripts: readonly string[]): Promise<void> {
    this.read();
    const fresh = transcripts.filter((transcript) => !this.has(transcript));
    if (fresh.length === 0) return;
    this.#fs.makeDirectory(path.dirname(this.#file));
    const file = this.#fs.open(this.#file);
    try {
      const end = file.size();
      const isTorn = end > 0 && file.read(end - 1, 1).toString() !== '\n';
      file.write(Buffer.from(`${isTorn ? '\n' : ''}${fresh.join('\n')}\n`), end);
      await file.sync();
    } finally {
      file.close();
    }
    this.read();
  }

  /** Takes in what other processes have added. */
  read(): this {
    const bytes = this.#fs.read(this.#file);
    if (bytes === undefined) return this;
    if (bytes.length < this.#position) {
      this.#position = 0;
      this.#paths.clear();
    }
    const end = bytes.lastIndexOf('\n') + 1;
    for (const line of bytes.toString('utf8', this.#position, end).split('\n')) if (line !== '') this.#paths.add(line);
    this.#position = Math.max(this.#position, end);
    return this;
  }
}
