import { describe, expect, it } from 'vitest';
import { checkSize, decodeText } from './limits.ts';

describe('checkSize', () => {
  it('accepts up to the limit', () => {
    expect(() => checkSize('The note', 1024, 1024)).not.toThrow();
  });

  it.each([
    [1025, 1024, 'The note is 1025 bytes; the limit is 1024 bytes.'],
    [3 * 1024 ** 2, 1024 ** 2, 'The note is 3 MB; the limit is 1 MB.'],
    [1536, 1024, 'The note is 1.5 KB; the limit is 1 KB.'],
    [5 * 1024 ** 4, 1024 ** 3, 'The note is 5,120 GB; the limit is 1 GB.'],
    [2, 1, 'The note is 2 bytes; the limit is 1 bytes.'],
  ])('refuses %d of %d bytes', (bytes, maxBytes, message) => {
    expect(() => checkSize('The note', bytes, maxBytes)).toThrow(
      expect.objectContaining({ code: 'refused', message, hint: expect.any(String) }),
    );
  });
});

describe('decodeText', () => {
  const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

  it.each(['', 'plain', 'Zürich, 東京, 👩🏽‍💻', 'line\r\nline\r', '\uFEFF# title', 'tab\tand \u0001'])(
    'reads %j',
    (text) => {
      expect(decodeText(utf8(text))).toEqual({ kind: 'text', text });
    },
  );

  it('reads a view into a larger buffer', () => {
    expect(decodeText(utf8('abcdef').subarray(2, 4))).toEqual({ kind: 'text', text: 'cd' });
  });

  it.each([
    [utf8('ab\0c'), 'it has a NUL byte at offset 2'],
    [Uint8Array.of(0x61, 0xff), 'it is not valid UTF-8'],
    [Uint8Array.of(0xe2, 0x82), 'it is not valid UTF-8'],
    [Uint8Array.of(0xed, 0xa0, 0x80), 'it is not valid UTF-8'],
    [Uint8Array.of(0xc0, 0xaf), 'it is not valid UTF-8'],
    [Uint8Array.of(0xff, 0xfe, 0x61, 0x00), 'it is UTF-16; save it as UTF-8'],
    [Uint8Array.of(0xfe, 0xff, 0x00, 0x61), 'it is UTF-16; save it as UTF-8'],
  ])('recognises binary %#', (bytes, reason) => {
    expect(decodeText(bytes)).toEqual({ kind: 'binary', reason });
  });
});
