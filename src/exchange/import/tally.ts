/** Something that was not taken over, and why. */
export interface Skipped {
  readonly what: string;
  readonly why: string;
  readonly count: number;
}

/** Counts what an import leaves out, so that nothing goes missing silently. */
export class Tally {
  readonly #counts = new Map<string, { readonly what: string; readonly why: string; count: number }>();

  add(what: string, why: string, count = 1): void {
    const key = `${what}\0${why}`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { what, why, count });
    else known.count += count;
  }

  list(): Skipped[] {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count);
  }
}
