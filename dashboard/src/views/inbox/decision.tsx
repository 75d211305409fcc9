import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { act } from '../../api/act.ts';
import { call, type Input, type Output } from '../../api/call.ts';
import { decideLater } from '../../api/later.ts';
import { useQuery } from '../../api/query.ts';
import { readOnlyReason } from '../../api/session.ts';
import { useDraft } from '../../app/drafts.ts';
import { go, linkTo } from '../../app/route.ts';
import { Markdown } from '../../text/markdown.tsx';
import { actorName, originOf, plainTitle, storeName } from '../../text/names.ts';
import { Dialog, Loaded, plural, Time, Trust, WriteButton } from '../../ui/parts.tsx';
import { Statement } from '../../ui/statement.tsx';
import { Taught } from '../../ui/taught.tsx';
import { FileChanges, useFileChanges } from './file-changes.tsx';
import { isContested, OPEN_STATES, rivalsOf, type Proposal } from './proposal.ts';

type Shown = Output<'proposals show'>;

interface DecisionProps {
  readonly id: string;
  readonly all: readonly Proposal[];
  /** The proposal to show once this one is decided. */
  readonly next: string | undefined;
}

/** One proposal: what is believed now beside what is proposed, with what it rests on. */
export function Decision({ id, all, next }: DecisionProps): JSX.Element {
  const query = useQuery('proposals show', { id }, { on: ['proposal', 'mutation'] });
  return (
    <Loaded query={query} lines={8}>
      {(shown) => (
        // A decision about one part starts from scratch for the rest.
        <Body key={shown.preview.map(({ number }) => number).join()} shown={shown} all={all} next={next} />
      )}
    </Loaded>
  );
}

function Body({
  shown,
  all,
  next,
}: {
  readonly shown: Shown;
  readonly all: readonly Proposal[];
  readonly next: string | undefined;
}): JSX.Element {
  const { proposal } = shown;
  const changes = useFileChanges(shown);
  const [isEditing, setEditing] = useState(false);
  const isOpen = OPEN_STATES.has(proposal.state);
  const { statement } = proposal;
  const [words, setWords, dropWords] = useDraft(`proposal ${proposal.id}`, statement?.content ?? '');
  const contested = isOpen && isContested(proposal, all);
  const leave = (): void => {
    dropWords();
    if (next !== undefined) go(linkTo('inbox', next));
  };
  return (
    <article class="decision stack">
      <header>
        <h2 class="asked" dir="auto">
          {statement === undefined ? plainTitle(proposal.title) : 'Should this be remembered?'}
        </h2>
        <p class="row small faint">
          <span>proposed by {actorName(proposal.actor)}</span>
          <Time at={proposal.created} />
          <Trust level={proposal.trust} />
          {statement === undefined ? null : <span>for {storeName(statement.store)}</span>}
          {proposal.confidence === undefined ? null : <span>{proposal.confidence} confidence</span>}
        </p>
      </header>
      {contested ? <Opponents proposal={proposal} all={all} /> : null}
      {statement === undefined ? null : isEditing ? (
        <textarea
          class="input words"
          aria-label="The words to remember"
          rows={3}
          dir="auto"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      ) : (
        <section aria-label="Proposed">
          {contested ? <h3 class="eyebrow">Proposed</h3> : null}
          <p class={`statement ${originOf(proposal.trust)}`} dir="auto">
            <span class="words large">{words}</span>
          </p>
        </section>
      )}
      {proposal.why === '' ? null : <Markdown text={proposal.why} />}
      <Evidence proposal={proposal} words={statement?.content ?? proposal.title} />
      {statement === undefined ? <FileChanges changes={changes} isOpen={isOpen} /> : null}
      {isOpen ? (
        <Decide
          shown={shown}
          choice={contested ? (isRival(proposal) ? 'between' : 'against') : undefined}
          selection={changes.selection}
          words={words === (statement?.content ?? '') ? undefined : words}
          onEdit={statement === undefined ? undefined : () => setEditing(!isEditing)}
          onDone={leave}
        />
      ) : (
        <p class="soft">
          {proposal.state}
          {proposal.decidedBy === undefined ? '' : ` by ${actorName(proposal.decidedBy)}`}
          {proposal.reason === undefined ? '' : `: “${proposal.reason}”`}
        </p>
      )}
    </article>
  );
}

/** Known or pending statements that cannot be true at the same time. */
function Opponents({ proposal, all }: { readonly proposal: Proposal; readonly all: readonly Proposal[] }): JSX.Element {
  const heading = isRival(proposal) ? 'Proposed too' : 'Believed now';
  return (
    <section class="stack tight" aria-label={heading}>
      <h3 class="eyebrow">{heading}</h3>
      {proposal.statement?.contradicts.map((id) => (
        <Known key={id} id={id} />
      ))}
      {rivalsOf(proposal, all).map((rival) => (
        <Statement
          key={rival.id}
          id={rival.id}
          path=""
          text={rival.statement?.content ?? plainTitle(rival.title)}
          trust={rival.trust}
          link={linkTo('inbox', rival.id)}
          meta={`${actorName(rival.actor)} proposes this`}
          isFixed
        />
      ))}
    </section>
  );
}

function Known({ id }: { readonly id: string }): JSX.Element {
  const query = useQuery('why', { id });
  return (
    <Loaded query={query} lines={1}>
      {(answer) =>
        'remembered' in answer ? (
          <Statement
            id={id}
            path={answer.remembered.path}
            text={answer.remembered.text}
            trust={answer.remembered.trust}
            meta={<Time at={answer.remembered.time} />}
            isFixed
          />
        ) : null
      }
    </Loaded>
  );
}

function Evidence({ proposal, words }: { readonly proposal: Proposal; readonly words: string }): JSX.Element | null {
  const turns = proposal.evidence.flatMap((one) => {
    const [, session, turn] = /^(\S+)#(t\d+)/u.exec(one) ?? [];
    return session === undefined || turn === undefined ? [] : [{ session, turn }];
  });
  const others = proposal.evidence.filter((one) => !/#t\d+/u.test(one) && !one.startsWith('memory/'));
  if (turns.length + others.length === 0) return null;
  return (
    <section class="stack tight" aria-label="Evidence">
      <h3 class="eyebrow">Because of</h3>
      {turns.map(({ session, turn }) => (
        <Taught key={`${session} ${turn}`} session={session} turn={turn} words={words} />
      ))}
      {others.map((one) => (
        <p key={one} class="small soft">
          {one}
        </p>
      ))}
    </section>
  );
}

export interface Selection {
  /** The number of accepted lines, and the total. */
  readonly taken: number;
  readonly of: number;
  readonly isChanged: boolean;
  readonly input: Pick<Input<'approve'>, 'edited' | 'only'>;
}

interface DecideProps {
  readonly shown: Shown;
  /** Where only one can be true: against something that is believed, or between two that are proposed. */
  readonly choice: keyof typeof CHOICES | undefined;
  readonly selection: Selection;
  readonly words: string | undefined;
  readonly onEdit: (() => void) | undefined;
  readonly onDone: () => void;
}

/** Each button says what it does: between two proposals nothing is believed yet, and rejecting one leaves the other waiting. */
const CHOICES = {
  against: { take: 'Believe this instead', leave: 'Keep what is believed' },
  between: { take: 'Believe this one', leave: 'Reject this one' },
} as const;

/** Nothing that is known speaks against it, only another proposal. */
function isRival({ statement }: Pick<Proposal, 'statement'>): boolean {
  return (statement?.contradicts.length ?? 0) === 0;
}

function Decide({ shown, choice, selection, words, onEdit, onDone }: DecideProps): JSX.Element {
  const [isRejecting, setRejecting] = useState(false);
  const { id, state, statement } = shown.proposal;
  const approve = async (conflict?: 'instead' | 'keep-both'): Promise<void> => {
    const settled = conflict === undefined ? {} : { conflict };
    const done = await act(
      async () => {
        if (words !== undefined) {
          const { committed } = await call('agents override', { id, content: words.trim(), ...settled });
          return committed;
        }
        return call('approve', { ids: [id], ...selection.input, ...settled });
      },
      ([result]) => ({
        text:
          selection.taken < selection.of
            ? `Approved ${selection.taken} of ${plural(selection.of, 'line')}.`
            : 'Approved.',
        hint: result?.warnings[0],
        mutation: result?.mutation,
      }),
    );
    if (done !== undefined) onDone();
  };
  const later = async (): Promise<void> => {
    const done = await act(
      () => call('proposals defer', { id }),
      () => ({ text: 'Left for later.' }),
    );
    if (done !== undefined) onDone();
  };
  const isNone = statement === undefined && selection.of > 0 && selection.taken === 0;
  return (
    <div class="row decide">
      {state === 'stale' ? (
        <WriteButton kind="primary" onClick={() => void rebase(id)}>
          Make it fit again
        </WriteButton>
      ) : choice !== undefined ? (
        <>
          <WriteButton kind="primary" hotkey="a" onClick={() => void approve('instead')}>
            {CHOICES[choice].take}
          </WriteButton>
          <WriteButton hotkey="b" onClick={() => void approve('keep-both')}>
            Keep both
          </WriteButton>
        </>
      ) : (
        <WriteButton kind="primary" hotkey="a" isBusy={isNone} onClick={() => void approve()}>
          {selection.taken < selection.of ? `Approve ${selection.taken} of ${selection.of}` : 'Approve'}
        </WriteButton>
      )}
      {onEdit === undefined ? null : (
        <WriteButton hotkey="e" onClick={onEdit}>
          Edit
        </WriteButton>
      )}
      <WriteButton kind="danger" hotkey="r" onClick={() => setRejecting(true)}>
        {choice === undefined ? 'Reject' : CHOICES[choice].leave}
      </WriteButton>
      <WriteButton kind="quiet" hotkey="s" onClick={() => void later()}>
        Later
      </WriteButton>
      {isRejecting ? <RejectDialog id={id} onClose={() => setRejecting(false)} onDone={onDone} /> : null}
    </div>
  );
}

async function rebase(id: string): Promise<void> {
  await act(
    () => call('proposals rebase', { id }),
    () => ({ text: 'It fits the files as they are now. Read it once more.' }),
  );
}

interface RejectProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function RejectDialog({ id, onClose, onDone }: RejectProps): JSX.Element {
  const [why, setWhy] = useState('');
  const reject = (): void => {
    const reason = why.trim() === '' ? {} : { why: why.trim() };
    onClose();
    decideLater({
      ids: [id],
      decisions: 1,
      name: 'reject',
      input: { ids: [id], ...reason },
      text: 'Rejected. The same will not be proposed again.',
    });
    onDone();
  };
  return (
    <Dialog title="Reject" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          reject();
        }}
      >
        <label class="field">
          Why? It is kept, and reflections learn from it. Enter rejects without a reason too.
          <input
            class="input"
            value={why}
            disabled={readOnlyReason.value !== undefined}
            onInput={(event) => setWhy(event.currentTarget.value)}
          />
        </label>
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button danger">
            Reject
          </button>
        </div>
      </form>
    </Dialog>
  );
}
