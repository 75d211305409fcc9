import { hash } from 'node:crypto';
import type { Passage } from '../passage.ts';

/** Long enough that no two texts of a lifetime share one by chance. */
const KEY_BYTES = 12;

/** Equal for passages that a model sees alike: these share a vector. */
export function embeddedKey({ lead, day, text }: Pick<Passage, 'lead' | 'day' | 'text'>): Buffer {
  return hash('sha1', `${lead}\0${day}\0${text}`, 'buffer').subarray(0, KEY_BYTES);
}
