import { hash } from 'node:crypto';
import { headingText, type BlockRange } from '../../workspace/markdown/blocks.ts';
import {
  type Block,
  type MarkdownDocument,
  parseDocument,
  serializeWithBody,
} from '../../workspace/markdown/document.ts';
import { countLines, withoutFinalEol } from '../../workspace/markdown/lines.ts';
import { separate } from '../../workspace/markdown/edit.ts';
import type { ArchiveRecord } from './record.ts';

export type CutPlace = Pick<ArchiveRecord, 'under' | 'after' | 'before' | 'nth' | 'skip' | 'lead' | 'tail'>;

export interface Cut {
  /** The file without it; every other byte is as it was. */
  readonly rest: string;
  /** The text taken out, without the white space around it. */
  readonly source: string;
  /** Enough to put it back where it was. */
  readonly place: CutPlace;
}

/** The key of a neighbour: its anchor, which survives an edit, or else its words. */
export function neighbourKey(block: Block): string {
  return block.id === undefined ? `#${hash('sha256', block.raw.trim()).slice(0, 16)}` : `^${block.id}`;
}

/**
 * Takes blocks out of a text. Between blank lines one side of them goes too, or every cut would leave a hole; where the
 * neighbours would run together, a blank line comes between them.
 */
export function cutBlocks(text: string, { start, end }: BlockRange): Cut {
  const document = parseDocument(text);
  const { blocks } = document;
  const previous = blocks.slice(0, start).findLastIndex(isContent);
  const behind = blocks.slice(end).findIndex(isContent);
  const next = behind === -1 ? blocks.length : end + behind;
  const blankBefore = rawOf(blocks, previous + 1, start);
  const blankBehind = rawOf(blocks, end, next);
  const takesLead = blankBefore !== '' && next === blocks.length;
  const takesTail = !takesLead && blankBefore !== '' && blankBehind !== '';
  const raw = rawOf(blocks, start, end);
  const source = withoutFinalEol(raw);
  const lead = takesLead ? blankBefore : '';
  const tail = raw.slice(source.length) + (takesTail ? blankBehind : '');
  const gap = (takesLead ? '' : blankBefore) + (takesTail ? '' : blankBehind);
  const seam = seamOf(document, previous, gap, next);
  return {
    rest: serializeWithBody(document, rawOf(blocks, 0, previous + 1) + seam + rawOf(blocks, next, blocks.length)),
    source,
    place: {
      under: headingAbove(blocks, start),
      after: keyAt(blocks, previous),
      before: keyAt(blocks, next),
      nth: contentCount(blocks.slice(0, start)),
      ...(takesLead || blankBefore === '' ? {} : { skip: countLines(blankBefore) }),
      ...(lead === '' ? {} : { lead }),
      ...(tail === '\n' ? {} : { tail }),
    },
  };
}

export function isContent(block: Block): boolean {
  return block.kind !== 'blank';
}

/** The file's text from one block to another. */
export function rawOf(blocks: readonly Block[], start: number, end: number): string {
  return blocks
    .slice(start, end)
    .map(({ raw }) => raw)
    .join('');
}

/** The text between two blocks, extended where needed to keep them separate. */
function seamOf({ blocks, eol }: MarkdownDocument, previous: number, gap: string, next: number): string {
  const left = blocks[previous]?.raw;
  const right = blocks[next]?.raw;
  if (left === undefined || right === undefined) return gap;
  const source = withoutFinalEol(left);
  const end = left.slice(source.length);
  return separate(source, end + gap, right, eol).slice(end.length);
}

function contentCount(blocks: readonly Block[]): number {
  return blocks.filter(isContent).length;
}

export function keyAt(blocks: readonly Block[], index: number): string | undefined {
  const block = blocks[index];
  return block === undefined ? undefined : neighbourKey(block);
}

/** An episode's entry brings its own heading along and stands below none. */
function headingAbove(blocks: readonly Block[], start: number): string | undefined {
  if (blocks[start]?.kind === 'heading') return undefined;
  const heading = blocks.slice(0, start).findLast(({ kind }) => kind === 'heading');
  return heading === undefined ? undefined : headingText(heading);
}
