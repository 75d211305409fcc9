import fs from 'node:fs';
import { createGunzip } from 'node:zlib';
import { errorMessage, MnemeError, systemCode } from '../../../model/errors.ts';
import { BLOCK_BYTES, damaged, paddingOf, parseHeader, parsePax, type ParsedHeader, type TarEntry } from './header.ts';

export interface ReadEntry extends TarEntry {
  /** To be read before the next entry is asked for; what is not read is skipped. */
  readonly content: AsyncIterable<Buffer>;
}

/** Real file names need less than this. */
const MAX_PAX_BYTES = 1_048_576;

/** The entries of a `.tar.gz`, in their order. Only plain files: anything else is refused. */
export async function* readArchive(file: string): AsyncGenerator<ReadEntry> {
  const source = new ByteSource(file);
  try {
    for (let pax = new Map<string, string>(); ;) {
      const header = parseHeader(await source.take(BLOCK_BYTES));
      if (header === undefined) break;
      if (header.type === 'x') {
        pax = await readPax(source, header);
        continue;
      }
      if (header.type !== '0') throw damaged(`${header.path} is not a plain file`);
      const entry = { ...header, path: pax.get('path') ?? header.path, size: Number(pax.get('size') ?? header.size) };
      pax = new Map();
      const content = new EntryContent(source, entry.size);
      yield { ...entry, content };
      await content.skip();
      await source.take(paddingOf(entry.size));
    }
    // The check sum of the compressed stream stands at its end.
    await source.readToEnd();
  } finally {
    source.close();
  }
}

async function readPax(source: ByteSource, { size }: ParsedHeader): Promise<Map<string, string>> {
  if (size > MAX_PAX_BYTES) throw damaged('an extended header is too long');
  const records = parsePax(await source.take(size));
  await source.take(paddingOf(size));
  return records;
}

class EntryContent implements AsyncIterable<Buffer> {
  readonly #source: ByteSource;
  #left: number;

  constructor(source: ByteSource, size: number) {
    this.#source = source;
    this.#left = size;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    while (this.#left > 0) {
      const piece = await this.#source.takeSome(this.#left);
      this.#left -= piece.length;
      yield piece;
    }
  }

  async skip(): Promise<void> {
    while (this.#left > 0) this.#left -= (await this.#source.takeSome(this.#left)).length;
  }
}

/** The unpacked bytes of a file, as many at a time as somebody asks for. */
class ByteSource {
  readonly #file: string;
  readonly #raw: fs.ReadStream;
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(file: string) {
    this.#file = file;
    this.#raw = fs.createReadStream(file);
    const plain = createGunzip();
    this.#raw.on('error', (error) => plain.destroy(error));
    this.#pieces = this.#raw.pipe(plain)[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Exactly so many bytes. */
  async take(length: number): Promise<Buffer> {
    const taken: Buffer[] = [];
    for (let left = length; left > 0;) {
      const piece = await this.takeSome(left);
      taken.push(piece);
      left -= piece.length;
    }
    return Buffer.concat(taken);
  }

  /** At least one byte and at most so many. */
  async takeSome(most: number): Promise<Buffer> {
    if (this.#rest.length === 0) {
      const next = await this.#next();
      if (next === undefined) throw damaged(`${this.#file} ends too early`);
      this.#rest = next;
    }
    const piece = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }

  async readToEnd(): Promise<void> {
    while ((await this.#next()) !== undefined) this.#rest = Buffer.alloc(0);
  }

  close(): void {
    this.#raw.destroy();
  }

  async #next(): Promise<Buffer | undefined> {
    try {
      const { done, value } = await this.#pieces.next();
      return done === true ? undefined : value;
    } catch (error) {
      const code = systemCode(error) ?? '';
      if (code.startsWith('Z_')) throw damaged(`${this.#file} cannot be unpacked (${errorMessage(error)})`, error);
      throw new MnemeError(code === 'ENOENT' ? 'not-found' : 'failure', `${this.#file} cannot be read (${code}).`, {
        hint: '`mneme backup list` shows the backups there are.',
        cause: error,
      });
    }
  }
}
