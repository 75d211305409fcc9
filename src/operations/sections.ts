/** Headings of `mneme --help`, in order. */
export const SECTIONS = [
  'everyday',
  'setup',
  'memory',
  'conversations',
  'review',
  'upkeep',
  'trust',
  'interfaces',
] as const;
export type Section = (typeof SECTIONS)[number];
