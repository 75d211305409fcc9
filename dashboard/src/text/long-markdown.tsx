import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Markdown } from './markdown.tsx';
import { splitParts } from './split-parts.ts';

/** A text of any length, in parts: a file of ten thousand lines would make a page of fifty thousand elements. */
export function LongMarkdown({
  text,
  line,
}: {
  readonly text: string;
  readonly line?: number | undefined;
}): JSX.Element {
  const parts = splitParts(text);
  const partOfLine =
    line === undefined
      ? 0
      : Math.max(
          0,
          parts.findLastIndex(({ first }) => first <= line),
        );
  const [picked, setPicked] = useState(partOfLine);
  useEffect(() => setPicked(partOfLine), [partOfLine]);
  const at = Math.min(picked, parts.length - 1);
  const part = parts[at];
  if (part === undefined) return <p class="faint">It is empty.</p>;
  const { first, text: words } = part;
  const show = (next: number): void => {
    setPicked(next);
    window.scrollTo(0, 0);
  };
  return (
    <div class="stack">
      <Markdown text={words} line={line === undefined ? undefined : line - first + 1} />
      {parts.length === 1 ? null : (
        <div class="row apart small">
          <button type="button" class="button small" disabled={at === 0} onClick={() => show(at - 1)}>
            Part before
          </button>
          <span class="faint">
            part {at + 1} of {parts.length}
          </span>
          <button type="button" class="button small" disabled={at === parts.length - 1} onClick={() => show(at + 1)}>
            Part after
          </button>
        </div>
      )}
    </div>
  );
}
