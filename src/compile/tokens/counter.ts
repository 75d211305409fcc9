/** Counts what a text costs in a prompt. */
export interface TokenCounter {
  /** Stands in receipts: the same text costs the same only under the same name. */
  readonly id: string;
  count(text: string): number;
}

/** Counts every text once: a prompt is put together more than once from the same pieces. */
export function rememberCounts(counter: TokenCounter): TokenCounter {
  const known = new Map<string, number>();
  return {
    id: counter.id,
    count: (text) => {
      const counted = known.get(text) ?? counter.count(text);
      known.set(text, counted);
      return counted;
    },
  };
}
