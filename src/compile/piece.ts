import type { Scope, Source, Trust } from '../model/provenance.ts';
import { cutText, oneLine, roundTo } from '../model/text.ts';
import type { Group } from '../retrieve/fit.ts';
import type { Evidence, Hit, ScoreParts } from '../retrieve/hit.ts';
import type { StoredPassage } from '../search-index/port.ts';
import { withNote, type Later } from './later.ts';
import { headingOf, originOf, quoteLink, quotePassages, quoteSnippet, type DayOf } from './quote.ts';
import type { MeasurePassage } from './relevance/evidence.ts';
import type { Slot, Tag } from './slots.ts';
import { type Told, isTold } from './told-store.ts';

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

/** A longer turn is quoted where it has to do with the message. */
export const LONG_TURN = 600;
const LINE_CHARACTERS = 140;

interface Place {
  readonly at: number;
  readonly measure: MeasurePassage;
  readonly isAsked: boolean;
  /** Why it stays out. */
  readonly refused: string | undefined;
  /** That it helps, where it was judged. */
  readonly chance: number | undefined;
  readonly later: Later | undefined;
  readonly dayOf: DayOf;
  readonly isInWindow: (passage: StoredPassage) => boolean;
  readonly told: Told;
}

/** The piece of a prompt made from a hit: quoted in several lengths, or with the reason for leaving it out. */
export function hitPiece(hit: Hit, group: Group | undefined, place: Place): Piece {
  const members = group?.members ?? [];
  const best = group?.best.passage;
  const { coverage } = place.measure(members);
  const similarity = group?.best.similarity === undefined ? undefined : roundTo(group.best.similarity, 4);
  const evidence = { coverage: roundTo(coverage, 4), similarity };
  const isHere = best !== undefined && place.isInWindow(best);
  const isLong = !place.isAsked && (best?.text.length ?? 0) > LONG_TURN;
  const note = (text: string): string => withNote(text, place.later, place.dayOf);
  const noted = members.map((member) => (member === best ? { ...member, text: note(member.text) } : member));
  const piece: Piece = {
    tag: 'memory',
    origin:
      best === undefined
        ? { ...hit.provenance, id: hit.id, path: hit.path, trust: hit.trust, scope: hit.scope, time: hit.time }
        : originOf(members, best),
    forms: [
      formOf('full', () => (isLong ? quoteSnippet(members, note(hit.snippet)) : quotePassages(noted))),
      formOf('summary', () => quoteSnippet(members, note(hit.snippet))),
      formOf('line', () => quoteSnippet(members, note(cutText(oneLine(best?.text ?? hit.snippet), LINE_CHARACTERS)))),
      formOf('link', () => quoteLink(members)),
    ],
    below: { heading: headingOf(members, place.dayOf), order: members[0]?.number ?? 0 },
    said: members.map(({ text }) => text).join('\n'),
    position: place.at,
    score: hit.score,
    scores: hit.scores,
    evidence,
    chance: place.chance === undefined ? undefined : roundTo(place.chance, 4),
  };
  if (isHere) return { ...piece, refused: 'already in this conversation' };
  const isKnown = isTold(
    members.map(({ id, text }) => ({ id, said: text })),
    place.told,
  );
  if (isKnown) return { ...piece, refused: 'already told in this session' };
  return place.refused === undefined ? piece : { ...piece, refused: place.refused };
}
