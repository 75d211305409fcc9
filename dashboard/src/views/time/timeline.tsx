import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { showProblem } from '../../api/act.ts';
import { call, type Output } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { dayName } from '../../app/clock.ts';
import { knownOn, linkTo } from '../../app/route.ts';
import { Markdown } from '../../text/markdown.tsx';
import { Card, Command, Empty, Loaded, Page, plural } from '../../ui/parts.tsx';

type Day = Output<'timeline'>['days'][number];

export function TimelineView(): JSX.Element {
  // Another day is another list: the earlier days that were loaded belong to the one before.
  return <Days key={knownOn.value} until={knownOn.value} />;
}

function Days({ until }: { readonly until: string }): JSX.Element {
  const first = useQuery('timeline', { days: 10, ...(until === '' ? {} : { until }) }, { on: ['session', 'mutation'] });
  const [more, setMore] = useState<readonly Day[]>([]);
  const [next, setNext] = useState<string | null>(null);
  useEffect(() => {
    if (more.length === 0) setNext(first.data?.next ?? null);
  }, [first.data]);
  const loadMore = async (until: string): Promise<void> => {
    try {
      const page = await call('timeline', { until, days: 10 });
      setMore([...more, ...page.days]);
      setNext(page.next);
    } catch (error) {
      showProblem(error);
    }
  };
  return (
    <Page title="Timeline" lead="Day by day: conversations, and what was remembered of them.">
      <Loaded query={first} lines={8}>
        {({ days }) =>
          days.length === 0 ? (
            <Card>
              <Empty icon="timeline" title="No day has been recorded yet">
                <p>Conversations come here when an agent is connected, or from files you already have.</p>
                <Command>mneme import claude-code</Command>
              </Empty>
            </Card>
          ) : (
            <ol class="days">
              {[...days, ...more].map((day) => (
                <DayView key={day.date} day={day} />
              ))}
            </ol>
          )
        }
      </Loaded>
      {next === null ? null : (
        <button type="button" class="button" onClick={() => void loadMore(next)}>
          Earlier days
        </button>
      )}
    </Page>
  );
}

function DayView({ day: { date, sessions, episodes } }: { readonly day: Day }): JSX.Element {
  return (
    <li class="day">
      <h2>{dayName(date)}</h2>
      <div class="stack tight">
        {sessions.map((session) => (
          <a
            key={session.session + session.started}
            class="session-card card"
            href={linkTo('time/talk', session.session)}
            data-list-item
          >
            <span class="strong">{session.topic ?? session.session}</span>
            <span class="row tiny faint">
              <span>{session.started.slice(11)}</span>
              <span>{plural(session.turns, 'turn')}</span>
              {session.channel === null ? null : <span class="badge">{session.channel}</span>}
              {session.project === null ? null : <span class="badge">{session.project}</span>}
              {session.isOpen ? <span class="badge good">going on</span> : null}
            </span>
          </a>
        ))}
        {episodes.length === 0 ? null : (
          <div class="card">
            <ul class="card-body rows pad-top">
              {episodes.map((episode) => (
                <li key={`${episode.path}:${episode.startLine}`} class="episode">
                  <div class="row tiny faint">
                    <span class="badge accent">{episode.type}</span>
                    {episode.time === null ? null : <span>{episode.time}</span>}
                    {episode.tags.map((tag) => (
                      <span key={tag}>#{tag}</span>
                    ))}
                    {episode.session === null ? null : (
                      <a href={linkTo('time/talk', episode.session)}>where it was said</a>
                    )}
                    <a href={linkTo('memory/files', episode.path, { line: String(episode.startLine) })}>in its file</a>
                  </div>
                  {episode.title === null ? null : <div class="strong">{episode.title}</div>}
                  <Markdown text={episode.text} isCompact />
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </li>
  );
}
