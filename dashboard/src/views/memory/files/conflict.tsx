import type { JSX } from 'preact';
import type { SaveConflict } from '../../../../../src/operations/browse/save-file.ts';
import { Dialog } from '../../../ui/parts.tsx';

export type Conflict = SaveConflict;

/** The file changed between opening and saving: shows both versions and three ways to go on. */
export function ConflictDialog({
  conflict: { path, current, yours, merged, conflicts },
  onResolve,
  onClose,
}: {
  readonly conflict: Conflict;
  readonly onResolve: (text: string) => void;
  readonly onClose: () => void;
}): JSX.Element {
  return (
    <Dialog title="It was changed meanwhile" onClose={onClose}>
      <p>
        <span class="path">{path}</span>{' '}
        {current === null ? 'is not there any more.' : 'was changed by somebody else since you opened it.'} Nothing has
        been overwritten.
      </p>
      {merged === null ? null : (
        <p class="small soft">
          {conflicts === 0
            ? 'Both changes fit together.'
            : `${conflicts} place(s) were changed by both; both wordings are kept there for you to choose.`}
        </p>
      )}
      <div class="columns even">
        <Version title="As it is now" text={current?.text ?? ''} />
        <Version title="Yours" text={yours} />
      </div>
      <div class="dialog-foot">
        <button type="button" class="button" onClick={() => onResolve(yours)}>
          Keep only mine
        </button>
        {current === null ? null : (
          <button type="button" class="button" onClick={() => onResolve(current.text)}>
            Take theirs
          </button>
        )}
        {merged === null ? null : (
          <button type="button" class="button primary" onClick={() => onResolve(merged)}>
            Bring both together
          </button>
        )}
      </div>
    </Dialog>
  );
}

function Version({ title, text }: { readonly title: string; readonly text: string }): JSX.Element {
  return (
    <section class="stack tight">
      <h3>{title}</h3>
      <pre class="source version" tabIndex={0} aria-label={title}>
        {text}
      </pre>
    </section>
  );
}
