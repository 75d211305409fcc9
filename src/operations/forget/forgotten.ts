import type { EraseResult } from '../../workspace/erase/erase.ts';

/** The outcome of a confirmed list. */
export interface Forgotten {
  /** `erasing`: begun, with something left (`erased.left`) that is tried again by itself. */
  readonly outcome: 'archived' | 'erased' | 'erasing' | 'proposed';
  /** null for a proposal of which the same waits already, and for an erasure of nothing but turns. */
  readonly mutation: string | null;
  readonly archived: readonly { readonly id: string | null; readonly from: string; readonly path: string }[];
  readonly proposal: string | null;
  readonly erased: EraseResult | null;
  readonly warnings: readonly string[];
  /** null until git has followed; the CLI waits for it. */
  readonly commit: string | null;
}

export const NOTHING_YET: Omit<Forgotten, 'outcome'> = {
  mutation: null,
  archived: [],
  proposal: null,
  erased: null,
  warnings: [],
  commit: null,
};

/** The erasures that opening the home has just finished, for a caller who opened it to confirm exactly that. */
export class FinishedErasures {
  readonly #byCode = new Map<string, Forgotten>();

  add(code: string, done: Forgotten): void {
    this.#byCode.set(code, done);
  }

  take(code: string): Forgotten | undefined {
    const done = this.#byCode.get(code);
    this.#byCode.delete(code);
    return done;
  }
}
