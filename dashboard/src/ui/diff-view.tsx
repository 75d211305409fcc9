import type { ComponentChildren, JSX } from 'preact';
import { linkTo } from '../app/route.ts';
import { parseUnified, type DiffFile, type DiffLine } from '../text/diff.ts';

const SIGNS = { add: '+', cut: '−', same: '', gap: '' } as const;
const SPOKEN = { add: 'added: ', cut: 'removed: ', same: '', gap: '' } as const;
/** What is rarely looked at line by line. */
const MAX_LINES = 400;

export function DiffView({ diff, path = '' }: { readonly diff: string; readonly path?: string }): JSX.Element {
  const files = parseUnified(diff, path);
  if (files.length === 0) return <p class="faint small">No line changes.</p>;
  return (
    <div>
      {files.map((file) => (
        <OneFile key={file.path} file={file} />
      ))}
    </div>
  );
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
      {file.lines.length > MAX_LINES ? <div class="diff-gap">{file.lines.length - MAX_LINES} more lines</div> : null}
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
      <span>
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
