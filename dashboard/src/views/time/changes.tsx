import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Output } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { knownOn, linkHere, linkTo, replaceRoute, route } from '../../app/route.ts';
import { actorName, plainTitle } from '../../text/names.ts';
import { Empty, Loaded, Page, Time } from '../../ui/parts.tsx';
import { Split } from '../../ui/split.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { Entry } from './entry.tsx';

type Log = Output<'log'>;
type LogEntry = Log['entries'][number];
const PAGE = 60;
const ROW = 66;

export function Changes(): JSX.Element {
  const [limit, setLimit] = useState(PAGE);
  const { query } = route.value;
  const text = query.get('text') ?? '';
  const path = query.get('path') ?? '';
  const actor = query.get('actor') ?? '';
  const log = useQuery(
    'log',
    { limit, ...given({ text, path, actor, until: knownOn.value }) },
    {
      on: ['mutation'],
      debounceMs: 150,
    },
  );
  return (
    <Page title="Changes" lead="Every change: who made it, when, and a way back." isWide>
      <div class="filters">
        <Filter name="Words" value={text} placeholder="in the summary" narrow={(value) => ({ text: value })} isSearch />
        <Filter name="File or folder" value={path} placeholder="MEMORY.md" narrow={(value) => ({ path: value })} />
        <label class="field">
          By
          <select
            class="input"
            value={actor}
            onChange={(event) => replaceRoute(linkHere({ actor: event.currentTarget.value }))}
          >
            <option value="">anyone</option>
            <option value="human:">people</option>
            <option value="bot:">agents</option>
            <option value="subagent:">sub-agents</option>
            <option value="system:">Mneme itself</option>
            <option value="external">from outside</option>
          </select>
        </label>
      </div>
      <Loaded query={log} lines={8}>
        {(data) => <Body log={data} onMore={() => setLimit(limit + PAGE)} />}
      </Loaded>
    </Page>
  );
}

function given(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

interface FilterProps {
  readonly name: string;
  readonly value: string;
  readonly placeholder: string;
  readonly narrow: (value: string) => Readonly<Record<string, string>>;
  readonly isSearch?: boolean;
}

function Filter({ name, value, placeholder, narrow, isSearch = false }: FilterProps): JSX.Element {
  return (
    <label class="field">
      {name}
      <input
        class="input"
        value={value}
        placeholder={placeholder}
        data-search-field={isSearch ? '' : undefined}
        onInput={(event) => replaceRoute(linkHere(narrow(event.currentTarget.value)))}
      />
    </label>
  );
}

function Body({
  log: { entries, hasMore, postponed },
  onMore,
}: {
  readonly log: Log;
  readonly onMore: () => void;
}): JSX.Element {
  const picked = route.value.rest;
  if (entries.length === 0 && picked === '') {
    return (
      <Empty icon="history" title="No change is like that">
        <p>Leave out a filter. Every change of the memory is listed here, by whoever it was made.</p>
      </Empty>
    );
  }
  const index =
    picked === '' ? 0 : entries.findIndex(({ mutations, commit }) => mutations.includes(picked) || commit === picked);
  const known = entries[index];
  const id = picked === '' ? idOf(known) : picked;
  return (
    <Split
      isPicked={picked !== ''}
      back="time/changes"
      backLabel="Changes"
      list={
        <>
          {postponed.map((reason) => (
            <p key={reason} class="notice">
              {reason}
            </p>
          ))}
          <VirtualList
            label="Changes"
            items={entries}
            rowHeight={ROW}
            keyOf={({ commit }) => commit}
            current={index}
            onEnd={hasMore ? onMore : undefined}
            render={(entry) => <Row entry={entry} isCurrent={entry === known} />}
          />
        </>
      }
    >
      {id === undefined ? null : <Entry key={id} id={id} known={known} />}
    </Split>
  );
}

function idOf(entry: LogEntry | undefined): string | undefined {
  return entry?.mutations[0] ?? entry?.commit;
}

function Row({ entry, isCurrent }: { readonly entry: LogEntry; readonly isCurrent: boolean }): JSX.Element {
  const parameters = Object.fromEntries(route.value.query);
  return (
    <a
      class="pick"
      href={linkTo('time/changes', idOf(entry), parameters)}
      aria-current={isCurrent}
      data-list-item
      dir="auto"
    >
      <span class="clip-line">{plainTitle(entry.summary)}</span>
      <span class="row tiny faint">
        {entry.action === 'REVERT' ? <span class="badge warn">undone</span> : null}
        <span>{actorName(entry.actor)}</span>
        <Time at={entry.time} />
      </span>
    </a>
  );
}
