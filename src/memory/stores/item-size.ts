/** Longest single memory: some forty pages. More text belongs in a reference file, with a line about it remembered. */
export const MAX_ITEM_BYTES = 65_536;
