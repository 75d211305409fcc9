/** Transcripts that the chain knows nothing of: older than it, or noted just before a power cut. Oldest first. */
export function planCatchUp(transcripts: readonly string[], entered: ReadonlySet<string>): string[] {
  return transcripts.filter((path) => !entered.has(path)).sort();
}

export interface Anchoring {
  /** The last entry that was anchored; undefined when none ever was. */
  readonly anchoredSeq: number | undefined;
  readonly entries: number;
}

/** An anchor is worth its price when something was entered since the last one, besides what the anchor itself enters. */
export function isWorthAnchoring({ anchoredSeq, entries }: Anchoring): boolean {
  if (entries === 0) return false;
  // Behind an anchored checkpoint stands the entry that says so.
  return anchoredSeq === undefined || entries - 1 > anchoredSeq + 1;
}
