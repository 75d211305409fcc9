import { crc32 } from 'node:zlib';

export interface Frame {
  /** A PNG of its own; all are of one size. */
  readonly png: Buffer;
  readonly shownMs: number;
}

const SIGNATURE = 8;
/** Length, type and checksum. */
const AROUND = 12;

interface Chunk {
  readonly type: string;
  readonly body: Buffer;
}

/** Pictures shown one after the other, for ever, as an animated PNG: every browser shows it, and no other program is needed. */
export function animate(frames: readonly Frame[]): Buffer {
  const [first] = frames;
  if (first === undefined) throw new Error('There is no frame to show.');
  const head = chunksOf(first.png).find(({ type }) => type === 'IHDR');
  if (head === undefined) throw new Error('The first frame is not a PNG.');
  let sequence = 0;
  const animated = frames.flatMap(({ png, shownMs }, number): Chunk[] => {
    const control = Buffer.alloc(26);
    control.writeUInt32BE(sequence, 0);
    head.body.copy(control, 4, 0, 8);
    control.writeUInt16BE(shownMs, 20);
    control.writeUInt16BE(1000, 22);
    sequence += 1;
    const data = chunksOf(png).filter(({ type }) => type === 'IDAT');
    if (number === 0) return [{ type: 'fcTL', body: control }, ...data];
    const later = data.map(({ body }): Chunk => {
      const numbered = Buffer.alloc(4 + body.length);
      numbered.writeUInt32BE(sequence, 0);
      body.copy(numbered, 4);
      sequence += 1;
      return { type: 'fdAT', body: numbered };
    });
    return [{ type: 'fcTL', body: control }, ...later];
  });
  const count = Buffer.alloc(8);
  count.writeUInt32BE(frames.length, 0);
  return Buffer.concat([
    first.png.subarray(0, SIGNATURE),
    ...[head, { type: 'acTL', body: count }, ...animated, { type: 'IEND', body: Buffer.alloc(0) }].map(written),
  ]);
}

function chunksOf(png: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE; at < png.length;) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), body: png.subarray(at + 8, at + 8 + length) });
    at += AROUND + length;
  }
  return chunks;
}

function written({ type, body }: Chunk): Buffer {
  const chunk = Buffer.alloc(AROUND + body.length);
  chunk.writeUInt32BE(body.length, 0);
  chunk.write(type, 4, 'latin1');
  body.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + body.length)), 8 + body.length);
  return chunk;
}
