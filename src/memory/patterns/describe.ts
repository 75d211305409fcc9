import { ASKED } from './from-conversations.ts';
import { type Pattern, type PatternShape } from './occurrence.ts';
import { DAY_MS, HOUR_MS } from '../../model/time.ts';

const WEEKDAYS = ['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];

/** Describes the observation in a sentence a person would write. */
export function describePattern(shape: PatternShape): string {
  switch (shape.kind) {
    case 'weekday':
      return `${told(shape.label)} usually happens on ${daysOf(shape)}.`;
    case 'opening':
      return `A day usually begins with ${told(shape.label, false)}.`;
    case 'hour':
      return `${told(shape.label)} usually happens between ${clock(shape.hour)} and ${clock(shape.hour + shape.hours)}.`;
    case 'day-of-month':
      return `${told(shape.label)} usually happens on day ${shape.day} of the month.`;
    case 'sequence':
      return `After ${told(shape.labels[0] ?? '', false)}, ${told(shape.labels[1] ?? '', false)} usually follows within ${duration(shape.withinMs)}.`;
    case 'preference':
      return `For "${shape.subject}", "${shape.value}" is usually chosen.`;
    case 'cause':
      return `${told(shape.effect)} is ${shape.lift} times as likely within ${duration(shape.withinMs)} of ${told(shape.cause, false)}.`;
  }
}

/** Describes the consequence for the agent. */
export function describeAdaptation(shape: PatternShape): string {
  switch (shape.kind) {
    case 'weekday':
    case 'hour':
    case 'day-of-month':
      return `Have what ${told(shape.label, false)} needs ready before then.`;
    case 'opening':
      return `At the first message of a day, have what ${told(shape.label, false)} needs ready.`;
    case 'sequence':
      return `After ${told(shape.labels[0] ?? '', false)}, offer ${told(shape.labels[1] ?? '', false)}.`;
    case 'preference':
      return `Suggest "${shape.value}" first where "${shape.subject}" is open.`;
    case 'cause':
      return `After ${told(shape.cause, false)}, watch for ${told(shape.effect, false)}.`;
  }
}

/** `"retro"`, and of what the user says `Asking "check my mail"`. */
function told(label: string, isFirst = true): string {
  if (!label.startsWith(ASKED)) return `"${label}"`;
  return `${isFirst ? 'Asking' : 'asking'} "${label.slice(ASKED.length)}"`;
}

function daysOf({ weekday, and }: Extract<PatternShape, { readonly kind: 'weekday' }>): string {
  const days = [weekday, and].flatMap((day) => (day === undefined ? [] : (WEEKDAYS[day] ?? [])));
  return days.join(' and ');
}

export function describeCounts({ held, tried, expected, firstMs, lastMs }: Pattern): string {
  const since = new Date(firstMs).toISOString().slice(0, 10);
  const until = new Date(lastMs).toISOString().slice(0, 10);
  return `${held} of ${tried} times between ${since} and ${until}; ${percent(expected)} would be expected by chance.`;
}

export function sortOf({ kind }: PatternShape): 'temporal' | 'behavioural' | 'causal' {
  if (kind === 'cause') return 'causal';
  return kind === 'sequence' || kind === 'preference' ? 'behavioural' : 'temporal';
}

function clock(hour: number): string {
  return `${String(hour % 24).padStart(2, '0')}:00`;
}

function duration(ms: number): string {
  return ms >= DAY_MS ? `${Math.round(ms / DAY_MS)} days` : `${Math.round(ms / HOUR_MS)} hours`;
}

function percent(share: number): string {
  return `${Math.max(1, Math.round(share * 100))} %`;
}
