const MAX_RECENT_FILTERS = 8;

/** The passages that the latest filters let through: most questions come with one of few filters. */
export class RecentFilters {
  readonly #bitmaps = new Map<string, Uint8Array>();

  findOrMake(key: string, make: () => Uint8Array): Uint8Array {
    let bitmap = this.#bitmaps.get(key);
    if (bitmap === undefined) {
      bitmap = make();
      const [oldest] = this.#bitmaps.keys();
      if (this.#bitmaps.size >= MAX_RECENT_FILTERS && oldest !== undefined) this.#bitmaps.delete(oldest);
      this.#bitmaps.set(key, bitmap);
    }
    return bitmap;
  }
}
