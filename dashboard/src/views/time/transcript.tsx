import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Output } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { linkTo, route } from '../../app/route.ts';
import { Markdown } from '../../text/markdown.tsx';
import { Card, Empty, Loaded, Page, plural, Time } from '../../ui/parts.tsx';

type TranscriptPage = Output<'session transcript'>;
const PAGE = 60;

export function Transcript(): JSX.Element {
  const session = route.value.rest;
  const turn = route.value.query.get('turn')?.replace(/^.*#/u, '') ?? undefined;
  const [from, setFrom] = useState<number | undefined>(undefined);
  const input =
    from === undefined
      ? turn === undefined
        ? { session, limit: PAGE }
        : { session, around: turn, limit: PAGE }
      : { session, from, limit: PAGE };
  const query = useQuery('session transcript', input, { on: ['session'] });
  const learned = useQuery('log', { text: session, limit: 30 }, { on: ['mutation'] });
  return (
    <Page
      title={query.data?.topic ?? 'Conversation'}
      lead={
        <>
          <a href={linkTo('time')}>Timeline</a>
          {query.data === undefined ? '' : ` · ${plural(query.data.total, 'turn')}`}
        </>
      }
      isWide
    >
      <div class="columns">
        <Loaded query={query} lines={10}>
          {(page) => <Turns page={page} target={turn} onPage={setFrom} />}
        </Loaded>
        <Card title="Learned from it">
          <Loaded query={learned} lines={4}>
            {({ entries }) => {
              const own = entries.filter((entry) => entry.session === session);
              return own.length === 0 ? (
                <Empty isSmall icon="today" title="Nothing yet">
                  <p>Facts are taken from a conversation when it ends.</p>
                </Empty>
              ) : (
                <ul class="rows">
                  {own.map((entry) => (
                    <li key={entry.commit}>
                      <a class="pick-line" href={linkTo('time/changes', entry.mutations[0] ?? entry.commit)}>
                        {entry.summary}
                      </a>
                      <div class="tiny faint">
                        <Time at={entry.time} />
                      </div>
                    </li>
                  ))}
                </ul>
              );
            }}
          </Loaded>
        </Card>
      </div>
    </Page>
  );
}

function Turns({
  page,
  target,
  onPage,
}: {
  readonly page: TranscriptPage;
  readonly target: string | undefined;
  readonly onPage: (from: number) => void;
}): JSX.Element {
  const marked = useRef<HTMLLIElement>(null);
  useEffect(() => {
    marked.current?.scrollIntoView({ block: 'center' });
    marked.current?.focus({ preventScroll: true });
  }, [target, page.session]);
  const isTarget = (id: string, number: number): boolean =>
    target !== undefined && (id.endsWith(`#${target}`) || id === target || `t${number}` === target);
  return (
    <div class="stack">
      {page.from > 0 ? (
        <button type="button" class="button" onClick={() => onPage(Math.max(0, page.from - PAGE))}>
          Earlier turns ({page.from})
        </button>
      ) : null}
      <ol class="stack tight" aria-label="Turns">
        {page.turns.map((turn) => (
          <li
            key={turn.id}
            ref={isTarget(turn.id, turn.number) ? marked : null}
            tabIndex={-1}
            class={isTarget(turn.id, turn.number) ? 'turn target' : 'turn'}
            data-role={turn.role}
            data-list-item
          >
            <header>
              <span class="strong">{turn.name ?? turn.role}</span>
              <span>
                {turn.date} {turn.time}
              </span>
              <span class="path">t{turn.number}</span>
            </header>
            <Markdown text={turn.text} isCompact />
          </li>
        ))}
      </ol>
      {page.from + page.turns.length < page.total ? (
        <button type="button" class="button" onClick={() => onPage(page.from + page.turns.length)}>
          Later turns ({page.total - page.from - page.turns.length})
        </button>
      ) : null}
    </div>
  );
}
