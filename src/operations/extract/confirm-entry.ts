import { localTime } from '../../model/time.ts';
import type { Trust } from '../../model/provenance.ts';
import type { EpisodeType } from '../../model/schemas/time.ts';
import { entrySays, findSameEntry, noteHeardAgain } from '../../extract/heard-again.ts';
import type { Hit } from '../../retrieve/hit.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { parseEpisodes } from '../../workspace/formats/episode.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { Change } from '../../workspace/door/request.ts';
import type { OperationContext } from '../context.ts';
import type { MemoryPlan } from './file-by-words.ts';
import { oneLine, shorten } from '../../model/text.ts';

export const HEARD_BEFORE = 'It was remembered before; that it was said again is noted there.';

interface Told {
  readonly text: string;
  readonly trust: Trust;
  readonly session?: string | undefined;
  readonly turn?: string | undefined;
}

/** The result of the duplicate check at write time: the entry that says it, or the one that another process just wrote. */
export interface SaidOnce {
  readonly change: Change;
  /** Set when another entry of the day has these very words. */
  readonly known: { id: string | undefined };
}

/**
 * Several who remember the same at once find nothing alike, because nothing is written yet. So the day's file is looked at
 * once more under the lock, whichever process wrote to it; the same words of the same kind are noted as heard again.
 */
export function sayOnce(
  { clock, config }: OperationContext,
  change: Change,
  { id, text, type, trust, session, turn }: Told & { readonly id: string; readonly type: EpisodeType },
): SaidOnce {
  const known: SaidOnce['known'] = { id: undefined };
  if (!('edit' in change) || (trust !== 'user' && trust !== 'agent')) return { change, known };
  const words = oneLine(text);
  const hearing = { date: localTime(clock.now(), config.time_zone).date, evidence: evidenceOf(session, turn) };
  const edit = (current: string | undefined): string | undefined => {
    known.id = undefined;
    const entries =
      current === undefined || !mayHold(current, words) ? [] : parseEpisodes(parseDocument(current)).entries;
    const same = entries.find((entry) => entry.type === type && oneLine(entry.text) === words);
    // Its own id: what was begun before a crash is done again, which adds nothing.
    const isOther = same?.id !== undefined && same.id !== id;
    const noted = isOther ? noteHeardAgain(current ?? '', same.id, hearing) : undefined;
    if (noted === undefined) return change.edit(current);
    known.id = same?.id;
    return noted;
  };
  return { change: { ...change, edit }, known };
}

function evidenceOf(session: string | undefined, turn: string | undefined): string | undefined {
  return session === undefined || turn === undefined ? undefined : `${session}#${turn}`;
}

/** Whether a look at the entries is worth it: letters and figures stand in a file as they were said. */
function mayHold(file: string, words: string): boolean {
  const pieces = words.match(/[\p{L}\p{N} ]+/gu) ?? [];
  const longest = pieces.reduce((long, piece) => (piece.length > long.length ? piece : long), '');
  return oneLine(file).includes(longest.trim());
}

/** Notes at the entry that says the same that it was heard again; undefined when none does. */
export function planConfirmation(
  { clock, config, workspace }: OperationContext,
  { text, trust, session, turn }: Told,
  alike: readonly Hit[],
): MemoryPlan | undefined {
  // A less trusted source cannot confirm a statement of the user.
  if (trust !== 'user' && trust !== 'agent') return undefined;
  const readFile = (file: string): string | undefined =>
    nodeFileSystem.read(`${workspace.root}/${file}`)?.toString('utf8');
  const known = findSameEntry(alike, text, readFile);
  if (known === undefined) return undefined;
  const { id, path } = known;
  const hearing = { date: localTime(clock.now(), config.time_zone).date, evidence: evidenceOf(session, turn) };
  let isThere = true;
  const edit = (current: string | undefined): string | undefined => {
    // Read again under the lock: whoever edited the entry meanwhile may have made it another statement.
    const isSame = current !== undefined && entrySays(current, id, text);
    const after = isSame ? noteHeardAgain(current, id, hearing) : undefined;
    isThere = after !== undefined;
    return after ?? current;
  };
  return {
    summary: `heard again "${shorten(text)}"`,
    changes: [{ path, edit }],
    strategy: 'immediate',
    describe: (result) => {
      if (!isThere) return undefined;
      const file = result?.files.find((written) => written.path === path);
      const entry = parseEpisodes(parseDocument(file?.text ?? '')).entries.find((each) => each.id === id);
      return {
        id,
        mutation: result?.mutation ?? '',
        store: 'episodic',
        path,
        startLine: entry?.startLine ?? 1,
        endLine: entry?.endLine ?? 1,
        commit: null,
        warnings: [HEARD_BEFORE],
      };
    },
  };
}
