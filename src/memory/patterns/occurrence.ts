import { lowestTrust, type Trust } from '../../model/provenance.ts';

/** Something that happened, by what it is called, on the clock of the home. */
export interface Occurrence {
  readonly id: string;
  readonly timeMs: number;
  /** 0 is Monday. */
  readonly weekday: number;
  readonly hour: number;
  readonly dayOfMonth: number;
  /** What kind of thing it was: tags, type, who was there, how it ended. */
  readonly labels: readonly string[];
  /** What was chosen where there was a choice: `editor` → `zed`. */
  readonly choices?: Readonly<Record<string, string>> | undefined;
  /** Whose word it is; the agent's when not given. */
  readonly trust?: Trust | undefined;
}

export type PatternShape =
  | { readonly kind: 'weekday'; readonly label: string; readonly weekday: number }
  | { readonly kind: 'hour'; readonly label: string; readonly hour: number; readonly hours: number }
  | { readonly kind: 'day-of-month'; readonly label: string; readonly day: number }
  | { readonly kind: 'sequence'; readonly labels: readonly string[]; readonly withinMs: number }
  | { readonly kind: 'preference'; readonly subject: string; readonly value: string }
  | {
      readonly kind: 'cause';
      readonly cause: string;
      readonly effect: string;
      readonly withinMs: number;
      readonly lift: number;
    };

/** A regularity that chance does not explain. */
export interface Pattern {
  /** The same pattern found again has the same key. */
  readonly key: string;
  readonly shape: PatternShape;
  /** How often it held, out of how many times it could have. */
  readonly held: number;
  readonly tried: number;
  /** The share that would be expected without it. */
  readonly expected: number;
  /** The lowest share the counts allow (Wilson, 95 %): few cases cannot be sure. */
  readonly confidence: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** It held once and no longer does. */
  readonly isRetired: boolean;
  /** Occurrences that show it, the newest last. */
  readonly evidence: readonly string[];
  /** The lowest of everything that shows it, and at most an agent's word: nobody said it. */
  readonly trust?: Trust | undefined;
}

/** A regularity before it is known whether chance explains it. */
export interface Suspected extends Omit<Pattern, 'key' | 'confidence'> {
  /** How likely chance alone does as well. */
  readonly chance: number;
}

export function trustOfAll(occurrences: readonly Pick<Occurrence, 'trust'>[]): Trust {
  return lowestTrust(['agent', ...occurrences.map(({ trust = 'agent' }) => trust)]);
}
