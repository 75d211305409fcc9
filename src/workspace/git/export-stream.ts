import { MnemeError } from '../../model/errors.ts';

/** A piece of a fast-export stream: a command line without its line end, or the bytes that a `data` line announced. */
export type ExportToken =
  | { readonly kind: 'line'; readonly bytes: Buffer }
  | { readonly kind: 'data'; readonly bytes: Buffer };

const LINE_END = 0x0a;
const DATA_PREFIX = 'data ';

/** Splits a fast-export stream. Holds one line or one object at a time, however long the stream is. */
export async function* parseExportStream(chunks: AsyncIterable<Buffer>): AsyncGenerator<ExportToken> {
  const reader = new ByteReader(chunks);
  for (let line = await reader.readLine(); line !== undefined; line = await reader.readLine()) {
    const size = announcedSize(line);
    if (size === undefined) yield { kind: 'line', bytes: line };
    else yield { kind: 'data', bytes: await reader.readExactly(size) };
  }
}

export function serializeExportToken({ kind, bytes }: ExportToken): Buffer {
  if (kind === 'line') return Buffer.concat([bytes, Buffer.from('\n')]);
  return Buffer.concat([Buffer.from(`${DATA_PREFIX}${bytes.length}\n`), bytes]);
}

function announcedSize(line: Buffer): number | undefined {
  const text = line.length < 32 ? line.toString('latin1') : '';
  const size = text.startsWith(DATA_PREFIX) ? text.slice(DATA_PREFIX.length) : '';
  return /^\d+$/.test(size) ? Number(size) : undefined;
}

class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** undefined at the end of the stream. */
  async readLine(): Promise<Buffer | undefined> {
    for (let searched = 0; ;) {
      const end = this.#buffer.indexOf(LINE_END, searched);
      if (end !== -1) return this.#take(end + 1).subarray(0, end);
      searched = this.#buffer.length;
      const more = await this.#next();
      if (more === undefined) {
        if (this.#buffer.length === 0) return undefined;
        throw endedEarly();
      }
      this.#buffer = Buffer.concat([this.#buffer, more]);
    }
  }

  async readExactly(size: number): Promise<Buffer> {
    const parts = [this.#buffer];
    let length = this.#buffer.length;
    while (length < size) {
      const more = await this.#next();
      if (more === undefined) throw endedEarly();
      parts.push(more);
      length += more.length;
    }
    if (parts.length > 1) this.#buffer = Buffer.concat(parts);
    return this.#take(size);
  }

  #take(size: number): Buffer {
    const taken = this.#buffer.subarray(0, size);
    this.#buffer = this.#buffer.subarray(size);
    return taken;
  }

  async #next(): Promise<Buffer | undefined> {
    const step = await this.#chunks.next();
    return step.done === true ? undefined : step.value;
  }
}

function endedEarly(): MnemeError {
  return new MnemeError('failure', 'git fast-export ended in the middle of its output.');
}

const ESCAPES: Readonly<Record<string, string>> = { a: '\u0007', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' };

/** A path as its bytes; git puts the unusual ones between quotes and escapes what is inside. */
export function parseQuotedPath(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  if (!text.startsWith('"')) return bytes;
  const plain = text.slice(1, -1).replaceAll(/\\([0-7]{3}|.)/gs, (_, escape: string) => {
    return escape.length === 3 ? String.fromCodePoint(Number.parseInt(escape, 8)) : (ESCAPES[escape] ?? escape);
  });
  return Buffer.from(plain, 'latin1');
}

export function serializeQuotedPath(bytes: Buffer): Buffer {
  const escaped = bytes
    .toString('latin1')
    .replaceAll(/["\\]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`);
  return Buffer.from(`"${escaped}"`, 'latin1');
}
