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
            <Window days={[...days, ...more]} next={next} onMore={loadMore} />
          )
        }
      </Loaded>
    </Page>
  );
}

/** Conversations and entries that are on the page at a time. */
const SHOWN = 80;

/** A stretch of the days: a day may have thousands of entries, and years have thousands of days. */
function Window({
  days,
  next,
  onMore,
}: {
  readonly days: readonly Day[];
  readonly next: string | null;
  readonly onMore: (until: string) => Promise<void>;
}): JSX.Element {
  const [from, setFrom] = useState(0);
  const total = days.reduce((sum, { sessions, episodes }) => sum + sessions.length + episodes.length, 0);
  const show = (at: number): void => {
    setFrom(Math.max(0, at));
    window.scrollTo(0, 0);
  };
  const later = async (): Promise<void> => {
    if (from + SHOWN * 2 > total && next !== null) await onMore(next);
    show(from + SHOWN);
  };
  return (
    <>
      {from === 0 ? null : (
        <button type="button" class="button" onClick={() => show(from - SHOWN)}>
          Later days
        </button>
      )}
      <ol class="days">
        {cutOut(days, from, from + SHOWN).map((day) => (
          <DayView key={day.date} day={day} />
        ))}
      </ol>
      {from + SHOWN >= total && next === null ? null : (
        <button type="button" class="button" onClick={() => void later()}>
          Earlier days
        </button>
      )}
    </>
  );
}

/** The days with what lies between two places, counted over all conversations and entries. */
function cutOut(days: readonly Day[], from: number, to: number): readonly Day[] {
  const cut: Day[] = [];
  let at = 0;
  for (const { date, sessions, episodes } of days) {
    const day = {
      date,
      sessions: sessions.slice(Math.max(0, from - at), Math.max(0, to - at)),
      episodes: episodes.slice(Math.max(0, from - at - sessions.length), Math.max(0, to - at - sessions.length)),
    };
    at += sessions.length + episodes.length;
    if (day.sessions.length + day.episodes.length > 0) cut.push(day);
  }
  return cut;
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
            <span class="strong" dir="auto">
              {session.topic ?? session.session}
            </span>
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
                  {episode.title === null ? null : (
                    <div class="strong" dir="auto">
                      {episode.title}
                    </div>
                  )}
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
