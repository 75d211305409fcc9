import type { Scope, Source, Store, Trust } from '../model/provenance.ts';
import type { DocumentSource } from '../search-index/passage.ts';
import type { StoredPassage } from '../search-index/port.ts';

/** The five factors, each from 0 to 1. */
export interface ScoreParts {
  readonly semantic: number;
  readonly lexical: number;
  readonly temporal: number;
  readonly importance: number;
  readonly access: number;
}

/**
 * The evidence for a hit before normalisation: 1 means every word of the question, or the same meaning. Unlike
 * scores, which compare hits with each other, it says whether the best hit is any good.
 */
export interface Evidence {
  /** The share of the question's words, weighed by how rare they are, that the hit contains. */
  readonly coverage: number;
  /** The largest cosine of the models asked; undefined when none was. */
  readonly similarity: number | undefined;
}

export interface Hit {
  readonly id: string;
  readonly source: DocumentSource;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly title: string;
  /** All of it, with day and speaker, and for a turn with the turns around it. */
  readonly text: string;
  /** The match alone: the words of the item or turn that `id` names. */
  readonly words: string;
  /** The trust in these words; `trust` is of all of `text`. */
  readonly wordsTrust: Trust;
  /** The part that answers best, and where in it the question's words stand. */
  readonly snippet: string;
  readonly highlights: readonly (readonly [number, number])[];
  /** From 0 to 1. In what `recall` answers it is the chance that the hit holds the answer; elsewhere it compares hits. */
  readonly score: number;
  readonly scores: ScoreParts;
  readonly evidence: Evidence;
  readonly store: Store;
  readonly scope: Scope;
  readonly type: string;
  /** The speaker; null where there is none. */
  readonly speaker: string | null;
  readonly time: string | null;
  readonly provenance: {
    readonly source: Source;
    readonly session: string | null;
    readonly turn: string | null;
    readonly mutation: string | null;
  };
  readonly trust: Trust;
  readonly why: string;
  /** Where else the same memory is written; only in what `recall` answers. */
  readonly sources?: readonly HitSource[] | undefined;
  /** It has since been replaced; only in what `recall` answers. */
  readonly superseded?: boolean | undefined;
}

/** Another place where a memory is written. */
export interface HitSource extends Pick<Hit, 'id' | 'source' | 'path' | 'startLine' | 'store' | 'type'> {}

/**
 * Neighbouring passages as a reader should see them: once the day and what stands above them, then each in order. A
 * piece of a long item overlaps the piece before it; what was already shown is not shown twice.
 */
export function renderPassages(members: readonly StoredPassage[]): string {
  const lines: string[] = [];
  let heading = '';
  let previous: StoredPassage | undefined;
  for (const passage of members) {
    const own = headingOf(passage);
    if (own !== heading && own !== '') lines.push(own);
    heading = own;
    const text = previous?.id === passage.id ? withoutOverlap(previous.text, passage.text) : passage.text;
    const isContinued = previous?.id === passage.id;
    lines.push(passage.speaker === undefined || isContinued ? text : `${passage.speaker}: ${text}`);
    previous = passage;
  }
  return lines.join('\n');
}

/** Speakers stand before their own words, so a turn's heading is only its day. */
function headingOf({ speaker, lead, day }: StoredPassage): string {
  const date = shortDay(day);
  if (speaker !== undefined) return date;
  if (lead === '') return date;
  return date === '' || lead.includes(date) ? lead : `${lead} (${date})`;
}

/** Everybody can tell the weekday from the date, and it costs tokens. */
function shortDay(day: string): string {
  return day.replace(/^\p{L}+ (?=\d)/u, '');
}

function withoutOverlap(before: string, text: string): string {
  for (let length = Math.min(before.length, text.length); length > 0; length -= 1) {
    if (before.endsWith(text.slice(0, length))) return text.slice(length).trimStart();
  }
  return text;
}
