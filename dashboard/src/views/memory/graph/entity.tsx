import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Output } from '../../../api/call.ts';
import { useQuery } from '../../../api/query.ts';
import { linkTo } from '../../../app/route.ts';
import { Markdown } from '../../../text/markdown.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { Card, Empty, Loaded, Trust } from '../../../ui/parts.tsx';

type Shown = Output<'graph show'>;
const TABS = ['Facts', 'Relations', 'Over time'] as const;

export function EntityPanel({
  entity,
  at,
  onClose,
  onSelect,
}: {
  readonly entity: string;
  readonly at: string;
  readonly onClose: () => void;
  readonly onSelect: (path: string) => void;
}): JSX.Element {
  const query = useQuery('graph show', { entity, ...(at === '' ? {} : { at }) }, { on: ['mutation'] });
  const [tab, setTab] = useState<(typeof TABS)[number]>('Facts');
  return (
    <Card
      title={query.data?.entity.name ?? '…'}
      note={query.data?.entity.type}
      tools={
        <button type="button" class="button quiet icon" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      }
    >
      <Loaded query={query}>
        {(shown) => (
          <div class="stack">
            {shown.aliases.length === 0 ? null : <p class="small soft">Also called {shown.aliases.join(', ')}</p>}
            {shown.summary === '' ? null : <Markdown text={shown.summary} />}
            <div class="tabs" role="group" aria-label="What to show">
              {TABS.map((name) => (
                <button key={name} type="button" aria-pressed={tab === name} onClick={() => setTab(name)}>
                  {name}
                </button>
              ))}
            </div>
            {tab === 'Facts' ? <Facts facts={shown.facts} /> : null}
            {tab === 'Relations' ? <Relations relations={shown.relations} onSelect={onSelect} /> : null}
            {tab === 'Over time' ? <OverTime entity={entity} /> : null}
            <div class="row">
              <a class="button small" href={linkTo('memory/files', shown.entity.path)}>
                Open file
              </a>
              <a class="button small" href={linkTo('time/changes', '', { path: shown.entity.path })}>
                History
              </a>
            </div>
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function Facts({ facts }: { readonly facts: Shown['facts'] }): JSX.Element {
  if (facts.length === 0) return <Empty isSmall icon="graph" title="No fact is known" />;
  return (
    <ul class="rows">
      {facts.map((fact, index) => (
        <li key={fact.id ?? index} class={fact.holds ? '' : 'ended'}>
          <Markdown text={fact.text} isCompact />
          <div class="row tiny faint">
            {fact.holds ? null : <span class="badge warn">no longer</span>}
            {fact.from === null ? null : <span>from {fact.from}</span>}
            {fact.until === null ? null : <span>until {fact.until}</span>}
            {fact.learned === null ? null : <span>learned {fact.learned.slice(0, 10)}</span>}
            <Trust level={fact.trust} />
            <Source source={fact.source} id={fact.id} />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** From a fact to where it was learned. */
function Source({ source, id }: { readonly source: string; readonly id: string | null }): JSX.Element | null {
  const [isAsked, setAsked] = useState(false);
  const why = useQuery('why', isAsked && id !== null ? { id } : undefined);
  if (id === null) return <span>{source}</span>;
  if (why.data !== undefined && 'remembered' in why.data) {
    const { session, turn, mutation } = why.data.remembered.provenance;
    if (session !== null)
      return <a href={linkTo('time/talk', session, { turn: turn ?? undefined })}>where it was said</a>;
    if (mutation !== null) return <a href={linkTo('time/changes', mutation)}>how it got here</a>;
    return <span>{source}</span>;
  }
  return (
    <button type="button" class="link" onClick={() => setAsked(true)}>
      where from?
    </button>
  );
}

function Relations({
  relations,
  onSelect,
}: {
  readonly relations: Shown['relations'];
  readonly onSelect: (path: string) => void;
}): JSX.Element {
  if (relations.length === 0) return <Empty isSmall icon="graph" title="Connected with nobody yet" />;
  return (
    <ul class="rows">
      {relations.map((relation) => (
        <li key={relation.id} class={relation.holds ? 'row' : 'row ended'}>
          <span class="soft">{relation.relation ?? `← ${relation.written}`}</span>
          <button type="button" class="link" data-list-item onClick={() => onSelect(relation.other.path)}>
            {relation.other.name}
          </button>
          <span class="tiny faint">
            {relation.since === null ? '' : `since ${relation.since} `}
            {relation.until === null ? '' : `until ${relation.until} `}
            {relation.isInferred ? 'inferred' : ''}
          </span>
        </li>
      ))}
    </ul>
  );
}

const KIND_WORDS: Readonly<Record<string, string>> = {
  'fact-ended': 'no longer',
  'task-due': 'due',
  'task-closed': 'done',
  'relation-ended': 'ended',
};

function OverTime({ entity }: { readonly entity: string }): JSX.Element {
  const query = useQuery('graph timeline', { entity }, { on: ['mutation'] });
  return (
    <Loaded query={query}>
      {({ entries }) =>
        entries.length === 0 ? (
          <Empty isSmall icon="timeline" title="Nothing is dated">
            <p>Facts with a date, tasks and decisions stand here in order.</p>
          </Empty>
        ) : (
          <ol class="over-time">
            {entries.map((entry, index) => (
              <li key={index}>
                <span class="tiny faint">{entry.date}</span>
                <span class={`badge ${entry.kind.endsWith('ended') ? 'warn' : ''}`}>
                  {KIND_WORDS[entry.kind] ?? entry.kind}
                </span>
                <span>{entry.text}</span>
              </li>
            ))}
          </ol>
        )
      }
    </Loaded>
  );
}
