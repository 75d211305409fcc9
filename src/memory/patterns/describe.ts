import { type Pattern, type PatternShape } from './occurrence.ts';
import { DAY_MS, HOUR_MS } from '../../model/durations.ts';

const WEEKDAYS = ['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];

/** What was observed, in a sentence a person would write. */
export function describePattern(shape: PatternShape): string {
  switch (shape.kind) {
    case 'weekday':
      return `"${shape.label}" usually happens on ${WEEKDAYS[shape.weekday] ?? 'one day of the week'}.`;
    case 'hour':
      return `"${shape.label}" usually happens between ${clock(shape.hour)} and ${clock(shape.hour + shape.hours)}.`;
    case 'day-of-month':
      return `"${shape.label}" usually happens on day ${shape.day} of the month.`;
    case 'sequence':
      return `After "${shape.labels[0] ?? ''}", "${shape.labels[1] ?? ''}" usually follows within ${duration(shape.withinMs)}.`;
    case 'preference':
      return `For "${shape.subject}", "${shape.value}" is usually chosen.`;
    case 'cause':
      return `"${shape.effect}" is ${shape.lift} times as likely within ${duration(shape.withinMs)} of "${shape.cause}".`;
  }
}

/** What follows for the agent. */
export function describeAdaptation(shape: PatternShape): string {
  switch (shape.kind) {
    case 'weekday':
    case 'hour':
    case 'day-of-month':
      return `Have what "${shape.label}" needs ready before then.`;
    case 'sequence':
      return `When "${shape.labels[0] ?? ''}" is done, offer "${shape.labels[1] ?? ''}".`;
    case 'preference':
      return `Suggest "${shape.value}" first where "${shape.subject}" is open.`;
    case 'cause':
      return `After "${shape.cause}", watch for "${shape.effect}".`;
  }
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
