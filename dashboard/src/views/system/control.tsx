import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { act } from '../../api/act.ts';
import { call, type Output } from '../../api/call.ts';
import { judge } from '../../api/memory.ts';
import { useQuery, type Query } from '../../api/query.ts';
import { readOnlyReason } from '../../api/session.ts';
import { useDraft } from '../../app/drafts.ts';
import { linkTo } from '../../app/route.ts';
import { readableLine } from '../../text/readable.ts';
import { Card, Command, Empty, Loaded, Page, Time, Together, WriteButton } from '../../ui/parts.tsx';
import { linkToMemory } from '../../ui/statement.tsx';
import { goOn, pauseFor } from './background.tsx';

type Verdict = Output<'feedback list'>['feedback'][number]['verdict'];

/** Decisions of the user that hold until they are taken back: what is kept, learned and told. */
export function Control(): JSX.Element {
  const status = useQuery('status', {}, { on: ['mutation', 'job', 'session'] });
  const sessions = useQuery('session list', {}, { on: ['session'] });
  const rules = useQuery('ignore list', {}, { on: ['mutation'] });
  const feedback = useQuery('feedback list', {}, { on: ['mutation'] });
  return (
    <Page title="Control" lead="What you decided about keeping, learning and telling. Each can be taken back here.">
      <Together queries={[status, sessions, rules, feedback]}>
        <PauseCard query={status} />
        <PrivateCard query={sessions} />
        <RulesCard query={rules} />
        <FeedbackCard query={feedback} />
      </Together>
    </Page>
  );
}

const LENGTHS = [
  ['30m', 'For half an hour'],
  ['2h', 'For two hours'],
  ['1d', 'For a day'],
  [undefined, 'Until I resume it'],
] as const;

function PauseCard({ query }: { readonly query: Query<Output<'status'>> }): JSX.Element {
  return (
    <Card title="Pause">
      <Loaded query={query}>
        {({ background: { state, pausedUntil } }) =>
          state === 'paused' ? (
            <div class="stack tight">
              <p>
                <span class="badge warn">paused</span> Nothing is learned in the background
                {pausedUntil === null ? (
                  ' until you resume it.'
                ) : (
                  <>
                    {' '}
                    until <Time at={pausedUntil} />.
                  </>
                )}{' '}
                What is said is still kept, and learned from afterwards.
              </p>
              <div>
                <WriteButton kind="primary small" onClick={() => void goOn()}>
                  Resume
                </WriteButton>
              </div>
            </div>
          ) : (
            <div class="stack tight">
              <p class="soft">Stop learning and other background work on this machine:</p>
              <div class="row">
                {LENGTHS.map(([length, label]) => (
                  <WriteButton key={label} kind="small" onClick={() => void pauseFor(length)}>
                    {label}
                  </WriteButton>
                ))}
              </div>
            </div>
          )
        }
      </Loaded>
    </Card>
  );
}

function PrivateCard({ query }: { readonly query: Query<Output<'session list'>> }): JSX.Element {
  return (
    <Card title="Private conversations">
      <Loaded query={query}>
        {(sessions) => {
          const secret = sessions.filter(({ isPrivate }) => isPrivate);
          return (
            <div class="stack tight">
              {secret.length === 0 ? (
                <p class="soft">None is going on. Nothing said in a private conversation is kept or learned.</p>
              ) : (
                <ul class="rows">
                  {secret.map(({ session, topic, channel, lastActiveMs }) => (
                    <li key={session} class="row apart">
                      <span>
                        <span class="badge warn">private</span> {topic ?? channel ?? session}
                      </span>
                      {lastActiveMs === null ? null : (
                        <span class="tiny faint">
                          <Time at={new Date(lastActiveMs).toISOString()} />
                        </span>
                      )}
                    </li>
                  ))}
                </ul>
              )}
              <p class="small soft">
                Say “this session is private” or “off the record” in any conversation, or start your agent with:
              </p>
              <Command>MNEME_PRIVATE=1 claude</Command>
            </div>
          );
        }}
      </Loaded>
    </Card>
  );
}

function RulesCard({ query }: { readonly query: Query<Output<'ignore list'>> }): JSX.Element {
  const [subject, setSubject, drop] = useDraft('never learned about');
  const [isBusy, setBusy] = useState(false);
  const add = async (): Promise<void> => {
    if (subject.trim() === '') return;
    setBusy(true);
    const done = await act(
      () => call('ignore add', { subject }),
      ({ mutation }) => ({ text: `Nothing is learned about “${subject.trim()}” from now on.`, mutation }),
    );
    setBusy(false);
    if (done !== undefined) drop();
  };
  const remove = (rule: string): Promise<unknown> =>
    act(
      () => call('ignore remove', { subject: rule }),
      ({ mutation }) => ({ text: `“${rule}” may be learned about again.`, mutation }),
    );
  return (
    <Card title="Never learned about">
      <Loaded query={query}>
        {({ rules }) => (
          <div class="stack tight">
            {rules.length === 0 ? <p class="soft">Anything may be learned: there are no rules.</p> : null}
            <ul class="rows">
              {rules.map((rule) => (
                <li key={rule} class="row apart">
                  <span dir="auto">{rule}</span>
                  <WriteButton kind="small quiet" onClick={() => void remove(rule)}>
                    Remove
                  </WriteButton>
                </li>
              ))}
            </ul>
            <form
              class="row fixed"
              onSubmit={(event) => {
                event.preventDefault();
                void add();
              }}
            >
              <input
                class="input grow"
                aria-label="A subject to learn nothing about"
                placeholder="my health, diabetes, doctor"
                dir="auto"
                value={subject}
                disabled={readOnlyReason.value !== undefined}
                onInput={(event) => setSubject(event.currentTarget.value)}
              />
              <WriteButton isBusy={isBusy || subject.trim() === ''} onClick={() => void add()}>
                Add
              </WriteButton>
            </form>
            <p class="tiny faint">
              What is known already stays; <a href={linkTo('memory')}>find it</a> to forget it.
            </p>
          </div>
        )}
      </Loaded>
    </Card>
  );
}

const VERDICTS: Readonly<Record<Verdict, string>> = {
  wrong: 'wrong: never told',
  'not-helpful': 'not helpful',
  always: 'always told',
};

function FeedbackCard({ query }: { readonly query: Query<Output<'feedback list'>> }): JSX.Element {
  return (
    <Card title="What you said of memories">
      <Loaded query={query}>
        {({ feedback }) =>
          feedback.length === 0 ? (
            <Empty isSmall icon="calm" title="Nothing yet">
              <p>On each memory: wrong, not helpful here, always tell.</p>
            </Empty>
          ) : (
            <ul class="rows">
              {feedback.map(({ id, verdict, words, text }) => (
                <li key={`${id} ${words}`} class="row apart fixed">
                  <div class="grow">
                    {text === null ? (
                      <span class="faint">A memory that is no longer there</span>
                    ) : (
                      <a class="pick-line" href={linkToMemory(id)} data-list-item dir="auto">
                        {readableLine(text)}
                      </a>
                    )}
                    <div class="tiny faint">
                      {VERDICTS[verdict]}
                      {verdict !== 'not-helpful'
                        ? ''
                        : words === ''
                          ? ' for any prompt'
                          : ` for prompts about ${words}`}
                    </div>
                  </div>
                  <WriteButton kind="small quiet" onClick={() => void judge({ id }, 'clear')}>
                    Take back
                  </WriteButton>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
