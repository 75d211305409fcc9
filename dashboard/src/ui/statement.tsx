import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { correctIt, forgetIt, judge, pinIt, type Remembered } from '../api/memory.ts';
import { readOnlyReason } from '../api/session.ts';
import { useDraft } from '../app/drafts.ts';
import { linkTo } from '../app/route.ts';
import { originOf } from '../text/names.ts';
import { WriteButton } from './parts.tsx';

export interface StatementProps extends Remembered {
  readonly trust: string;
  /** One quiet line: who said it, when. */
  readonly meta?: ComponentChildren;
  /** The words, where they are shown otherwise than as plain text. */
  readonly children?: ComponentChildren;
  /** Ended, as a fact that no longer holds. */
  readonly isEnded?: boolean;
  /** For which prompt it was told: what "not helpful" is about. */
  readonly prompt?: string | undefined;
  readonly link?: string | undefined;
  /** Only read here: what can be done with it is decided by something else on the page. */
  readonly isFixed?: boolean;
}

/** A turn of a conversation is a record: it is judged, and neither rewritten nor taken out. */
export function isTurn(id: string): boolean {
  return /#t\d+$/u.test(id);
}

export function linkToMemory(id: string): string {
  const [session = '', turn] = id.split('#');
  return isTurn(id) ? linkTo('time/talk', session, { turn }) : linkTo('memory/item', id);
}

/** A memory as a quotation, ruled by the colour of its origin, with what can be done about it in place. */
export function Statement(props: StatementProps): JSX.Element {
  const { id, text, trust, meta, children, isEnded = false, isFixed = false, link = linkToMemory(id) } = props;
  const [isOpen, setOpen] = useState(false);
  const [isEditing, setEditing] = useState(false);
  return (
    <div
      class={`statement ${originOf(trust)}${isEnded ? ' ended' : ''}`}
      onPointerEnter={() => setOpen(true)}
      onPointerLeave={() => setOpen(false)}
    >
      {isEditing ? (
        <Correct remembered={props} onClose={() => setEditing(false)} />
      ) : (
        <a class="words" href={link} dir="auto" data-list-item>
          {children ?? text}
        </a>
      )}
      <div class="meta">
        <span class="about">{meta}</span>
        {isFixed ? null : isOpen ? (
          <Actions {...props} onEdit={() => setEditing(true)} />
        ) : (
          <button type="button" class="link more" aria-label="What can be done" onClick={() => setOpen(true)}>
            •••
          </button>
        )}
      </div>
    </div>
  );
}

function Actions(props: StatementProps & { readonly onEdit: () => void }): JSX.Element | null {
  const { id, prompt, onEdit } = props;
  const isRecord = isTurn(id);
  return (
    <span class="actions">
      <a href={linkToMemory(id)}>why</a>
      {readOnlyReason.value === undefined ? (
        <>
          {isRecord ? null : (
            <>
              <Action onClick={onEdit}>correct</Action>
              <Action onClick={() => void forgetIt(props)}>forget</Action>
              <Action onClick={() => void pinIt(props)}>pin</Action>
            </>
          )}
          <Action onClick={() => void judge(props, 'always')}>always tell</Action>
          <Action onClick={() => void judge(props, 'wrong')}>wrong</Action>
          {prompt === undefined ? null : (
            <Action onClick={() => void judge(props, 'not-helpful', prompt)}>not helpful here</Action>
          )}
        </>
      ) : null}
    </span>
  );
}

function Action({ children, onClick }: { readonly children: string; readonly onClick: () => void }): JSX.Element {
  return (
    <button type="button" class="link" onClick={onClick}>
      {children}
    </button>
  );
}

/** The words, to be put right where they stand. */
export function Correct({
  remembered,
  onClose,
}: {
  readonly remembered: Remembered;
  readonly onClose: () => void;
}): JSX.Element {
  const [words, setWords, drop] = useDraft(`correct ${remembered.id}`, remembered.text);
  const save = async (): Promise<void> => {
    if (!(await correctIt(remembered, words.trim()))) return;
    drop();
    onClose();
  };
  return (
    <form
      class="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <textarea
        class="input words"
        aria-label="The right words"
        rows={2}
        dir="auto"
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
          if (event.key === 'Escape') onClose();
        }}
      />
      <div class="row">
        <WriteButton
          kind="primary small"
          isBusy={words.trim() === '' || words === remembered.text}
          onClick={() => void save()}
        >
          Save
        </WriteButton>
        <button type="button" class="button small" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}
