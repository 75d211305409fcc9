import { parseEpisodes, type EpisodeEntry } from '../../workspace/formats/episode.ts';
import type { Located } from '../../workspace/formats/item.ts';
import { visibleText } from '../../workspace/formats/metadata.ts';
import { derivedId } from '../../workspace/markdown/identity.ts';
import type { Passage } from '../passage.ts';
import { chunkBlocks } from './blocks.ts';
import { dateInWords, momentOf } from './dates.ts';
import { isForeign, learnedOf, passagesOf, provenanceOf } from './draft.ts';
import type { FileFrame, IdentifiedBlock } from './frame.ts';

type Entry = EpisodeEntry & Located;

/** A day's entries, each one item however many paragraphs it has. */
export function chunkEpisodes(frame: FileFrame): Passage[] {
  const file = parseEpisodes(frame.document);
  const date = file.date ?? frame.date;
  const passages: Passage[] = [];
  let at = 0;
  for (const entry of file.entries) {
    while ((frame.blocks[at]?.startLine ?? Infinity) < entry.startLine) at += 1;
    const from = at;
    while ((frame.blocks[at]?.endLine ?? Infinity) <= entry.endLine) at += 1;
    passages.push(...chunkEntry(entry, frame, frame.blocks.slice(from, at), date));
  }
  return passages;
}

function chunkEntry(
  entry: Entry,
  frame: FileFrame,
  blocks: readonly IdentifiedBlock[],
  date: string | undefined,
): Passage[] {
  const { context, defaults, scope, tags, timeMs } = frame;
  if (isForeign(entry.meta, scope)) return [];
  const day = (date === undefined ? undefined : dateInWords(date)) ?? frame.day;
  const lead = entry.title ?? '';
  const when =
    momentOf(entry.meta.time, undefined, context.timeZone) ?? momentOf(date, entry.time, context.timeZone) ?? timeMs;
  if (isLooseList(entry, blocks)) {
    const body = blocks.filter(({ block }) => block.kind !== 'heading');
    return chunkBlocks(frame, body, { type: entry.type, trailHead: lead, day, timeMs: when });
  }
  return passagesOf(
    {
      id: entryId(frame, blocks),
      text: visibleText(entry.text),
      lead,
      day,
      startLine: entry.startLine,
      endLine: entry.endLine,
      textLine: textLineOf(entry, blocks),
      type: isOver(entry) ? 'superseded' : entry.type,
      timeMs: when,
      ...learnedOf(entry.meta, context.timeZone),
      speaker: undefined,
      ...provenanceOf(entry.meta, defaults, tags),
    },
    context,
  );
}

function isOver({ meta }: Entry): boolean {
  return meta['superseded_by'] !== undefined || meta['until'] !== undefined;
}

/** Notes that nobody made into an entry, such as the bullets of another agent's day: each is a thought of its own. */
function isLooseList(entry: Entry, blocks: readonly IdentifiedBlock[]): boolean {
  if (entry.time !== undefined || Object.keys(entry.meta).length > 0) return false;
  return blocks.filter(({ block }) => block.kind === 'item').length > 1;
}

/** An entry's anchor stands at the end of its last block; without one that block's derived id serves. */
function entryId(frame: FileFrame, blocks: readonly IdentifiedBlock[]): string {
  const last = blocks.findLast(({ id }) => id !== undefined)?.id;
  const first = blocks[0]?.block;
  return last ?? (first === undefined ? frame.path : derivedId(frame.path, first, 0));
}

function textLineOf(entry: Entry, blocks: readonly IdentifiedBlock[]): number {
  const content = blocks.find(({ block, startLine }) => {
    const isHead = block.kind === 'blank' || block.kind === 'html' || startLine === entry.startLine;
    return !isHead || block.kind === 'paragraph';
  });
  return content?.startLine ?? entry.startLine;
}
