import path from 'node:path';
import { hash } from 'node:crypto';
import { MnemeError } from '../model/errors.ts';
import type { FileSystem } from '../platform/fs.ts';
import type { StoredBriefing } from './receipt.ts';
import { compareTexts } from '../model/text.ts';

/** A busy day has a few hundred prompts; so many go back weeks, and stay below some ten megabytes. */
const MAX_RECEIPTS = 2000;
/** Old ones are cleared away some at a time, not at every prompt. */
const SPARE = 100;

/** Receipts of one hour share their first characters. */
const ID_START = /^[0-9A-Z]{8,26}$/u;
const MONTH = /^\d{4}-\d{2}$/u;

/** A receipt that was found, and whether the prompt is still the one it was written for. */
export interface FoundReceipt extends StoredBriefing {
  /** False when a text was erased from it since. */
  readonly isIntact: boolean;
}

/**
 * Receipts with their prompts, under `journal/receipts/2026-02/ULID-HASH.json`: a file each, because several agents
 * write at once. Not derived from anything, and not in git; an erasure goes through them like through all of `journal/`.
 */
export class ReceiptStore {
  readonly #fs: FileSystem;
  readonly #folder: string;
  readonly #maxReceipts: number;

  constructor(fs: FileSystem, journalFolder: string, maxReceipts = MAX_RECEIPTS) {
    this.#fs = fs;
    this.#folder = path.join(journalFolder, 'receipts');
    this.#maxReceipts = maxReceipts;
  }

  async write({ prompt, tokens, budget, receipt, keptSha256 }: StoredBriefing): Promise<void> {
    const folder = path.join(this.#folder, receipt.clock.slice(0, 7));
    this.#fs.makeDirectory(folder);
    const name = `${receipt.id}-${receipt.sha256.slice(0, 12)}.json`;
    const temporary = path.join(folder, `.${name}.tmp`);
    const kept = { receipt: withoutWords(receipt), prompt, tokens, budget, keptSha256 };
    this.#writePrivately(temporary, Buffer.from(`${JSON.stringify(kept)}\n`, 'utf8'));
    await this.#fs.rename(temporary, path.join(folder, name));
    this.#clearOld();
  }

  /** Whatever the umask: a prompt is between its user and the agent. */
  #writePrivately(file: string, bytes: Buffer): void {
    this.#fs.remove(file);
    const written = this.#fs.open(file);
    try {
      written.write(bytes, 0);
    } finally {
      written.close();
    }
  }

  /** The latest first, read one by one as they are asked for. */
  *list(): Generator<FoundReceipt> {
    for (const name of this.#names().reverse()) {
      const found = this.#read(name);
      if (found !== undefined) yield found;
    }
  }

  /** By its id, or as much of its beginning as names one; `last`, and `last~2` for the one two before. */
  find(wanted: string): FoundReceipt | undefined {
    const names = this.#names();
    const back = /^last(?:~(\d{1,4}))?$/iu.exec(wanted.trim());
    if (back !== null) {
      const name = names.at(-1 - Number(back[1] ?? 0));
      return name === undefined ? undefined : this.#get(name);
    }
    const start = wanted.trim().toUpperCase();
    if (!ID_START.test(start)) return undefined;
    const [only, other] = names.filter((name) => path.posix.basename(name).startsWith(start));
    return only === undefined || other !== undefined ? undefined : this.#get(only);
  }

  /** The newest receipt, when its file cannot be read. */
  findDamagedLast(): string | undefined {
    const last = this.#names().at(-1);
    return last === undefined || this.#read(last) !== undefined ? undefined : last;
  }

  /** By month, and by time within it. Every prompt looks here: walking a folder costs far more than listing two levels. */
  #names(): string[] {
    const months = this.#fs.list(this.#folder).filter((name) => MONTH.test(name));
    const names = months.flatMap((month) => this.#fs.list(path.join(this.#folder, month)).map((name) => [month, name]));
    return names
      .filter(([, name = '']) => name.endsWith('.json') && !name.startsWith('.'))
      .sort(([, left = ''], [, right = '']) => compareTexts(left, right))
      .map(([month = '', name = '']) => `${month}/${name}`);
  }

  #get(name: string): FoundReceipt {
    const found = this.#read(name);
    if (found !== undefined) return found;
    throw damaged(name);
  }

  #read(name: string): FoundReceipt | undefined {
    const bytes = this.#fs.read(path.join(this.#folder, name));
    const stored = bytes === undefined ? undefined : parse(bytes.toString('utf8'));
    return (
      stored && { ...stored, isIntact: hash('sha256', stored.prompt) === (stored.keptSha256 ?? stored.receipt.sha256) }
    );
  }

  #clearOld(): void {
    const names = this.#names();
    if (names.length <= this.#maxReceipts + SPARE) return;
    for (const name of names.slice(0, names.length - this.#maxReceipts)) this.#fs.remove(path.join(this.#folder, name));
  }
}

export function damaged(name: string): MnemeError {
  return new MnemeError('integrity', `The receipt journal/receipts/${name} cannot be read: the file is damaged.`, {
    hint: 'The ones before it can: `mneme context show last~1`.',
  });
}

/** Undefined for a file that an erasure or a crash left unreadable. */
function parse(text: string): StoredBriefing | undefined {
  try {
    const value = JSON.parse(text) as Partial<StoredBriefing>;
    return typeof value.prompt === 'string' && value.receipt !== undefined ? (value as StoredBriefing) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Names would outlive the erasure of the sentence they stood in. */
function withoutWords(receipt: StoredBriefing['receipt']): StoredBriefing['receipt'] {
  const { decision } = receipt;
  if (decision?.evidence === undefined || decision.evidence === null) return receipt;
  return { ...receipt, decision: { ...decision, evidence: { ...decision.evidence, names: [] } } };
}
