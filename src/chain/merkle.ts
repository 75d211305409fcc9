import { createHash } from 'node:crypto';
import { must } from '../model/errors.ts';

/*
 * Trees as in RFC 6962: a leaf and a node are hashed with different first bytes, so that neither can pass for the other,
 * and a tree of n leaves splits at the largest power of two below n. All hashes are hexadecimal digits.
 */
const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

/** 128 bits: nobody guesses a text from its hash by trying texts. */
export const SALT_BYTES = 16;

export function hashLeaf(...parts: readonly Uint8Array[]): string {
  const digest = createHash('sha256').update(LEAF);
  for (const part of parts) digest.update(part);
  return digest.digest('hex');
}

/** A piece of content; without its salt, which is kept apart, the hash tells nothing about the words. */
export function hashPiece(salt: string, bytes: Uint8Array): string {
  return hashLeaf(Buffer.from(salt, 'hex'), bytes);
}

/** An entry as a leaf of the tree that checkpoints sign. */
export function hashEntryLeaf(entryHash: string): string {
  return hashLeaf(Buffer.from(entryHash, 'hex'));
}

export function hashNode(left: string, right: string): string {
  return createHash('sha256').update(NODE).update(left, 'hex').update(right, 'hex').digest('hex');
}

/** The tree as far as it has grown: the roots of its full parts, the largest first. */
export class Frontier {
  #size = 0;
  readonly #peaks: { readonly hash: string; readonly size: number }[] = [];

  get size(): number {
    return this.#size;
  }

  add(leaf: string): void {
    this.#size += 1;
    let grown = { hash: leaf, size: 1 };
    for (let last = this.#peaks.at(-1); last?.size === grown.size; last = this.#peaks.at(-1)) {
      this.#peaks.pop();
      grown = { hash: hashNode(last.hash, grown.hash), size: grown.size * 2 };
    }
    this.#peaks.push(grown);
  }

  root(): string {
    const hashes = this.#peaks.map(({ hash }) => hash);
    const last = hashes.pop();
    if (last === undefined) return createHash('sha256').digest('hex');
    return hashes.reduceRight((right, left) => hashNode(left, right), last);
  }

  copy(): Frontier {
    const copied = new Frontier();
    copied.#size = this.#size;
    copied.#peaks.push(...this.#peaks);
    return copied;
  }

  toJSON(): unknown {
    return this.#peaks.map(({ hash, size }) => [hash, size]);
  }

  static from(peaks: readonly (readonly [string, number])[]): Frontier {
    const frontier = new Frontier();
    for (const [hash, size] of peaks) {
      frontier.#peaks.push({ hash, size });
      frontier.#size += size;
    }
    return frontier;
  }
}

export function rootOf(leaves: readonly string[]): string {
  const frontier = new Frontier();
  for (const leaf of leaves) frontier.add(leaf);
  return frontier.root();
}

/** The hashes beside the way from a leaf to the root, from below. */
export function pathOf(leaves: readonly string[], index: number): string[] {
  if (leaves.length <= 1) return [];
  const split = largestPowerBelow(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split ? [...pathOf(left, index), rootOf(right)] : [...pathOf(right, index - split), rootOf(left)];
}

/** The root that a leaf and its path lead to; undefined when the path has the wrong length. */
export function rootFromPath(leaf: string, index: number, size: number, path: readonly string[]): string | undefined {
  if (index >= size || index < 0) return undefined;
  const sides = sidesOf(index, size);
  if (sides.length !== path.length) return undefined;
  let hash = leaf;
  for (const [step, side] of sides.entries()) {
    const other = must(path[step], 'a step of the path');
    hash = side === 'left' ? hashNode(other, hash) : hashNode(hash, other);
  }
  return hash;
}

/** On which side the other hash stands at each step, from below. */
function sidesOf(index: number, size: number): ('left' | 'right')[] {
  if (size <= 1) return [];
  const split = largestPowerBelow(size);
  return index < split ? [...sidesOf(index, split), 'right'] : [...sidesOf(index - split, size - split), 'left'];
}

function largestPowerBelow(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}
