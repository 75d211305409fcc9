/** Messages between a process and the one that starts programs for it. */
export type FrameKind = 'start' | 'input' | 'end' | 'output' | 'errors' | 'closed' | 'failed';

export interface Frame {
  readonly kind: FrameKind;
  /** Of the program, chosen by whoever asked for it. */
  readonly id: number;
  readonly body: Buffer;
}

/** The body of `start`. */
export interface StartOrder {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number | undefined;
}

/** The body of `closed`. */
export interface Closing {
  readonly code: number | null;
  readonly signal: string | null;
}

/** The body of `failed`: what Node said about a program that cannot be started. */
export interface Failure {
  readonly code: string | undefined;
  readonly message: string;
}

const KINDS: readonly FrameKind[] = ['start', 'input', 'end', 'output', 'errors', 'closed', 'failed'];

/** Length of the body, kind, id. */
const HEAD_BYTES = 4 + 1 + 4;

export function encodeFrame(kind: FrameKind, id: number, body: Uint8Array = new Uint8Array()): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(body.length, 0);
  head.writeUInt8(KINDS.indexOf(kind), 4);
  head.writeUInt32LE(id, 5);
  return Buffer.concat([head, body]);
}

/** Cuts what arrives into frames. */
export class FrameReader {
  #pieces: Buffer[] = [];
  #length = 0;

  /** The frames that are whole with this piece. */
  *read(piece: Buffer): Generator<Frame> {
    this.#pieces.push(piece);
    this.#length += piece.length;
    while (this.#length >= HEAD_BYTES) {
      const head = this.#join();
      const bodyLength = head.readUInt32LE(0);
      const end = HEAD_BYTES + bodyLength;
      if (this.#length < end) return;
      const kind = KINDS[head.readUInt8(4)];
      if (kind === undefined) throw new Error(`no kind of frame: ${head.readUInt8(4)}`);
      this.#pieces = [head.subarray(end)];
      this.#length -= end;
      yield { kind, id: head.readUInt32LE(5), body: head.subarray(HEAD_BYTES, end) };
    }
  }

  /** Everything in one piece; pieces of one large body are joined only when it is whole. */
  #join(): Buffer {
    const [first] = this.#pieces;
    if (first !== undefined && this.#pieces.length > 1) {
      const isWaiting = first.length >= HEAD_BYTES && this.#length < HEAD_BYTES + first.readUInt32LE(0);
      if (isWaiting) return first;
      this.#pieces = [Buffer.concat(this.#pieces)];
    }
    return this.#pieces[0] ?? Buffer.alloc(0);
  }
}
