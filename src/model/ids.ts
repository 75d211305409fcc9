/** Crockford's base32 alphabet in lower case: no i, l, o, u, so an id read aloud or retyped survives. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** 13 characters carry 65 bits: even a million items have a collision chance below 10⁻⁷. */
export const ITEM_ID_LENGTH = 13;

export const ITEM_ID_PATTERN = /^[0-9a-hjkmnp-tv-z]{13}$/;
export const MUTATION_ID_PATTERN = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

export type RandomBytes = (length: number) => Uint8Array;

/** Encodes the first `length` groups of five bits of `bytes`. */
export function encodeBase32(bytes: Uint8Array, length: number): string {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5 && text.length < length) {
      bits -= 5;
      text += ALPHABET[(buffer >>> bits) & 31] ?? '';
    }
    if (text.length === length) break;
  }
  return text;
}

/** A new id for an item: an episode entry, a fact, a bullet, a file. */
export function newItemId(randomBytes: RandomBytes): string {
  return encodeBase32(randomBytes(9), ITEM_ID_LENGTH);
}

export function isItemId(text: string): boolean {
  return ITEM_ID_PATTERN.test(text);
}

/**
 * Makes ULIDs that sort by creation: 48 bits of time, 80 of randomness, and within one millisecond (or a clock that
 * stepped back) the previous value plus one. Journal order and id order therefore agree within a process.
 */
export class UlidFactory {
  readonly #randomBytes: RandomBytes;
  #lastTimeMs = -1;
  #lastRandom = 0n;

  constructor(randomBytes: RandomBytes) {
    this.#randomBytes = randomBytes;
  }

  next(nowMs: number): string {
    if (nowMs > this.#lastTimeMs) {
      this.#lastTimeMs = nowMs;
      // The top bit stays clear so that counting up within a millisecond cannot overflow 80 bits.
      this.#lastRandom = BigInt(`0x${Buffer.from(this.#randomBytes(10)).toString('hex')}`) & ((1n << 79n) - 1n);
    } else {
      this.#lastRandom += 1n;
    }
    const value = (BigInt(this.#lastTimeMs) << 80n) | this.#lastRandom;
    let text = '';
    for (let shift = 125n; shift >= 0n; shift -= 5n) text += ALPHABET[Number((value >> shift) & 31n)] ?? '';
    return text.toUpperCase();
  }
}

export function isMutationId(text: string): boolean {
  return MUTATION_ID_PATTERN.test(text);
}

/** The time a ULID was made, in UTC milliseconds. */
export function ulidTimeMs(ulid: string): number {
  let time = 0;
  for (const char of ulid.slice(0, 10).toLowerCase()) time = time * 32 + ALPHABET.indexOf(char);
  return time;
}
