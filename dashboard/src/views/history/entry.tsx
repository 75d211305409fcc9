import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { act } from '../../api/act.ts';
import { call, type Output } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { linkTo } from '../../app/route.ts';
import { DiffView } from '../../ui/diff-view.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Card, Dialog, Loaded, plural, Problem, Skeleton, Time, WriteButton } from '../../ui/parts.tsx';

type LogEntry = Output<'log'>['entries'][number];

/** One change with its diff; the diff is asked for when somebody looks. */
export function Entry({ id, known }: { readonly id: string; readonly known: LogEntry | undefined }): JSX.Element {
  const [isUndoing, setUndoing] = useState(false);
  // A commit's own diff: from what was before it to itself.
  const query = useQuery('diff', known === undefined ? undefined : { from: `${known.commit}^`, to: known.commit });
  return (
    <Card title={known?.summary ?? id} note={<Time at={known?.time} />}>
      <div class="stack">
        {known === undefined ? (
          <p class="soft">This change is not among those listed. Show earlier ones, or leave out a filter.</p>
        ) : (
          <Facts entry={known} />
        )}
        {known === undefined ? null : query.error === undefined ? (
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
        {entry.actor}
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
            <a href={linkTo('timeline', entry.session)}>{entry.session}</a>
          </dd>
        </>
      )}
    </dl>
  );
}

/** What would happen, before it does. */
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
