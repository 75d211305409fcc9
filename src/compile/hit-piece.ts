import type { Group } from '../retrieve/fit.ts';
import type { Hit } from '../retrieve/hit.ts';
import type { StoredPassage } from '../search-index/port.ts';
import { withNote, type Later } from './later.ts';
import { formOf, type Piece } from './piece.ts';
import { headingOf, originOf, quoteLink, quotePassages, quoteSnippet, type DayOf } from './quote.ts';
import type { MeasurePassage } from './relevance/evidence.ts';
import { type Told, isTold } from './told-store.ts';
import { cutText, oneLine, roundTo } from '../model/text.ts';

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
