import { isUtf8 } from 'node:buffer';
import { MnemeError } from '../../model/errors.ts';

export type DecodedText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly reason: string };

const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const;

function formatBytes(bytes: number): string {
  let unit = 0;
  let amount = bytes;
  while (amount >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  return `${Number(amount.toFixed(1)).toLocaleString('en-US')} ${UNITS[unit]}`;
}

/** Refuses what is larger than its limit; `what` starts the sentence. */
export function checkSize(what: string, bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  const [size, limit] = [formatBytes(bytes), formatBytes(maxBytes)];
  // Just above a limit both round to the same figure, which would read like a contradiction.
  const figures = size === limit ? `${bytes} bytes; the limit is ${maxBytes} bytes` : `${size}; the limit is ${limit}`;
  throw new MnemeError('refused', `${what} is ${figures}.`, {
    hint: 'Split it, shorten it, or keep it outside and store a reference to it.',
  });
}

function hasUtf16Mark(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** Distinguishes text from binary content. A byte order mark stays in the text, so that writing it back changes nothing. */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (hasUtf16Mark(bytes)) return { kind: 'binary', reason: 'it is UTF-16; save it as UTF-8' };
  const nulAt = bytes.indexOf(0);
  if (nulAt !== -1) return { kind: 'binary', reason: `it has a NUL byte at offset ${nulAt}` };
  if (!isUtf8(bytes)) return { kind: 'binary', reason: 'it is not valid UTF-8' };
  return { kind: 'text', text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8') };
}
