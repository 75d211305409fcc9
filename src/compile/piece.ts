import type { Scope, Source, Trust } from '../model/provenance.ts';
import type { Evidence, ScoreParts } from '../retrieve/hit.ts';
import type { Tag } from './fence.ts';

/** DESIGN §11. P2, topics and procedures, comes with the topics. */
export const SLOTS = ['P0', 'P1', 'P2', 'P3', 'P4'] as const;
export type Slot = (typeof SLOTS)[number];

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

/** Something that could go into a prompt, already rendered: quoted, fenced from its surroundings, attributed. */
export interface Piece {
  readonly slot: Slot;
  readonly tag: Tag;
  readonly origin: Origin;
  /** From the fullest to the shortest form; the first that fits is taken. */
  readonly forms: readonly [string, ...string[]];
  /** The words themselves, for telling whether another piece says the same. */
  readonly said: string;
  /** Where among the pieces of its tag it is shown; taken in the order given, which may be another. */
  readonly position: number;
  readonly score: number | null;
  readonly scores: ScoreParts | null;
  readonly evidence: Evidence | null;
  /** Why it is offered, where that is not plain from its slot; stands in the receipt. */
  readonly why?: string | undefined;
  /** Why it must stay out, whatever room there is; undefined for a candidate. */
  readonly refused?: string | undefined;
}

/** What became of a piece: a line of the receipt. */
export interface ReceiptItem extends Origin {
  readonly slot: Slot;
  /** Tokens of the form that was taken; of the fullest form for what was left out. */
  readonly tokens: number;
  readonly included: boolean;
  /** In words. */
  readonly reason: string;
  readonly score: number | null;
  readonly scores: ScoreParts | null;
  readonly evidence: Evidence | null;
}
