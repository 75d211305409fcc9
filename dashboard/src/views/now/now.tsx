import type { JSX } from 'preact';
import { useQuery } from '../../api/query.ts';
import { isoDay, now } from '../../app/clock.ts';
import { linkTo } from '../../app/route.ts';
import { addedWords } from '../../text/readable.ts';
import { Card, Command, Empty, Loaded, Page, plural, Time } from '../../ui/parts.tsx';
import { AlertCards } from '../inbox/alerts.tsx';
import { ToldCard } from './told.tsx';
import { RememberBox } from './remember.tsx';

const DAY_MS = 86_400_000;
/** That a home was made is nothing that was learned. */
const MAKER_OF_HOMES = 'system:init';

export function Now(): JSX.Element {
  const status = useQuery('status', {}, { on: ['mutation', 'proposal', 'alert'] });
  const told = useQuery('context list', { limit: 8 }, { on: ['receipt'] });
  return (
    <Page title="Now" lead="What your agent was just told, what it learned, and what waits for you.">
      <AlertCards />
      <div class="columns">
        <div class="stack">
          <Loaded query={told} lines={8}>
            {({ receipts }) => <ToldCard receipts={receipts} />}
          </Loaded>
          <Learned />
        </div>
        <div class="stack">
          <RememberBox />
          <Card title="Waiting for your yes" tools={<a href={linkTo('inbox')}>Review</a>}>
            <Loaded query={status} lines={3}>
              {({ proposals }) =>
                proposals.length === 0 ? (
                  <Empty isSmall icon="calm" title="Nothing waits">
                    <p>Reflections, merges and what sub-agents propose will stand here before anything changes.</p>
                  </Empty>
                ) : (
                  <ul class="rows">
                    {proposals.slice(0, 6).map(({ id, kind, title, from }) => (
                      <li key={id}>
                        <a href={linkTo('inbox', id)} data-list-item>
                          {title}
                        </a>
                        <div class="tiny faint">
                          {kind} · {from}
                        </div>
                      </li>
                    ))}
                  </ul>
                )
              }
            </Loaded>
          </Card>
          <Card title="The memory">
            <Loaded query={status} lines={3}>
              {({ workspace, index, core, waiting, notices }) => (
                <div class="stack tight">
                  <dl class="facts">
                    <dt>Files</dt>
                    <dd>{workspace.files.toLocaleString('en')}</dd>
                    <dt>Passages</dt>
                    <dd>
                      {index.passages.toLocaleString('en')}
                      {index.isFresh ? '' : ' · catching up'}
                    </dd>
                    <dt>Core</dt>
                    <dd>{core === null ? 'none yet' : `${core.tokens} of ${core.maxTokens} tokens`}</dd>
                    {waiting.own + waiting.imported > 0 ? (
                      <>
                        <dt>To learn from</dt>
                        <dd>{plural(waiting.own + waiting.imported, 'conversation')}</dd>
                      </>
                    ) : null}
                  </dl>
                  {notices.map((notice) => (
                    <p key={notice} class="notice">
                      {notice}
                    </p>
                  ))}
                </div>
              )}
            </Loaded>
          </Card>
        </div>
      </div>
    </Page>
  );
}

/** Changes since yesterday's beginning. */
function Learned(): JSX.Element {
  const since = isoDay(new Date(now.value.getTime() - DAY_MS));
  const log = useQuery('log', { since, limit: 24, full: true }, { on: ['mutation'] });
  return (
    <Card title="Learned since yesterday" tools={<a href={linkTo('time/changes')}>All history</a>}>
      <Loaded query={log} lines={5}>
        {({ entries }) => {
          const learned = entries.filter(
            ({ action, files, actor }) =>
              action !== 'REVERT' && action !== null && files.length > 0 && actor !== MAKER_OF_HOMES,
          );
          return learned.length === 0 ? (
            <Empty isSmall icon="today" title="A quiet day">
              <p>Whatever is remembered, by you or by an agent, appears here at once. Try it:</p>
              <Command>mneme remember "We deploy on Tuesdays"</Command>
            </Empty>
          ) : (
            <ul class="rows">
              {learned.slice(0, 12).map((entry) => (
                <li key={entry.commit}>
                  <a class="pick-line" data-list-item href={linkTo('time/changes', entry.mutations[0] ?? entry.commit)}>
                    {entry.summary}
                  </a>
                  <LearnedWords summary={entry.summary} diff={entry.diff} />
                  <div class="tiny faint">
                    <Time at={entry.time} /> · {entry.actor} ·{' '}
                    {entry.files
                      .map(({ path }) => path)
                      .slice(0, 2)
                      .join(', ')}
                    {entry.files.length > 2 ? ` and ${entry.files.length - 2} more` : ''}
                  </div>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Card>
  );
}

const MAX_WORDS_SHOWN = 3;

/** The memories that came with a change, unless its summary says them already. */
function LearnedWords({
  summary,
  diff,
}: {
  readonly summary: string;
  readonly diff: string | null;
}): JSX.Element | null {
  const added = diff === null ? [] : addedWords(diff).filter((words) => !summary.includes(words.slice(0, 30)));
  if (added.length === 0) return null;
  return (
    <ul class="learned small">
      {added.slice(0, MAX_WORDS_SHOWN).map((words) => (
        <li key={words}>{words}</li>
      ))}
      {added.length > MAX_WORDS_SHOWN ? <li class="faint">and {added.length - MAX_WORDS_SHOWN} more</li> : null}
    </ul>
  );
}
