import type { Candidate, KnowledgeKind } from '../../model/knowledge.ts';
import type { Episode } from '../../memory/episodes/read-episodes.ts';
import { setEntryField } from '../../memory/stores/plan.ts';
import type { Change } from '../../workspace/door/request.ts';
import { blockLineRanges } from '../../workspace/markdown/blocks.ts';
import { parseEpisodes } from '../../workspace/formats/episode.ts';
import { parseDocument, serializeDocument } from '../../workspace/markdown/document.ts';

export interface Ripe {
  readonly minImportance: number;
  /** The last day that is old enough. */
  readonly until: string;
}

/** Entries that matter, are old enough to have settled, and were not condensed before. */
export function findRipe(episodes: readonly Episode[], { minImportance, until }: Ripe): Episode[] {
  return episodes.filter(
    ({ id, date, type, meta }) =>
      id !== undefined &&
      date <= until &&
      type !== 'interaction' &&
      meta.importance >= minImportance &&
      meta.consolidated_into === undefined,
  );
}

/** Lasting kinds: a task from a week ago is not one, and procedures are learned in their own way. */
const LASTING: ReadonlySet<KnowledgeKind> = new Set([
  'decision',
  'lesson',
  'person',
  'fact',
  'preference',
  'correction',
]);

/**
 * Whether a statement found in an entry is knowledge about somebody or something: only then it leaves its day. An entry
 * stands alone, without the talk that would make a guess sure; a rule and a property say enough by themselves, all else has to be plain.
 */
export function isLasting({ kind, subject, attribute, confidence }: Candidate): boolean {
  const saysEnough = kind === 'lesson' || attribute !== undefined;
  const isPlain = confidence === 'high' || (saysEnough && confidence === 'medium');
  return LASTING.has(kind) && subject !== undefined && isPlain;
}

/** The entry says in which knowledge it was condensed. */
export function planMark({ path, id }: Pick<Episode, 'path' | 'id'>, into: string): Change {
  const edit = (current: string | undefined): string | undefined => {
    if (current === undefined) return undefined;
    const document = parseDocument(current);
    const entry = parseEpisodes(document).entries.find((each) => each.id === id);
    if (entry === undefined || entry.meta.consolidated_into !== undefined) return current;
    const heading = blockLineRanges(document).findIndex(({ startLine }) => startLine === entry.startLine);
    if (document.blocks[heading]?.kind !== 'heading') return current;
    return serializeDocument(setEntryField(document, heading, 'consolidated_into', into));
  };
  return { path, edit };
}
