import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { act } from '../../api/act.ts';
import { call, type Output } from '../../api/call.ts';
import type { Query } from '../../api/query.ts';
import { Bar, Card, Loaded, plural, Time, WriteButton } from '../../ui/parts.tsx';
import { showEstimate } from '../../../../src/model/time.ts';

type Background = Output<'status'>['background'];

/** Vectors are made without an event that tells of them. */
const LOOK_MS = 5000;

const STATE_CLASS: Readonly<Record<Background['state'], string>> = {
  working: 'good',
  idle: 'good',
  waiting: 'warn',
  paused: 'warn',
  stopped: 'warn',
};

/** Background learning and embedding, and how long the rest takes. */
export function BackgroundCard({ query }: { readonly query: Query<Output<'status'>> }): JSX.Element {
  const { data, reload } = query;
  const isGoingOn = data !== undefined && data.background.state !== 'idle';
  useEffect(() => {
    if (!isGoingOn) return undefined;
    const timer = window.setInterval(reload, LOOK_MS);
    return () => window.clearInterval(timer);
  }, [isGoingOn, reload]);
  return (
    <Card title="What is being learned">
      <Loaded query={query}>{({ background }) => <Work background={background} />}</Loaded>
    </Card>
  );
}

function Work({ background }: { readonly background: Background }): JSX.Element {
  const { state, reason, pausedUntil, left, done, secondsLeft, lastProblem } = background;
  return (
    <div class="stack tight">
      <Progress background={background} />
      <dl class="facts small">
        <dt>State</dt>
        <dd>
          <span class={`badge ${STATE_CLASS[state]}`}>{state}</span>{' '}
          {pausedUntil === null ? (
            reason
          ) : (
            <>
              until <Time at={pausedUntil} />
            </>
          )}
        </dd>
        <dt>Left</dt>
        <dd>
          {plural(left.conversations, 'conversation')} to learn from, {plural(left.passages, 'passage')} to embed
          {secondsLeft === null || secondsLeft === 0 ? null : `, about ${showEstimate(secondsLeft)}`}
        </dd>
        {state === 'working' ? (
          <>
            <dt>Done</dt>
            <dd>
              {plural(done.conversations, 'conversation')}, {plural(done.passages, 'passage')}
            </dd>
          </>
        ) : null}
      </dl>
      {lastProblem === null ? null : (
        <p class="notice">
          {lastProblem.message} {lastProblem.hint}
        </p>
      )}
      <div>
        {state === 'paused' ? (
          <WriteButton kind="small" onClick={() => void goOn()}>
            Resume
          </WriteButton>
        ) : (
          <WriteButton kind="small" onClick={() => void pauseFor('2h')}>
            Pause for two hours
          </WriteButton>
        )}
      </div>
    </div>
  );
}

/** The share of conversations that has been read; nothing is shown where none is left. */
function Progress({ background: { done, left } }: { readonly background: Background }): JSX.Element | null {
  const rest = left.conversations + left.passages;
  const all = rest + done.conversations + done.passages;
  return rest === 0 ? null : <Bar share={1 - rest / all} label="How much has been learned" />;
}

export async function pauseFor(length: string | undefined): Promise<void> {
  await act(
    () => call('pause', length === undefined ? {} : { for: length }),
    () => ({ text: 'Background work is paused.' }),
  );
}

export async function goOn(): Promise<void> {
  await act(
    () => call('resume', {}),
    () => ({ text: 'Background work goes on.' }),
  );
}
