import type { JSX } from 'preact';
import { useQuery } from '../../api/query.ts';
import { isoDay, now } from '../../app/clock.ts';
import { linkTo, replaceRoute, route } from '../../app/route.ts';
import { DiffView } from '../../ui/diff-view.tsx';
import { Card, Empty, Loaded, Page, plural } from '../../ui/parts.tsx';

const WEEK_MS = 7 * 86_400_000;

export function Compare(): JSX.Element {
  const from = route.value.query.get('from') ?? isoDay(new Date(now.value.getTime() - WEEK_MS));
  const to = route.value.query.get('to') ?? isoDay(now.value);
  const query = useQuery('diff', { from, to }, { on: ['mutation'] });
  const set = (dates: { from?: string; to?: string }): void =>
    replaceRoute(linkTo('time/compare', '', { from, to, ...dates }));
  return (
    <Page title="Compare" lead="What changed between two days." isWide>
      <div class="filters">
        <label class="field">
          From the beginning of
          <input
            class="input"
            type="date"
            value={from}
            max={to}
            onChange={(event) => set({ from: event.currentTarget.value })}
          />
        </label>
        <label class="field">
          To the end of
          <input
            class="input"
            type="date"
            value={to}
            min={from}
            onChange={(event) => set({ to: event.currentTarget.value })}
          />
        </label>
      </div>
      <Loaded query={query} lines={8}>
        {({ files, addedLines, removedLines, diff }) => (
          <Card
            title={`${plural(files.length, 'file')} changed`}
            note={`${plural(addedLines, 'line')} added, ${removedLines.toLocaleString('en')} removed`}
          >
            {files.length === 0 ? (
              <Empty isSmall icon="history" title="Nothing changed between these days">
                <p>Pick an earlier day to begin with.</p>
              </Empty>
            ) : (
              <DiffView diff={diff} />
            )}
          </Card>
        )}
      </Loaded>
    </Page>
  );
}
