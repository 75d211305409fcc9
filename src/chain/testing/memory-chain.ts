import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { Random } from '../../platform/random.ts';
import { systemRandom } from '../../platform/random.ts';
import { Openings } from '../content/openings.ts';
import { splitText } from '../entry.ts';
import { readTip } from '../file.ts';
import { KeyFiles } from '../key-files.ts';
import { ChainWriter, type ContentDraft } from '../writer.ts';

/** A chain without a home, for tests and benchmarks: its lines are kept in memory, its keys and openings in a scratch folder. */
export class MemoryChain {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-chain-'));
  readonly keys = new KeyFiles(this.folder);
  readonly openings = new Openings(nodeFileSystem, this.folder);
  readonly #checkpointEntries: number;
  readonly #random: Random;
  #parts: Buffer[] = [];
  #nowMs = Date.UTC(2026, 0, 1);

  constructor(checkpointEntries = 100, random: Random = systemRandom) {
    this.#checkpointEntries = checkpointEntries;
    this.#random = random;
  }

  get bytes(): Buffer {
    this.#parts = [Buffer.concat(this.#parts)];
    return this.#parts[0] ?? Buffer.alloc(0);
  }

  writer(): ChainWriter {
    const parts = {
      clock: { now: () => (this.#nowMs += 1000) },
      random: this.#random,
      checkpointEntries: this.#checkpointEntries,
      keys: this.keys,
      openings: this.openings,
      notes: [],
      appendLines: (lines: readonly string[]): Promise<void> => {
        this.#parts.push(Buffer.from(`${lines.join('\n')}\n`, 'utf8'));
        return Promise.resolve();
      },
    };
    return new ChainWriter(parts, readTip(this.bytes));
  }

  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

const TYPES = ['decision', 'remember', 'commitment', 'identity'] as const;

/** A text of its own for each number. */
export function draftOf(number: number): ContentDraft {
  const text = `what was said on day ${number}`;
  return { type: TYPES[number % TYPES.length] ?? 'remember', ref: {}, pieces: splitText(text), text };
}
