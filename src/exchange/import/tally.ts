/** Something that was not taken over, and why. */
export interface Skipped {
  readonly what: string;
  readonly why: string;
  readonly count: number;
}

/** Something that could not be read, and where. */
export interface Damage {
  readonly what: string;
  readonly why: string;
  readonly file: string;
  /** The byte it begins at; null where the whole file is meant. */
  readonly at: number | null;
}

export interface DamagePlace {
  readonly file: string;
  readonly at: number | undefined;
}

/** More than this nobody reads; the count goes on. */
const MAX_DAMAGE = 200;

/** Counts what an import leaves out, so that nothing goes missing silently. */
export class Tally {
  readonly #counts = new Map<string, { readonly what: string; readonly why: string; count: number }>();
  readonly #damage: Damage[] = [];

  add(what: string, why: string, count = 1): void {
    const key = `${what}\0${why}`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { what, why, count });
    else known.count += count;
  }

  /** The same, for a number that may be none. */
  addSome(what: string, why: string, count: number): void {
    if (count > 0) this.add(what, why, count);
  }

  /** Counts an unreadable part, and records its place. */
  addDamage(what: string, why: string, { file, at }: DamagePlace): void {
    this.add(what, why);
    if (this.#damage.length < MAX_DAMAGE) this.#damage.push({ what, why, file, at: at ?? null });
  }

  list(): Skipped[] {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count);
  }

  damage(): readonly Damage[] {
    return this.#damage;
  }
}
