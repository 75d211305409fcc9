import type { AliasTable, SpeakerTable } from './names.ts';

/** The aim of a question; each kind looks first in another store (seed 4 §11.1). */
export type Intent = 'when' | 'about' | 'how-to' | 'latest' | 'general';

export type Language = 'en' | 'de' | 'es' | 'fr' | 'other';

export type TimePrecision = 'hour' | 'part-of-day' | 'day' | 'week' | 'month' | 'season' | 'year' | 'decade';

/** A span a question names. Evidence to rank with: people misremember dates, so it must not exclude anything. */
export interface TimeRange {
  /** Undefined when open: "before May". */
  readonly sinceMs: number | undefined;
  /** Exclusive; undefined when open: "since March". May lie in the future ("next month"). */
  readonly untilMs: number | undefined;
  /** The words that say so, as written. */
  readonly phrase: string;
  readonly precision: TimePrecision;
}

export interface FoundEntity {
  readonly id: string;
  /** The words of the question that name it. */
  readonly phrase: string;
  /** 1 for an exact name, less with every typing mistake. */
  readonly confidence: number;
}

export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
  /** Part of the name of somebody who speaks: found in the speaker as well as in the text. */
  readonly isPerson: boolean;
  /** Part of the expression that became `timeRange`. */
  readonly isTime: boolean;
}

export type ExpansionReason = 'alias' | 'synonym' | 'form' | 'number' | 'calendar' | 'beginning';

/** A term nobody asked for that may stand where the asked one was expected. */
export interface Expansion {
  readonly term: string;
  /** Below 1: it never counts as much as what was asked. */
  readonly weight: number;
  /** The query's term it stands for, or the id of the entity. */
  readonly of: string;
  readonly reason: ExpansionReason;
}

export interface Understanding {
  readonly intent: Intent;
  /** The question is about how things were; age does not make a memory worse. */
  readonly isAboutThePast: boolean;
  readonly timeRange: TimeRange | undefined;
  /** Speakers named, as the index writes them. */
  readonly people: readonly string[];
  readonly entities: readonly FoundEntity[];
  /** The texts in quotation marks or backticks. */
  readonly phrases: readonly string[];
  readonly terms: readonly WeightedTerm[];
  readonly expansions: readonly Expansion[];
  readonly language: Language;
  readonly script: 'spaced' | 'unspaced';
}

export interface UnderstandContext {
  readonly nowMs: number;
  /** IANA name of the home's time zone. */
  readonly timeZone: string;
  readonly speakers: SpeakerTable;
  readonly aliases: AliasTable;
}
