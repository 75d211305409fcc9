import type { Scope, Source, Trust } from '../model/provenance.ts';
import type { Evidence, ScoreParts } from '../retrieve/hit.ts';
import type { Slot, Tag } from './slots.ts';

/** Where something in a prompt comes from. */
export interface Origin {
  readonly id: string;
  readonly path: string;
  readonly source: Source | null;
  readonly session: string | null;
  readonly turn: string | null;
  readonly trust: Trust;
  readonly scope: Scope;
  readonly time: string | null;
}

/** The degrees of detail in which something is injected. */
export type Level = 'full' | 'summary' | 'line' | 'link';

/** One way to tell something. */
export interface Form {
  readonly level: Level;
  readonly text: string;
}

/** A turn as a message. */
export interface SpokenTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** Something that could go into a prompt, already rendered: quoted, fenced from its surroundings, attributed. */
export interface Piece {
  readonly tag: Tag;
  readonly origin: Origin;
  /** From the fullest to the shortest; the first that fits is taken. */
  readonly forms: readonly [Form, ...Form[]];
  /** The words themselves, for telling whether another piece says the same. */
  readonly said: string;
  /** Other words for the same: where these are in the prompt, it repeats them. */
  readonly same?: string | undefined;
  /** Where among the pieces of its tag it is shown; taken in the order given, which may be another. */
  readonly position: number;
  /** A line above it that it shares with others: they are shown below it together, by `order`. */
  readonly below?: { readonly heading: string; readonly order: number } | undefined;
  readonly score: number | null;
  readonly scores: ScoreParts | null;
  readonly evidence: Evidence | null;
  /** The chance that it helps with the message, where that was judged. */
  readonly chance?: number | undefined;
  /** For a turn of the conversation going on: as programs that take messages want it. */
  readonly spoken?: SpokenTurn | undefined;
  /** Its full form says everything its file says. */
  readonly isWholeFile?: boolean | undefined;
  /** Why it is offered, where that is not plain from its slot; stands in the receipt. */
  readonly why?: string | undefined;
  /** Why it must stay out, whatever room there is; undefined for a candidate. */
  readonly refused?: string | undefined;
}

/** The fate of a piece: a line of the receipt. */
export interface ReceiptItem extends Origin {
  readonly slot: Slot;
  readonly tag: Tag;
  /** The form that was injected; null for a piece that was left out. */
  readonly form: Level | null;
  /** Tokens of the form that was taken; of the fullest form for what was left out. */
  readonly tokens: number;
  readonly included: boolean;
  /** In words. */
  readonly reason: string;
  /** The chance that it helps with the message; missing where that was not judged, and in receipts of earlier versions. */
  readonly chance?: number | undefined;
  readonly score: number | null;
  readonly scores: ScoreParts | null;
  readonly evidence: Evidence | null;
}

/** A form that is put into words when somebody looks at it: most of what is found fits as it is, or not at all. */
export function formOf(level: Level, render: () => string): Form {
  let text: string | undefined;
  return {
    level,
    get text() {
      text ??= render();
      return text;
    },
  };
}

/** The scores of every piece that was not found by searching. */
export const UNSCORED = { score: null, scores: null, evidence: null } as const;
