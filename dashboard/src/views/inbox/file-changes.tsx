import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Output } from '../../api/call.ts';
import { decideLines, readLineChanges, type LineChange, type LineDecision } from '../../text/line-edits.ts';
import { entityWords, readableLinks } from '../../text/names.ts';
import { DiffView } from '../../ui/diff-view.tsx';
import type { Selection } from './decision.tsx';

type Shown = Output<'proposals show'>;
type Preview = Shown['preview'][number];

interface ChangedFile {
  readonly preview: Preview;
  /** As the proposal says it: the text in which decisions are written. */
  readonly diff: string;
  readonly lines: readonly LineChange[];
}

interface FileChangesState {
  readonly files: readonly ChangedFile[];
  readonly decisions: ReadonlyMap<LineChange, LineDecision>;
  readonly decide: (line: LineChange, decision: LineDecision) => void;
  /** Merging two people is done or not done: half of it would be a broken page. */
  readonly isWhole: boolean;
  readonly selection: Selection;
}

const WHOLE_KINDS: ReadonlySet<string> = new Set(['merge', 'split']);

/** The decisions, line by line, about the files that a proposal would change. */
export function useFileChanges({ proposal, preview, text }: Shown): FileChangesState {
  const [decisions, setDecisions] = useState<ReadonlyMap<LineChange, LineDecision>>(new Map());
  const files = useMemo(
    () =>
      preview.map((one): ChangedFile => {
        const diff = proposal.changes.find(({ number }) => number === one.number)?.diff ?? one.diff;
        return { preview: one, diff, lines: one.fit === 'stale' ? [] : readLineChanges(diff) };
      }),
    // By their words: the same proposal asked for again is no reason to forget what was decided about it.
    [text, JSON.stringify(preview)],
  );
  const lines = files.flatMap((file) => file.lines);
  const taken = lines.filter((line) => !decisions.has(line) || decisions.get(line) !== undefined);
  return {
    files,
    decisions,
    isWhole: WHOLE_KINDS.has(proposal.kind),
    decide: (line, decision) => setDecisions(new Map([...decisions, [line, decision]])),
    selection: {
      taken: taken.length,
      of: lines.length,
      isChanged: decisions.size > 0,
      input: inputOf({ files, decisions, text }),
    },
  };
}

/** Files of which nothing is taken are left out; the others are sent as they were decided. */
function inputOf({
  files,
  decisions,
  text,
}: Pick<FileChangesState, 'files' | 'decisions'> & { readonly text: string }): Selection['input'] {
  if (decisions.size === 0) return {};
  let edited = text;
  const only: number[] = [];
  for (const { diff, lines, preview } of files) {
    const isLeftOut =
      lines.length > 0 && lines.every((line) => decisions.has(line) && decisions.get(line) === undefined);
    if (isLeftOut) continue;
    only.push(preview.number);
    edited = edited.replace(diff.trimEnd(), () => decideLines(diff, lines, decisions).trimEnd());
  }
  return { ...(edited === text ? {} : { edited }), ...(only.length < files.length && only.length > 0 ? { only } : {}) };
}

export function FileChanges({
  changes,
  isOpen,
}: {
  readonly changes: FileChangesState;
  readonly isOpen: boolean;
}): JSX.Element {
  return (
    <>
      {changes.files.map((file) => (
        <section key={file.preview.number} class="stack tight" aria-label={`In ${nameOfFile(file.preview.path)}`}>
          <h3 class="eyebrow">
            {file.preview.action === 'create'
              ? 'A new page: '
              : file.preview.action === 'delete'
                ? 'Away with: '
                : 'In '}
            {nameOfFile(file.preview.path)}
          </h3>
          {file.preview.fit === 'stale' ? (
            <p class="notice">It no longer fits the page: {file.preview.reason}</p>
          ) : (
            <ul class="line-changes">
              {file.lines.map((line, index) => (
                <Line key={index} line={line} changes={changes} isOpen={isOpen && !changes.isWhole} />
              ))}
            </ul>
          )}
          <details>
            <summary>Source</summary>
            <DiffView diff={file.preview.diff} path={file.preview.path} />
          </details>
        </section>
      ))}
    </>
  );
}

function nameOfFile(path: string): string {
  return path === 'MEMORY.md' ? 'core memory' : entityWords(path);
}

interface LineProps {
  readonly line: LineChange;
  readonly changes: FileChangesState;
  readonly isOpen: boolean;
}

function Line({ line, changes: { decisions, decide }, isOpen }: LineProps): JSX.Element {
  const [isEditing, setEditing] = useState(false);
  const isTaken = !decisions.has(line) || decisions.get(line) !== undefined;
  const words = decisions.get(line) ?? line.after;
  return (
    <li class={isTaken ? 'line-change' : 'line-change left'}>
      {isOpen ? (
        <input
          type="checkbox"
          aria-label={`Take: ${line.after === '' ? `remove ${line.before}` : line.after}`}
          checked={isTaken}
          onChange={() => decide(line, isTaken ? undefined : line.after)}
        />
      ) : null}
      <div class="grow stack tight">
        {line.before === '' ? null : (
          <p class="before" dir="auto">
            {readableLinks(line.before)}
          </p>
        )}
        {isEditing ? (
          <textarea
            class="input words"
            aria-label="This line in other words"
            rows={2}
            dir="auto"
            value={words}
            onInput={(event) => decide(line, event.currentTarget.value)}
          />
        ) : words === '' ? null : (
          <p class="after" dir="auto">
            {readableLinks(words)}
          </p>
        )}
      </div>
      {isOpen && line.after !== '' ? (
        <button type="button" class="link small" onClick={() => setEditing(!isEditing)}>
          {isEditing ? 'done' : 'edit'}
        </button>
      ) : null}
    </li>
  );
}
