import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { linkTo } from '../app/route.ts';
import { parseUnified, type DiffFile, type DiffLine } from '../text/diff.ts';
import { plural } from './parts.tsx';

const SIGNS = { add: '+', cut: '−', same: '', gap: '' } as const;
const SPOKEN = { add: 'added: ', cut: 'removed: ', same: '', gap: '' } as const;
/** A change may be of thousands of files: so many lines are shown at a time. */
const MAX_LINES = 300;

export function DiffView({ diff, path = '' }: { readonly diff: string; readonly path?: string }): JSX.Element {
  const pages = useMemo(() => pagesOf(parseUnified(diff, path)), [diff, path]);
  const [at, setAt] = useState(0);
  const page = Math.min(at, pages.length - 1);
  const files = pages[page];
  if (files === undefined) return <p class="faint small">No line changes.</p>;
  const count = pages.reduce((sum, { length }) => sum + length, 0);
  return (
    <div>
      {files.map((file) => (
        <OneFile key={file.path} file={file} />
      ))}
      {pages.length === 1 ? null : (
        <div class="row apart small">
          <button type="button" class="button small" disabled={page === 0} onClick={() => setAt(page - 1)}>
            Files before
          </button>
          <span class="faint">
            part {page + 1} of {pages.length}, {plural(count, 'file')}
          </span>
          <button
            type="button"
            class="button small"
            disabled={page === pages.length - 1}
            onClick={() => setAt(page + 1)}
          >
            Files after
          </button>
        </div>
      )}
    </div>
  );
}

function pagesOf(files: readonly DiffFile[]): readonly (readonly DiffFile[])[] {
  const pages: DiffFile[][] = [];
  let lines = MAX_LINES;
  for (const file of files) {
    // Its head takes the room of a few lines.
    const size = Math.min(MAX_LINES, file.lines.length + 3);
    if (lines + size > MAX_LINES) {
      pages.push([]);
      lines = 0;
    }
    pages.at(-1)?.push(file);
    lines += size;
  }
  return pages;
}

function OneFile({ file }: { readonly file: DiffFile }): JSX.Element {
  const shown = file.lines.slice(0, MAX_LINES);
  return (
    <div class="diff">
      {file.path === '' ? null : (
        <div class="diff-file">
          <a class="path" href={linkTo('memory/files', file.path)}>
            {file.path}
          </a>
          {file.action === 'changed' ? null : (
            <span class="tiny faint">
              {file.action}
              {file.from === undefined ? '' : ` from ${file.from}`}
            </span>
          )}
        </div>
      )}
      {shown.map((line, index) => (
        <Line key={index} line={line} />
      ))}
      {file.lines.length > MAX_LINES ? (
        <div class="diff-gap">{plural(file.lines.length - MAX_LINES, 'more line')}</div>
      ) : null}
    </div>
  );
}

/** Marks that programs read step back behind the words that people read. */
function withAsides(text: string): ComponentChildren {
  const pieces = text.split(/(<!--[^>]{0,2000}-->|\s\^[0-9a-z]{6,26}$)/u);
  return pieces.map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <span key={index} class="aside">
        {piece}
      </span>
    ),
  );
}

function Line({ line }: { readonly line: DiffLine }): JSX.Element {
  if (line.kind === 'gap') return <div class="diff-gap">…</div>;
  return (
    <div class={`diff-line ${line.kind}`}>
      <span class="sign" aria-hidden="true">
        {SIGNS[line.kind]}
      </span>
      <span dir="auto">
        <span class="visually-hidden">{SPOKEN[line.kind]}</span>
        {line.parts.map(({ text, isChanged }, index) => {
          const words = text === '' ? '\u00a0' : withAsides(text);
          if (!isChanged) return <span key={index}>{words}</span>;
          return line.kind === 'add' ? <ins key={index}>{words}</ins> : <del key={index}>{words}</del>;
        })}
      </span>
    </div>
  );
}
