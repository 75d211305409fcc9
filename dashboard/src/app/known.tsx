import type { JSX } from 'preact';
import { dayName, isoDay, now } from './clock.ts';
import { go, knownOn, linkHere, route } from './route.ts';

/** The date whose knowledge every view shows. */
export function KnownOn(): JSX.Element {
  const day = knownOn.value;
  return (
    <label class="known" data-set={day !== ''}>
      <span>As known on</span>
      <input
        type="date"
        value={day}
        max={isoDay(now.value)}
        onChange={(event) => go(linkHere({ known: event.currentTarget.value }))}
      />
    </label>
  );
}

/** Places that always show today: pending decisions and the setup. */
const TODAYS_PLACES: ReadonlySet<string> = new Set(['inbox', 'system']);

export function KnownBanner(): JSX.Element | null {
  const day = knownOn.value;
  if (day === '') return null;
  return (
    <div class="banner past" role="status">
      <span>
        {TODAYS_PLACES.has(route.value.place) ? (
          'This place always shows today.'
        ) : (
          <>
            As it was known on <strong>{dayName(day)}</strong>.
          </>
        )}
      </span>
      <a class="button small" href={linkHere({ known: '' })}>
        Back to today
      </a>
    </div>
  );
}
