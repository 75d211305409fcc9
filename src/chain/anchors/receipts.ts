import path from 'node:path';
import { z } from 'zod';
import { nodeFileSystem } from '../../platform/fs.ts';
import { ANCHOR_KINDS } from '../entry.ts';
import type { AnchorReceipt } from './port.ts';

const receiptSchema = z.object({
  kind: z.enum(ANCHOR_KINDS),
  place: z.string(),
  seq: z.int().min(0),
  head: z.string().regex(/^[0-9a-f]{64}$/u),
  receipt: z.string().nullable(),
  time: z.string(),
});

/** Beside the chain, not in it: who cuts the chain does not cut what is known to be held elsewhere. */
export class AnchorReceipts {
  readonly #file: string;

  constructor(chainFolder: string) {
    this.#file = path.join(chainFolder, 'anchors.jsonl');
  }

  read(): AnchorReceipt[] {
    const text = nodeFileSystem.read(this.#file)?.toString('utf8') ?? '';
    return text.split('\n').flatMap((line) => (line === '' ? [] : (parseReceipt(line) ?? [])));
  }

  async add(receipt: AnchorReceipt): Promise<void> {
    const file = nodeFileSystem.open(this.#file);
    try {
      const size = file.size();
      const isTorn = size > 0 && file.read(size - 1, 1)[0] !== LINE_END;
      file.write(Buffer.from(`${isTorn ? '\n' : ''}${JSON.stringify(receipt)}\n`, 'utf8'), size);
      await file.sync();
    } finally {
      file.close();
    }
  }
}

const LINE_END = 0x0a;

function parseReceipt(line: string): AnchorReceipt | undefined {
  try {
    return receiptSchema.safeParse(JSON.parse(line)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
