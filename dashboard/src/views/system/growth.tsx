import type { JSX } from 'preact';
import type { Output } from '../../api/call.ts';
import type { Query } from '../../api/query.ts';
import { dayName, now, shortDay } from '../../app/clock.ts';
import { storeName } from '../../text/names.ts';
import { Card, Loaded, plural } from '../../ui/parts.tsx';

type Days = Output<'growth'>['days'];

const PLACES = [
  ['workspace', 'Memory'],
  ['history', 'History'],
  ['transcripts', 'Transcripts'],
  ['journal', 'Journal'],
  ['state', 'Index'],
  ['backups', 'Backups'],
] as const;

export function GrowthCard({ query }: { readonly query: Query<Output<'growth'>> }): JSX.Element {
  return (
    <Card title="Growth" note="the last 30 days">
      <Loaded query={query}>
        {({ days, stores, places }) => (
          <div class="stack">
            <Columns days={days} />
            <dl class="facts small two">
              {stores.map(({ store, files, bytes: size }) => (
                <>
                  <dt key={store}>{storeName(store)}</dt>
                  <dd>
                    {plural(files, 'file')}, {bytes(size)}
                  </dd>
                </>
              ))}
            </dl>
            <p class="tiny faint">
              On the disk:{' '}
              {PLACES.filter(([key]) => places[key] > 0)
                .map(([key, name]) => `${name} ${bytes(places[key])}`)
                .join(' · ')}
            </p>
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function Columns({ days }: { readonly days: Days }): JSX.Element {
  const most = Math.max(1, ...days.map(({ changes }) => changes));
  const sum = days.reduce((count, { changes }) => count + changes, 0);
  const dates = [days[0], days[Math.floor(days.length / 2)], days.at(-1)];
  return (
    <figure class="chart">
      <div
        class="day-columns"
        role="img"
        aria-label={`${plural(sum, 'change')} in ${days.length} days, at most ${most} on one day`}
      >
        {days.map(({ date, changes }) => (
          <i
            key={date}
            title={`${dayName(date)}: ${plural(changes, 'change')}`}
            style={{ height: `${changes === 0 ? 2 : 8 + (changes / most) * 92}%` }}
          />
        ))}
      </div>
      <div class="chart-most tiny faint" aria-hidden="true">
        {most.toLocaleString('en')}
      </div>
      <div class="chart-days tiny faint" aria-hidden="true">
        {dates.map((day) => (day === undefined ? null : <span key={day.date}>{shortDay(day.date, now.value)}</span>))}
      </div>
      <figcaption class="tiny faint">{plural(sum, 'change')}</figcaption>
    </figure>
  );
}

export function bytes(count: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let size = count;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size >= 10 || unit === 0 ? Math.round(size) : size.toFixed(1)} ${units[unit] ?? ''}`;
}
