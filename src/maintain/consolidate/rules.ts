/**
 * S2's figures: what is younger than a week may still be corrected by those who said it, and what is less important than this
 * says nothing lasting.
 */
export const CONSOLIDATION = { minAgeDays: 7, minImportance: 0.6 } as const;
