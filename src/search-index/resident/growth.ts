import { hash } from 'node:crypto';
import type { IndexedDocument, Passage } from '../passage.ts';

/** The reserve of a document that has once grown, as it will grow again. */
const GROWTH = 1.5;
const LEAST_RESERVE = 16;

interface HeldDocument {
  readonly count: number;
  readonly session: string | undefined;
  readonly fingerprint: string;
}

/** Whether a document only got more passages at its end: sessions and the day's files do so all the time. */
export function isContinued(held: HeldDocument, { passages, session }: IndexedDocument): boolean {
  if (held.count === 0 || passages.length < held.count || session !== held.session) return false;
  return fingerprintOf(passages.slice(0, held.count)) === held.fingerprint;
}

/** The count of numbers for a document that is written at a new place. */
export function reserveFor(passages: number, isGrown: boolean): number {
  return isGrown ? Math.ceil(passages * GROWTH) + LEAST_RESERVE : passages;
}

export function fingerprintOf(passages: readonly Passage[]): string {
  return hash('sha1', JSON.stringify(passages), 'base64');
}
