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
