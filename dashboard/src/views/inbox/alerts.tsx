import type { JSX } from 'preact';
import type { Output } from '../../api/call.ts';
import { decideLater } from '../../api/later.ts';
import { linkTo } from '../../app/route.ts';
import { actorName } from '../../text/names.ts';
import { DiffView } from '../../ui/diff-view.tsx';
import { plural, Time, WriteButton } from '../../ui/parts.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';

export type Waiting = Output<'audit alerts'>;
type Edit = Waiting['externalEdits'][number];
const ROW = 58;

/** A change of a file that matters much, by somebody who should not, or seldom does. */
export function AlertCard({ alert }: { readonly alert: Waiting['alerts'][number] }): JSX.Element {
  return (
    <article class="decision stack">
      <h2 class="asked">
        {alert.isUnauthorized ? `${alert.path} was changed, and not by you` : `${alert.path} was changed`}
      </h2>
      <p>
        {alert.summary}{' '}
        <span class="faint">
          by {actorName(alert.actor)} <Time at={alert.timeMs} />
        </span>
      </p>
      {alert.diff === undefined ? null : <DiffView diff={alert.diff} path={alert.path} />}
      <Answers references={alert.references} what={alert.path} />
    </article>
  );
}

/** All that was edited outside Mneme: one question, and one for each file where the answers differ. */
export function OutsideEdits({ edits }: { readonly edits: readonly Edit[] }): JSX.Element {
  const added = edits.reduce((sum, edit) => sum + (edit.addedLines ?? 0), 0);
  const removed = edits.reduce((sum, edit) => sum + (edit.removedLines ?? 0), 0);
  const all = edits.flatMap(({ references }) => references);
  return (
    <article class="decision stack">
      <header>
        <h2 class="asked">Were these edits yours?</h2>
        <p class="soft">
          {plural(edits.length, 'file')} changed in an editor or by git, not through Mneme: {plural(added, 'line')}{' '}
          added, {removed.toLocaleString('en')} removed.
        </p>
      </header>
      <Answers references={all} what={edits.length === 1 ? (edits[0]?.path ?? '') : 'all of it'} />
      <VirtualList
        label="Edited outside"
        items={edits}
        rowHeight={ROW}
        keyOf={({ path }) => path}
        render={(edit) => <EditRow edit={edit} isOnly={edits.length === 1} />}
      />
    </article>
  );
}

function EditRow({ edit, isOnly }: { readonly edit: Edit; readonly isOnly: boolean }): JSX.Element {
  return (
    <div class="row apart fixed outside-row">
      <div class="grow">
        <a class="path" href={linkTo('time/changes', edit.references[0] ?? '', { path: edit.path })}>
          {edit.path}
        </a>
        <div class="tiny faint">
          <Time at={edit.lastMs} />
          {edit.addedLines === undefined ? '' : ` · ${edit.addedLines} added, ${edit.removedLines ?? 0} removed`}
        </div>
      </div>
      {isOnly ? null : <Answers references={edit.references} what={edit.path} isSmall />}
    </div>
  );
}

interface AnswersProps {
  readonly references: readonly string[];
  readonly what: string;
  readonly isSmall?: boolean;
}

function Answers({ references, what, isSmall = false }: AnswersProps): JSX.Element {
  const answer = (isMine: boolean): void =>
    decideLater({
      ids: references,
      decisions: isSmall ? 0 : 1,
      name: 'audit ack',
      input: { references: [...references], isMine },
      text: isMine ? `Noted: ${what} was you.` : `Noted: ${what} was not you.`,
      hint: isMine ? undefined : 'It is kept as it is until you take it back in the changes.',
    });
  if (isSmall) {
    return (
      <div class="row fixed">
        <WriteButton kind="small" onClick={() => answer(true)}>
          Mine
        </WriteButton>
        <WriteButton kind="small quiet" onClick={() => answer(false)}>
          Not mine
        </WriteButton>
      </div>
    );
  }
  return (
    <div class="row">
      <WriteButton kind="primary" hotkey="a" onClick={() => answer(true)}>
        Yes, mine
      </WriteButton>
      <WriteButton kind="danger" hotkey="r" onClick={() => answer(false)}>
        No, not mine
      </WriteButton>
    </div>
  );
}
