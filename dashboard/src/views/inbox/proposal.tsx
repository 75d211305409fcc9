import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { act } from '../../api/act.ts';
import { call, type Output } from '../../api/call.ts';
import { decideLater } from '../../api/later.ts';
import { useQuery } from '../../api/query.ts';
import { readOnlyReason } from '../../api/session.ts';
import { linkTo } from '../../app/route.ts';
import { Markdown } from '../../text/markdown.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { Card, Dialog, Loaded, plural, Time, Trust, WriteButton } from '../../ui/parts.tsx';

type Shown = Output<'proposals show'>;

export function ProposalView({ id }: { readonly id: string }): JSX.Element {
  const query = useQuery('proposals show', { id }, { on: ['proposal', 'mutation'] });
  return <Loaded query={query}>{(shown) => <Body shown={shown} />}</Loaded>;
}

const OPEN = new Set(['pending', 'deferred', 'stale']);

/** Whether approving a sub-agent's proposal needs a choice, because something says otherwise. */
function isContested({ actor, conflictsWith, statement }: Shown['proposal']): boolean {
  return actor.startsWith('subagent:') && conflictsWith.length + (statement?.contradicts.length ?? 0) > 0;
}

function Body({ shown: { proposal, preview, text } }: { readonly shown: Shown }): JSX.Element {
  const waiting = preview.map(({ number }) => number);
  const [without, setWithout] = useState<ReadonlySet<number>>(new Set());
  const chosen = waiting.filter((number) => !without.has(number));
  const isOpen = OPEN.has(proposal.state);
  const toggle = (number: number): void => {
    const next = new Set(without);
    if (!next.delete(number)) next.add(number);
    setWithout(next);
  };
  return (
    <Card title={proposal.title} note={<Time at={proposal.created} />}>
      <div class="stack">
        <div class="row small soft">
          <span class="badge accent">{proposal.kind}</span>
          <span>by {proposal.actor}</span>
          <Trust level={proposal.trust} />
          {proposal.confidence === undefined ? null : <span class="badge">confidence {proposal.confidence}</span>}
          {proposal.state === 'pending' ? null : <span class="badge warn">{proposal.state}</span>}
        </div>
        {proposal.why === '' ? null : <Markdown text={proposal.why} />}
        {proposal.statement === undefined ? null : (
          <p>
            <span class="badge">{proposal.statement.store}</span> {proposal.statement.content}
          </p>
        )}
        {proposal.evidence.length === 0 ? null : <Evidence evidence={proposal.evidence} />}
        {proposal.conflictsWith.length === 0 ? null : (
          <p class="notice">
            Another proposal wants to change the same lines: {proposal.conflictsWith.join(', ')}. Only one of them can
            be taken.
          </p>
        )}
        {proposal.reason === undefined ? null : (
          <p class="soft">
            {proposal.decidedBy}: “{proposal.reason}”
          </p>
        )}
        {preview.map((change) => (
          <div key={change.number} class="stack tight">
            {isOpen && preview.length > 1 ? (
              <label class="check">
                <input type="checkbox" checked={!without.has(change.number)} onChange={() => toggle(change.number)} />
                Change {change.number}: {change.action} {change.path}
              </label>
            ) : null}
            {change.fit === 'stale' ? (
              <p class="notice">It no longer fits the file: {change.reason}</p>
            ) : (
              <DiffView diff={change.diff} path={change.path} />
            )}
          </div>
        ))}
        {isOpen ? (
          <Decide
            id={proposal.id}
            text={text}
            chosen={chosen}
            total={waiting.length}
            isStale={proposal.state === 'stale'}
            isContested={isContested(proposal)}
          />
        ) : null}
      </div>
    </Card>
  );
}

function Evidence({ evidence }: { readonly evidence: readonly string[] }): JSX.Element {
  return (
    <details>
      <summary>What it rests on ({evidence.length})</summary>
      <ul class="stack tight small">
        {evidence.map((one) => {
          const [, session, turn] = /^(\S+)#(t\d+)/u.exec(one) ?? [];
          return (
            <li key={one} class="path">
              {session === undefined ? one : <a href={linkTo('time/talk', session, { turn })}>{one}</a>}
            </li>
          );
        })}
      </ul>
    </details>
  );
}

function Decide({
  id,
  text,
  chosen,
  total,
  isStale,
  isContested,
}: {
  readonly id: string;
  readonly text: string;
  readonly chosen: readonly number[];
  readonly total: number;
  readonly isStale: boolean;
  readonly isContested: boolean;
}): JSX.Element {
  const [open, setOpen] = useState<'edit' | 'reject' | undefined>(undefined);
  const isPart = chosen.length < total;
  const approve = async (
    choice: { readonly edited?: string; readonly conflict?: 'instead' | 'keep-both' } = {},
  ): Promise<void> => {
    const input = { ids: [id], ...(isPart ? { only: [...chosen] } : {}), ...choice };
    const done = await act(
      () => call('approve', input),
      ([approved]) => ({
        text: isPart ? `Approved ${plural(chosen.length, 'change')} of ${total}.` : 'Approved.',
        hint: approved?.warnings[0],
        mutation: approved?.mutation,
      }),
    );
    if (done !== undefined) setOpen(undefined);
  };
  return (
    <div class="row decide">
      {isStale ? (
        <WriteButton kind="primary" onClick={() => void rebase(id)}>
          Make it fit again
        </WriteButton>
      ) : isContested ? (
        <>
          <WriteButton kind="primary" onClick={() => void approve({ conflict: 'instead' })}>
            Take this one
          </WriteButton>
          <WriteButton onClick={() => void approve({ conflict: 'keep-both' })}>Keep both</WriteButton>
        </>
      ) : (
        <WriteButton kind="primary" isBusy={total > 0 && chosen.length === 0} onClick={() => void approve()}>
          {isPart ? `Approve ${chosen.length} of ${total}` : 'Approve'}
        </WriteButton>
      )}
      <WriteButton onClick={() => setOpen('edit')}>Change, then approve</WriteButton>
      <WriteButton kind="danger" onClick={() => setOpen('reject')}>
        Reject
      </WriteButton>
      {open === 'edit' ? (
        <EditDialog text={text} onSave={(edited) => void approve({ edited })} onClose={() => setOpen(undefined)} />
      ) : null}
      {open === 'reject' ? <RejectDialog id={id} onClose={() => setOpen(undefined)} /> : null}
    </div>
  );
}

async function rebase(id: string): Promise<void> {
  await act(
    () => call('proposals rebase', { id }),
    () => ({ text: 'Made anew from the present files. Read it once more.' }),
  );
}

function EditDialog({
  text,
  onSave,
  onClose,
}: {
  readonly text: string;
  readonly onSave: (edited: string) => void;
  readonly onClose: () => void;
}): JSX.Element {
  const [edited, setEdited] = useState(text);
  return (
    <Dialog title="Change, then approve" onClose={onClose}>
      <p class="small soft">
        Lines that begin with + are put in, with − taken out. Change the words after a +, or delete such a line to leave
        it out.
      </p>
      <textarea
        class="input mono"
        rows={18}
        aria-label="The proposal"
        value={edited}
        onInput={(event) => setEdited(event.currentTarget.value)}
      />
      <div class="dialog-foot">
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <WriteButton kind="primary" onClick={() => onSave(edited)}>
          Approve as changed
        </WriteButton>
      </div>
    </Dialog>
  );
}

function RejectDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }): JSX.Element {
  const [why, setWhy] = useState('');
  const reject = (): void => {
    const reason = why.trim() === '' ? {} : { why: why.trim() };
    onClose();
    decideLater({
      ids: [id],
      name: 'reject',
      input: { ids: [id], ...reason },
      text: 'Rejected. The same will not be proposed again.',
    });
  };
  return (
    <Dialog title="Reject" onClose={onClose}>
      <label class="field">
        Why? It is kept, and reflections learn from it.
        <textarea
          class="input"
          rows={3}
          value={why}
          disabled={readOnlyReason.value !== undefined}
          onInput={(event) => setWhy(event.currentTarget.value)}
        />
      </label>
      <div class="dialog-foot">
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <WriteButton kind="danger" onClick={reject}>
          Reject
        </WriteButton>
      </div>
    </Dialog>
  );
}
