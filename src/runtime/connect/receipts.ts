import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { errorMessage } from '../../model/errors.ts';
import { parseJson } from '../../model/records.ts';
import { nodeFileSystem, replaceFile } from '../../platform/fs.ts';
import { CONFIG_FILE } from '../../workspace/config/file.ts';

const jsonPath = z.array(z.union([z.string(), z.number()])).readonly();

/** The changes that connecting made to a file, so that disconnecting can revert exactly those. */
const receiptSchema = z.object({
  file: z.string(),
  /** Containers that were made for Mneme's entries, outermost first. */
  made: z.array(jsonPath).readonly(),
  /** Whether there was a file before. */
  existed: z.boolean(),
  /** The outermost folder that was made for the file. */
  folder: z.string().optional(),
  /** The copy of the file as it was before, and its hash; absent when there was none, or it was no longer the original. */
  backup: z.object({ file: z.string(), hash: z.string() }).optional(),
  /** The file's hash after the change. */
  hashAfter: z.string(),
});

export type Receipt = z.output<typeof receiptSchema>;

/**
 * Receipts and copies of settings files, in `backups/clients` of a home. Settings hold tokens: nobody else may read. A
 * home that was deleted is not begun again for a copy: it is put beside the file then.
 */
export class Receipts {
  readonly #folder: string;
  readonly #hasHome: boolean;

  constructor(home: string) {
    this.#folder = path.join(home, 'backups', 'clients');
    this.#hasHome = fs.existsSync(path.join(home, CONFIG_FILE));
  }

  isSame(other: Receipts): boolean {
    return this.#folder === other.#folder;
  }

  /** Undefined when there is none; one that cannot be read is told of, as nothing exact can be taken back by it. */
  find(file: string): { readonly receipt?: Receipt; readonly problem?: string } {
    const bytes = nodeFileSystem.read(this.#receiptFile(file));
    if (bytes === undefined) return {};
    try {
      return { receipt: receiptSchema.parse(JSON.parse(bytes.toString('utf8'))) };
    } catch (error) {
      return { problem: `The record of how ${file} was changed cannot be read (${errorMessage(error)}).` };
    }
  }

  /** The file's text before Mneme changed it, when the copy is still there and unchanged. */
  findOriginal({ backup }: Receipt): string | undefined {
    const bytes = backup === undefined ? undefined : nodeFileSystem.read(this.pathOf(backup.file));
    const text = bytes?.toString('utf8');
    return text !== undefined && hash('sha256', text) === backup?.hash ? text : undefined;
  }

  write(receipt: Receipt): void {
    this.#writeFile(this.#receiptFile(receipt.file), `${JSON.stringify(receipt, null, 2)}\n`);
  }

  /** Forgets a file. A folder that was made for it and is still there was not empty: receipts of files in it take it over. */
  remove(file: string): void {
    const { receipt } = this.find(file);
    nodeFileSystem.remove(this.#receiptFile(file));
    const folder = receipt?.folder;
    if (folder === undefined || !fs.existsSync(folder)) return;
    const heirs = this.#all().filter((other) => other.file.startsWith(folder + path.sep));
    for (const heir of heirs) this.write({ ...heir, folder });
  }

  #all(): Receipt[] {
    const names = fs.existsSync(this.#folder) ? fs.readdirSync(this.#folder) : [];
    return names.flatMap((name) => {
      const bytes = /^[0-9a-f]{12}\.json$/u.test(name) ? nodeFileSystem.read(path.join(this.#folder, name)) : undefined;
      const { data } = receiptSchema.safeParse(parseJson(bytes?.toString('utf8') ?? ''));
      return data === undefined ? [] : [data];
    });
  }

  /** Keeps a copy and returns its name. */
  backUp(file: string, text: string, timeMs: number): string {
    const time = new Date(timeMs).toISOString().replaceAll(/[-:.]/gu, '');
    const stem = this.#hasHome
      ? `${path.basename(file).replace(/^\./u, '')}.${time}.${keyOf(file)}`
      : `${file}.mneme-backup-${time}`;
    let name = stem;
    for (let copy = 2; fs.existsSync(this.pathOf(name)); copy += 1) name = `${stem}.${copy}`;
    this.#writeFile(this.pathOf(name), text);
    return name;
  }

  pathOf(backup: string): string {
    return path.resolve(this.#folder, backup);
  }

  #receiptFile(file: string): string {
    return path.join(this.#folder, `${keyOf(file)}.json`);
  }

  #writeFile(file: string, text: string): void {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    replaceFile(file, text, { flush: true });
  }
}

function keyOf(file: string): string {
  return hash('sha256', path.resolve(file)).slice(0, 12);
}
