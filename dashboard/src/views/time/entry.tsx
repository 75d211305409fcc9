import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { act } from '../../api/act.ts';
import { call, type Output } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { linkTo } from '../../app/route.ts';
import { actorName, plainTitle } from '../../text/names.ts';
import { DiffView } from '../../ui/diff-view.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Card, Dialog, Empty, Loaded, plural, Problem, Skeleton, Time, WriteButton } from '../../ui/parts.tsx';

type LogEntry = Output<'log'>['entries'][number];

/** One change with its diff, also one that is older than what the list has loaded. */
export function Entry({ id, known }: { readonly id: string; readonly known: LogEntry | undefined }): JSX.Element {
  const around = known === undefined ? spanOf(id) : undefined;
  const found = useQuery('log', around === undefined ? undefined : { ...around, limit: 200 });
  const entry = known ?? found.data?.entries.find(({ mutations, commit }) => mutations.includes(id) || commit === id);
  if (entry !== undefined) return <Found id={id} known={entry} />;
  if (around !== undefined && found.data === undefined && found.error === undefined) return <Skeleton lines={6} />;
  return (
    <Empty icon="history" title="This change is not in the history">
      <p>It may have been made in another home, or its address was cut short.</p>
    </Empty>
  );
}

const ULID_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_DIGITS = 10;
/** A commit follows its mutation, at once or with the next few. */
const BEFORE_MS = 60_000;
const AFTER_MS = 3_600_000;

/** The id of a mutation begins with its time; undefined for other ids. */
function spanOf(id: string): { readonly since: string; readonly until: string } | undefined {
  if (!/^[0-9A-HJKMNP-TV-Z]{26}$/u.test(id)) return undefined;
  const time = Array.from(id.slice(0, TIME_DIGITS)).reduce((sum, digit) => sum * 32 + ULID_DIGITS.indexOf(digit), 0);
  return { since: new Date(time - BEFORE_MS).toISOString(), until: new Date(time + AFTER_MS).toISOString() };
}

function Found({ id, known }: { readonly id: string; readonly known: LogEntry }): JSX.Element {
  const [isUndoing, setUndoing] = useState(false);
  // A commit's own diff: from what was before it to itself.
  const query = useQuery('diff', { from: `${known.commit}^`, to: known.commit });
  return (
    <Card title={plainTitle(known.summary)} note={<Time at={known.time} />}>
      <div class="stack">
        <Facts entry={known} />
        {query.error === undefined ? (
          <Loaded query={query} lines={6}>
            {({ diff }) => <DiffView diff={diff} />}
          </Loaded>
        ) : (
          <FullDiff entry={known} />
        )}
        <div class="row">
          <WriteButton onClick={() => setUndoing(true)}>
            <Icon name="undo" /> Take this back…
          </WriteButton>
        </div>
      </div>
      {isUndoing ? <UndoDialog target={id} onClose={() => setUndoing(false)} /> : null}
    </Card>
  );
}

/** The very first change has nothing before it to be compared with. */
function FullDiff({ entry }: { readonly entry: LogEntry }): JSX.Element {
  const query = useQuery('log', { until: entry.time, limit: 1, full: true });
  return (
    <Loaded query={query} lines={6}>
      {({ entries: [first] }) => <DiffView diff={first?.commit === entry.commit ? (first.diff ?? '') : ''} />}
    </Loaded>
  );
}

function Facts({ entry }: { readonly entry: LogEntry }): JSX.Element {
  return (
    <dl class="facts small">
      <dt>By</dt>
      <dd>
        {actorName(entry.actor)}
        {entry.isOwnCommit ? ` (${entry.author}, with git)` : ''}
      </dd>
      {entry.approval === null || entry.approval === '—' ? null : (
        <>
          <dt>Approved</dt>
          <dd>{entry.approval}</dd>
        </>
      )}
      {entry.trigger === null ? null : (
        <>
          <dt>Because of</dt>
          <dd>{entry.trigger}</dd>
        </>
      )}
      {entry.session === null ? null : (
        <>
          <dt>Conversation</dt>
          <dd>
            <a href={linkTo('time/talk', entry.session)}>read it</a>
          </dd>
        </>
      )}
    </dl>
  );
}

/** Shows the effect of an undo before it happens. */
export function UndoDialog({
  target,
  to,
  onClose,
}: {
  readonly target: string;
  readonly to?: string;
  readonly onClose: () => void;
}): JSX.Element {
  const input = to === undefined ? { target } : { target, to };
  const { data, error } = useQuery('rollback', { ...input, isDryRun: true });
  const undo = async (): Promise<void> => {
    const done = await act(
      () => call('rollback', input),
      ({ mutation, summary }) => ({
        text: mutation === null ? 'There was nothing left to take back.' : `Taken back: ${summary}`,
        mutation,
      }),
    );
    if (done !== undefined) onClose();
  };
  return (
    <Dialog title="Take this back?" onClose={onClose}>
      {error === undefined ? null : <Problem error={error} />}
      {data === undefined ? error === undefined ? <Skeleton /> : null : <Preview preview={data} />}
      <div class="dialog-foot">
        <button type="button" class="button" onClick={onClose}>
          Leave it
        </button>
        <WriteButton
          kind="primary"
          isBusy={data === undefined || data.preview.length === 0}
          onClick={() => void undo()}
        >
          Take it back
        </WriteButton>
      </div>
    </Dialog>
  );
}

function Preview({ preview: { preview, skipped } }: { readonly preview: Output<'rollback'> }): JSX.Element {
  return (
    <>
      <p class="soft small">
        {preview.length === 0
          ? 'Nothing is left of this change; there is nothing to take back.'
          : 'Only this change is taken back; everything later stays. It becomes a change of its own, so that it can be taken back too.'}
      </p>
      {preview.map(({ path, diff }) => (
        <DiffView key={path} diff={diff} path={path} />
      ))}
      {skipped.length === 0 ? null : (
        <div class="notice">
          {plural(skipped.length, 'part')} would stay as it is:
          <ul>
            {skipped.map(({ path, block, reason }) => (
              <li key={`${path} ${block ?? ''}`}>
                {path}
                {block === undefined ? '' : ` (${block})`}: {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
