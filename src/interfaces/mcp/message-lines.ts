/** A line, or what can be told of one that was too long to keep. */
export type Line =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'too-long'; readonly bytes: number; readonly id: string | number | undefined };

/** Enough to find a request's id at either end of a message. */
const EDGE_BYTES = 512;
const NEWLINE = 0x0a;

/** Cuts a stream of bytes into lines. One that is too long is passed over, not kept, and the stream goes on behind it. */
export class MessageLines {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Both ends of a line that is too long. */
  #edges: { readonly head: string; tail: Buffer } | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  *take(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end));
      yield this.#finish();
      start = end + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  /** The bytes after the last line break. */
  rest(): Line | undefined {
    return this.#bytes === 0 ? undefined : this.#finish();
  }

  #add(bytes: Buffer): void {
    this.#bytes += bytes.length;
    if (this.#edges !== undefined) {
      this.#edges.tail = Buffer.concat([this.#edges.tail, bytes.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES);
      return;
    }
    this.#chunks.push(bytes);
    if (this.#bytes <= this.#maxBytes) return;
    const kept = Buffer.concat(this.#chunks);
    this.#edges = { head: kept.toString('utf8', 0, EDGE_BYTES), tail: Buffer.from(kept.subarray(-EDGE_BYTES)) };
    this.#chunks = [];
  }

  #finish(): Line {
    const edges = this.#edges;
    const bytes = this.#bytes;
    const text = edges === undefined ? Buffer.concat(this.#chunks).toString('utf8').replace(/\r$/u, '') : '';
    this.#chunks = [];
    this.#bytes = 0;
    this.#edges = undefined;
    if (edges === undefined) return { kind: 'line', text };
    return { kind: 'too-long', bytes, id: findId(edges.head, edges.tail.toString('utf8')) };
  }
}

/** Clients write `id` first or last; in between stands what made the message long. */
function findId(head: string, tail: string): string | number | undefined {
  const first = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]*")/u.exec(head)?.[1];
  const last = /"id"\s*:\s*(\d+|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/u.exec(tail)?.[1];
  const found = first ?? last;
  return found === undefined ? undefined : (JSON.parse(found) as string | number);
}
