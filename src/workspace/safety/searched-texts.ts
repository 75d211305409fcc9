import { hash } from 'node:crypto';

/** Shorter texts are searched as fast as they are recognised. */
const MIN_CHARS = 16 * 1024;
/** As many large files as a process writes to again and again. */
const MAX_TEXTS = 200;

/**
 * The texts that were searched for secrets, by their hash. Only here and now: what another version with fewer rules, another
 * machine or a person let through is searched like anything new.
 */
export class SearchedTexts {
  readonly #hashes = new Set<string>();

  add(text: string): void {
    if (text.length < MIN_CHARS) return;
    const key = hash('sha256', text);
    this.#hashes.delete(key);
    const [oldest] = this.#hashes.size >= MAX_TEXTS ? this.#hashes : [];
    if (oldest !== undefined) this.#hashes.delete(oldest);
    this.#hashes.add(key);
  }

  has(text: string): boolean {
    return text.length >= MIN_CHARS && this.#hashes.has(hash('sha256', text));
  }
}
