import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { showProblem, undo } from '../../../api/act.ts';
import { ApiError, call, type Output } from '../../../api/call.ts';
import { lastMutation } from '../../../api/live.ts';
import { useQuery } from '../../../api/query.ts';
import { readOnlyReason } from '../../../api/session.ts';
import { keepDraft, readDraft } from '../../../app/drafts.ts';
import { linkTo, route } from '../../../app/route.ts';
import { showToast } from '../../../app/toasts.ts';
import { LongMarkdown } from '../../../text/long-markdown.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { Card, Loaded, plural, WriteButton } from '../../../ui/parts.tsx';
import { ConflictDialog, type Conflict } from './conflict.tsx';

type FileText = Output<'files read'>;

export function Editor({ path }: { readonly path: string }): JSX.Element {
  const at = route.value.query.get('at') ?? '';
  const query = useQuery('files read', { path, ...(at === '' ? {} : { at }) });
  // The file changed: a view is refreshed, text that is being edited is not touched.
  const written = lastMutation.value;
  const isEditing = useRef(false);
  useEffect(() => {
    if (written?.files.includes(path) === true && !isEditing.current) query.reload();
  }, [written?.mutation]);
  return (
    <Loaded query={query}>
      {(file) => <OpenFile key={path} file={file} at={at} isEditing={isEditing} onSaved={query.reload} />}
    </Loaded>
  );
}

function OpenFile({
  file,
  at,
  isEditing,
  onSaved,
}: {
  readonly file: FileText;
  readonly at: string;
  readonly isEditing: { current: boolean };
  readonly onSaved: () => void;
}): JSX.Element {
  const [draft, setDraft] = useState<Draft | undefined>(() => readEdit(file.path));
  const change = (next: Draft | undefined): void => {
    setDraft(next);
    keepDraft(`file ${file.path}`, next === undefined ? undefined : JSON.stringify(next));
  };
  isEditing.current = draft !== undefined;
  const line = route.value.query.get('line');
  const isPast = at !== '';
  return (
    <Card
      title={file.path}
      note={`${plural(file.tokens, 'token')} · ${plural(file.lines, 'line')}${isPast ? ` · as it was on ${at}` : ''}`}
      tools={
        draft === undefined ? (
          <div class="row">
            <label class="row tiny faint">
              As it was on
              <input
                class="input compact"
                type="date"
                value={at}
                onChange={(event) =>
                  (window.location.hash = linkTo('memory/files', file.path, { at: event.currentTarget.value }))
                }
              />
            </label>
            <a class="button small" href={linkTo('time/changes', '', { path: file.path })}>
              History
            </a>
            {isPast || file.isGenerated ? null : (
              <WriteButton kind="primary small" onClick={() => change({ text: file.text, base: file })}>
                <Icon name="pencil" /> Edit
              </WriteButton>
            )}
          </div>
        ) : null
      }
    >
      {file.isGenerated ? <p class="notice">Mneme writes this file from others; edits of it would not last.</p> : null}
      {draft === undefined ? (
        <LongMarkdown text={file.text} line={line === null ? undefined : Number(line)} />
      ) : (
        <EditForm
          draft={draft}
          onText={(text) => change({ ...draft, text })}
          onClose={() => {
            change(undefined);
            onSaved();
          }}
        />
      )}
    </Card>
  );
}

interface Draft {
  readonly text: string;
  /** The file as it was when the edit began: what is saved is brought together with what others wrote since. */
  readonly base: FileText;
}

/** An edit of this file that was left, with what it began from. */
function readEdit(path: string): Draft | undefined {
  const kept = readDraft(`file ${path}`);
  return kept === undefined ? undefined : (JSON.parse(kept) as Draft);
}

const PREVIEW_MS = 250;

function EditForm({
  draft: { text, base },
  onText,
  onClose,
}: {
  readonly draft: Draft;
  readonly onText: (text: string) => void;
  readonly onClose: () => void;
}): JSX.Element {
  const [against, setAgainst] = useState<{ readonly text: string; readonly hash: string | null }>(base);
  const [conflict, setConflict] = useState<Conflict | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const opened = useRef(lastMutation.value);
  const written = lastMutation.value;
  const isBehind =
    written !== opened.current && written?.files.includes(base.path) === true && against.hash === base.hash;
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const saved = await call('files save', { path: base.path, text, baseHash: against.hash, base: against.text });
      announce(saved);
      onClose();
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) setConflict(error.details as Conflict);
      else showProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="stack">
      {isBehind ? (
        <p class="notice">This file was changed meanwhile. Saving will show you both versions; nothing is lost.</p>
      ) : null}
      <div class="columns even">
        <textarea
          class="input mono editor"
          aria-label={`Edit ${base.path}`}
          value={text}
          dir="auto"
          spellcheck
          disabled={readOnlyReason.value !== undefined}
          onInput={(event) => onText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 's' && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              void save();
            }
          }}
        />
        <div class="preview" aria-label="Preview" role="region" tabIndex={0}>
          <LongMarkdown text={text} />
        </div>
      </div>
      <div class="row apart">
        <Meter text={text} before={base.tokens} />
        <div class="row">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <WriteButton kind="primary" isBusy={isBusy || text === base.text} onClick={() => void save()}>
            Save
          </WriteButton>
        </div>
      </div>
      {conflict === undefined ? null : (
        <ConflictDialog
          conflict={conflict}
          onResolve={(resolved) => {
            setAgainst(conflict.current ?? { text: '', hash: null });
            onText(resolved);
            setConflict(undefined);
            showToast('Both versions are in the editor. Look it over and save.');
          }}
          onClose={() => setConflict(undefined)}
        />
      )}
    </div>
  );
}

/** The cost of the text in every prompt that includes it. */
function Meter({ text, before }: { readonly text: string; readonly before: number }): JSX.Element {
  const { data } = useQuery('files preview', { text }, { debounceMs: PREVIEW_MS });
  const words =
    data === undefined
      ? ''
      : `${plural(data.tokens, 'token')} · ${plural(data.lines, 'line')} · ${signed(data.tokens - before)} tokens`;
  return (
    <span class="small soft" aria-live="polite">
      {words}
    </span>
  );
}

function signed(count: number): string {
  return count > 0 ? `+${count}` : String(count);
}

function announce({ mutation, redacted, warnings }: Output<'files save'>): void {
  const hint = redacted.length > 0 ? `A secret was left out (${redacted.join(', ')}).` : warnings[0];
  const action = mutation === null ? undefined : { label: 'Undo', run: () => undo(mutation) };
  showToast(mutation === null ? 'It was that way already.' : 'Saved.', { hint, action });
}
