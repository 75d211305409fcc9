import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { animate } from './animated-png.ts';

function chunk(type: string, body: Buffer): Buffer {
  const made = Buffer.alloc(12 + body.length);
  made.writeUInt32BE(body.length, 0);
  made.write(type, 4, 'latin1');
  body.copy(made, 8);
  made.writeUInt32BE(crc32(made.subarray(4, 8 + body.length)), 8 + body.length);
  return made;
}

/** One grey pixel. */
function pixel(grey: number): Buffer {
  const head = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.from([0, grey]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

it('puts pictures one after the other, each with its time, and numbers them', () => {
  const made = animate([
    { png: pixel(10), shownMs: 500 },
    { png: pixel(200), shownMs: 1500 },
  ]);
  const chunks: { type: string; body: Buffer }[] = [];
  for (let at = 8; at < made.length;) {
    const length = made.readUInt32BE(at);
    const body = made.subarray(at + 8, at + 8 + length);
    expect(made.readUInt32BE(at + 8 + length)).toBe(crc32(made.subarray(at + 4, at + 8 + length)));
    chunks.push({ type: made.toString('latin1', at + 4, at + 8), body });
    at += 12 + length;
  }
  expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'IEND']);
  expect(chunks[1]?.body.readUInt32BE(0)).toBe(2);
  const numbers = chunks.filter(({ type }) => type.startsWith('f')).map(({ body }) => body.readUInt32BE(0));
  expect(numbers).toEqual([0, 1, 2]);
  expect(chunks[4]?.body.readUInt16BE(20)).toBe(1500);
  expect([...inflateSync(chunks[5]?.body.subarray(4) ?? Buffer.alloc(0))]).toEqual([0, 200]);
});

it('refuses to make a recording of nothing', () => {
  expect(() => animate([])).toThrow('no frame');
});
