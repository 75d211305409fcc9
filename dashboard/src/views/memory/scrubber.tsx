import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useQuery } from '../../api/query.ts';
import { dayName, isoDay, now } from '../../app/clock.ts';
import { knownOn, linkHere, replaceRoute, route } from '../../app/route.ts';

const DAY_MS = 86_400_000;
const MAX_TICKS = 80;

/** Moves the page through time: to what was known on a day, or to what was true then. */
export function Scrubber({ entity }: { readonly entity: string }): JSX.Element | null {
  const history = useQuery('graph timeline', { entity });
  const shown = useQuery('graph show', { entity, all: true });
  const trueOn = route.value.query.get('true') ?? '';
  const [isTrue, setTrue] = useState(trueOn !== '');
  const day = isTrue ? trueOn : knownOn.value;
  const learned = shown.data?.facts.flatMap((fact) => fact.learned ?? []) ?? [];
  const dated = isTrue ? (history.data?.entries.map(({ date }) => date) ?? []) : learned;
  const ticks = [...new Set(dated.map(toDay))]
    .filter((date) => date !== '')
    .toSorted()
    .slice(-MAX_TICKS);
  const [first] = ticks;
  if (first === undefined) return null;
  const from = dayNumber(first) - 1;
  const to = dayNumber(isoDay(now.value));
  const at = day === '' ? to : Math.max(from, Math.min(to, dayNumber(day)));
  const move = (number: number): void => {
    const value = number >= to ? '' : new Date(number * DAY_MS).toISOString().slice(0, 10);
    replaceRoute(linkHere(isTrue ? { true: value, known: '' } : { known: value, true: '' }));
  };
  return (
    <div class="scrubber">
      <div class="tabs" role="group" aria-label="What the time means">
        <button type="button" aria-pressed={!isTrue} onClick={() => setTrue(false)}>
          Known then
        </button>
        <button type="button" aria-pressed={isTrue} onClick={() => setTrue(true)}>
          True then
        </button>
      </div>
      <div class="scrubber-track">
        <input
          type="range"
          aria-label={isTrue ? 'What was true on' : 'What was known on'}
          aria-valuetext={day === '' ? 'today' : dayName(day)}
          min={from}
          max={to}
          value={at}
          onInput={(event) => move(Number(event.currentTarget.value))}
        />
        <div class="scrubber-ticks" aria-hidden="true">
          {ticks.map((tick) => (
            <i key={tick} style={{ left: `${((dayNumber(tick) - from) / Math.max(1, to - from)) * 100}%` }} />
          ))}
        </div>
      </div>
      <span class="scrubber-day small">{day === '' ? 'Today' : dayName(day)}</span>
    </div>
  );
}

/** A month or a year begins with its first day. */
function toDay(date: string): string {
  const [, year = '', month = '01', day = '01'] = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?/u.exec(date) ?? [];
  return year === '' ? '' : `${year}-${month}-${day}`;
}

function dayNumber(day: string): number {
  return Math.floor(Date.parse(`${toDay(day)}T00:00:00Z`) / DAY_MS);
}
