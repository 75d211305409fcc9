/**
 * The model costs expected by the first design (S0 §12), kept beside the real ones. There a session went through four
 * extractors of 3,000 tokens each; here one question asks for everything.
 */
export interface SeedFigure {
  readonly what: string;
  readonly purpose: string;
  readonly per: 'session' | 'call';
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly usd: number;
}

export const SEED_FIGURES: readonly SeedFigure[] = [
  { what: 'extraction', purpose: 'extract', per: 'session', tokensIn: 12_000, tokensOut: 900, usd: 0.004 },
  { what: 'journal summary', purpose: 'summarise', per: 'call', tokensIn: 4000, tokensOut: 500, usd: 0.008 },
  { what: 'gate', purpose: 'gate', per: 'call', tokensIn: 200, tokensOut: 1, usd: 0.0002 },
  { what: 'commit message', purpose: 'commit_message', per: 'call', tokensIn: 1000, tokensOut: 50, usd: 0.0003 },
  { what: 'flush before compaction', purpose: 'flush', per: 'call', tokensIn: 2000, tokensOut: 500, usd: 0.005 },
  { what: 'weekly roll-up', purpose: 'rewrite_core', per: 'call', tokensIn: 6000, tokensOut: 2000, usd: 0.02 },
  { what: 'monthly distillation', purpose: 'reflect', per: 'call', tokensIn: 10_000, tokensOut: 3000, usd: 0.04 },
];

/** Extraction a month by sessions a day (S0 §12.5). */
export const SEED_MONTHS = [
  { usage: 'light', sessionsPerDay: 5, usd: 0.6 },
  { usage: 'medium', sessionsPerDay: 15, usd: 1.8 },
  { usage: 'heavy', sessionsPerDay: 30, usd: 3.6 },
] as const;
