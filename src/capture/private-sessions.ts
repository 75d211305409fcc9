import path from 'node:path';
import type { FileSystem } from '../platform/fs.ts';

/**
 * `journal/private/<session>`: sessions of which nothing is kept. A mark is an empty file and outlasts the session: its
 * program's log may be imported years later.
 */
export class PrivateSessions {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, journal: string) {
    this.#fs = fs;
    this.#folder = path.join(journal, 'private');
  }

  has(session: string): boolean {
    return this.#fs.exists(path.join(this.#folder, session));
  }

  add(session: string): void {
    if (this.has(session)) return;
    this.#fs.makeDirectory(this.#folder);
    this.#fs.write(path.join(this.#folder, session), Buffer.alloc(0));
    this.#fs.syncDirectory(this.#folder);
  }
}
