import type { Entity } from '../../workspace/formats/entity.ts';

/** Where something was said. */
export interface Said {
  /** `YYYY-MM-DD`; '' when nobody knows. */
  readonly day: string;
  /** A turn, as `s1#t4`; '' when it was not said in a conversation. */
  readonly turn: string;
}

/** Where a fact was said; nothing when the memory no longer knows. */
export function saidOf({ meta }: Pick<Entity['facts'][number], 'meta'>): Said[] {
  const day = (meta.time ?? meta.learned ?? '').slice(0, 10);
  const turn = meta.evidence?.[0] ?? (meta.session === undefined ? '' : `${meta.session}#${meta.turn ?? ''}`);
  return day === '' && turn === '' ? [] : [{ day, turn }];
}

export function saidWhen(fact: Pick<Entity['facts'][number], 'meta'>): string {
  return saidOf(fact).map(inWords).join(', ');
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** `27 January (s6#t3)` */
export function inWords({ day, turn }: Said): string {
  const [, month = '', date = ''] = day.split('-');
  const name = MONTHS[Number(month) - 1];
  const when = name === undefined || date === '' ? day : `${Number(date)} ${name}`;
  if (turn === '') return when;
  return when === '' ? turn : `${when} (${turn})`;
}

const MAX_CHARS = 180;
const MIN_WORDS = 3;
/** Points at something said before it, which a line that stands alone lacks. */
const POINTS_BACK = /^(?:it|its|this|that|these|those|he|she|they|him|her|them|there|then|so|and|but|or|which)\b/iu;
const POINTS_ASIDE = /\b(?:that (?:day|one|way|time|thing)|the other one|the latter|as above|see below)\b/iu;
/** The start of a statement that answers a text, and of a list that was cut in two. */
const FRAGMENT = /^(?:About|Correcting) “|(?:^|\s)\d\)\s|^\p{P}/u;

/** "… doesn't, red wine is a migraine": the verb stands in the sentence before. "Not email, not phone, ids only". */
const CUT_OFF =
  /^\p{Lu}\p{L}* (?:do|does|is|has|can|will|would)(?:n['’]t| not)?[,;]|^(?:not|neither|nor|only) [\p{L}\p{N}]+,/iu;

/** Whether a statement can be read alone, by somebody who does not remember the conversation. */
export function isReadable(text: string): boolean {
  return (
    text.length <= MAX_CHARS &&
    text.split(/\s+/u).length >= MIN_WORDS &&
    !text.includes('?') &&
    !POINTS_BACK.test(text) &&
    !POINTS_ASIDE.test(text) &&
    !CUT_OFF.test(text) &&
    !FRAGMENT.test(text)
  );
}
