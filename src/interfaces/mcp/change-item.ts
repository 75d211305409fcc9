import { MnemeError } from '../../model/errors.ts';
import type { ReadResult } from '../../operations/read.ts';
import { parseMetadataLine, splitTrailingMetadata } from '../../workspace/formats/metadata.ts';
import { withAnchor, withoutAnchor } from '../../workspace/markdown/edit.ts';

const LIST_MARK = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/u;

/** An item's lines with other words: what it is called by, its date and its metadata stay. */
export function withOtherWords({ text }: Pick<ReadResult, 'text'>, id: string, words: string): string {
  const said = words.replaceAll(/\s+/gu, ' ').trim();
  if (said === '') {
    throw new MnemeError('usage', 'There is no new text.', { hint: 'To take something away, use memory_forget.' });
  }
  const isEntry = text.startsWith('## ');
  const changed = isEntry ? changeEntry(text.split('\n'), id, said) : changeLine(text, id, said);
  if (changed.trimEnd().endsWith(`^${id}`)) return changed;
  throw new MnemeError('usage', 'The new text would not be a statement: it begins like a heading, a list or a fence.', {
    hint: 'Write it as a plain sentence.',
  });
}

function changeEntry(lines: readonly string[], id: string, said: string): string {
  const head = lines.findIndex((line, at) => at > 0 && parseMetadataLine(line) === undefined);
  return [...lines.slice(0, head === -1 ? 1 : head), withAnchor(said, id)].join('\n');
}

function changeLine(raw: string, id: string, said: string): string {
  const mark = LIST_MARK.exec(raw)?.[0] ?? '';
  const bare = withoutAnchor(raw);
  const kept = splitTrailingMetadata(bare);
  const metadata = kept.fields === undefined ? '' : ` ${bare.trimEnd().slice(kept.text.length).trim()}`;
  return withAnchor(`${mark}${said}${metadata}`, id);
}
