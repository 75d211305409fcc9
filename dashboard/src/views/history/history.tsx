import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Output } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { linkTo, replaceRoute, route } from '../../app/route.ts';
import { Card, Empty, Loaded, Page, Time } from '../../ui/parts.tsx';
import { AlertCards } from './alerts.tsx';
import { Compare } from './compare.tsx';
import { Entry } from './entry.tsx';

type Log = Output<'log'>;
const PAGE = 40;

export function History(): JSX.Element {
  const isComparing = route.value.rest === 'compare';
  return (
    <Page
      title="History"
      lead="Every change: who made it, when, on whose word, and a way back."
      isWide
      tools={
        <nav class="tabs" aria-label="History">
          <a href={linkTo('history')} aria-current={isComparing ? undefined : 'page'}>
            Changes
          </a>
          <a href={linkTo('history', 'compare')} aria-current={isComparing ? 'page' : undefined}>
            Compare two dates
          </a>
        </nav>
      }
    >
      {isComparing ? <Compare /> : <Changes />}
    </Page>
  );
}

function Changes(): JSX.Element {
  const [limit, setLimit] = useState(PAGE);
  const { query, rest } = route.value;
  const path = query.get('path') ?? '';
  const text = query.get('text') ?? '';
  const actor = query.get('actor') ?? '';
  const log = useQuery(
    'log',
    { limit, ...(path === '' ? {} : { path }), ...(text === '' ? {} : { text }), ...(actor === '' ? {} : { actor }) },
    { on: ['mutation'], debounceMs: 150 },
  );
  const narrow = (name: string, value: string): void =>
    replaceRoute(linkTo('history', rest, { path, text, actor, [name]: value }));
  return (
    <>
      <AlertCards />
      <div class="filters">
        <label class="field">
          File or folder
          <input
            class="input"
            value={path}
            placeholder="MEMORY.md"
            onChange={(event) => narrow('path', event.currentTarget.value)}
          />
        </label>
        <label class="field">
          Words
          <input
            class="input"
            value={text}
            placeholder="in the summary"
            data-search-field
            onInput={(event) => narrow('text', event.currentTarget.value)}
          />
        </label>
        <label class="field">
          By
          <input
            class="input"
            value={actor}
            placeholder="human:, bot:, reflection:"
            onChange={(event) => narrow('actor', event.currentTarget.value)}
          />
        </label>
      </div>
      <Loaded query={log} lines={8}>
        {(data) => <EntryList log={data} picked={rest} onMore={() => setLimit(limit + PAGE)} />}
      </Loaded>
    </>
  );
}

function EntryList({
  log: { entries, hasMore, postponed },
  picked,
  onMore,
}: {
  readonly log: Log;
  readonly picked: string;
  readonly onMore: () => void;
}): JSX.Element {
  if (entries.length === 0) {
    return (
      <Card>
        <Empty icon="history" title="No change is like that">
          <p>Leave out a filter. Every change of the memory stands here, by whoever it was made.</p>
        </Empty>
      </Card>
    );
  }
  const chosen = entries.find(
    ({ mutations, commit }) => picked !== '' && (mutations.includes(picked) || commit === picked),
  );
  const shown =
    chosen?.mutations[0] ??
    chosen?.commit ??
    (picked === '' ? (entries[0]?.mutations[0] ?? entries[0]?.commit) : picked);
  return (
    <div class="columns side history">
      <div class="card">
        <nav class="card-body pad-small" aria-label="Changes">
          {postponed.map((reason) => (
            <p key={reason} class="notice">
              {reason}
            </p>
          ))}
          {entries.map((entry) => {
            const id = entry.mutations[0] ?? entry.commit;
            return (
              <a
                key={entry.commit}
                class="pick"
                href={linkTo('history', id, Object.fromEntries(route.value.query))}
                aria-current={id === shown}
                data-list-item
              >
                <div class="clip">{entry.summary}</div>
                <div class="row tiny faint">
                  <span class={`badge ${entry.action === 'REVERT' ? 'warn' : ''}`}>
                    {(entry.action ?? 'commit').toLowerCase()}
                  </span>
                  <span>{entry.actor}</span>
                  <Time at={entry.time} />
                </div>
              </a>
            );
          })}
          {hasMore ? (
            <button type="button" class="button quiet small" onClick={onMore}>
              Earlier changes
            </button>
          ) : null}
        </nav>
      </div>
      {shown === undefined ? null : (
        <Entry key={shown} id={shown} known={chosen ?? entries.find((entry) => entry.mutations[0] === shown)} />
      )}
    </div>
  );
}
