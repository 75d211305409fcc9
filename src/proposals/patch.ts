import { MnemeError } from '../model/errors.ts';
import { blobId } from '../workspace/known-files.ts';
import { mergeDocuments, type MergeConflict } from '../workspace/markdown/merge.ts';
import { applyDiff, makeDiff } from './diff-text.ts';
import type { ChangeAction, ProposedChange } from './proposal.ts';

export interface WantedChange {
  readonly path: string;
  readonly before: string | undefined;
  /** undefined deletes the file. */
  readonly after: string | undefined;
  readonly renameTo?: string | undefined;
}

/** Writes down what is wanted as a diff against what is there. */
export function makeChange(number: number, wanted: WantedChange): ProposedChange {
  const { path, before, after, renameTo } = wanted;
  const action = actionOf(wanted);
  const diff = makeDiff({ path, text: before }, { path: renameTo ?? path, text: after });
  if (action === 'edit' && diff === '') {
    throw new MnemeError('usage', `The change of ${path} changes nothing.`, { hint: 'Leave it out of the proposal.' });
  }
  return {
    number,
    action,
    path,
    ...(renameTo === undefined ? {} : { renameTo }),
    ...(before === undefined ? {} : { base: blobId(Buffer.from(before, 'utf8')) }),
    diff,
    state: 'waiting',
  };
}

function actionOf({ path, before, after, renameTo }: WantedChange): ChangeAction {
  if (before === undefined && (after === undefined || renameTo !== undefined)) {
    throw new MnemeError('not-found', `${path} does not exist.`, { hint: 'Name a file of the workspace.' });
  }
  if (after === undefined) return 'delete';
  if (renameTo !== undefined && renameTo !== path) return 'rename';
  return before === undefined ? 'create' : 'edit';
}

export interface Versions {
  /** The text the diff was made from; undefined for a new file, and when history no longer has it. */
  readonly base: string | undefined;
  readonly current: string | undefined;
  /** The file at the target of a rename; undefined when the place is free. */
  readonly destination?: string | undefined;
}

/** The way a change was applied to the present file. `guessed`: without the text it was made from. */
export type Fit = 'exact' | 'merged' | 'guessed' | 'done-already';

export type Application =
  | { readonly kind: 'fits'; readonly after: string | undefined; readonly fit: Fit }
  | { readonly kind: 'stale'; readonly reason: string; readonly offer?: Offer | undefined };

/** The result that a rebase would propose instead, for a person to review again. */
export interface Offer {
  readonly after: string | undefined;
}

/** The file after the change, applied to its present text. */
export function applyChange(change: ProposedChange, versions: Versions): Application {
  if (change.action === 'create') return applyCreation(change, versions.current);
  if (change.action === 'delete') return applyDeletion(change, versions);
  if (change.action === 'rename') {
    const { path, renameTo = path } = change;
    if (versions.current === undefined) return stale(`${path} no longer exists`);
    if (versions.destination !== undefined) return stale(`${renameTo} exists by now`);
    if (change.diff === '') return fits(versions.current, 'exact');
  }
  return applyEdit(change, versions);
}

function applyCreation(change: ProposedChange, current: string | undefined): Application {
  const wanted = applyDiff('', change.diff, 'exact');
  if (wanted === undefined) return stale(`the diff of ${change.path} has lines that a new file cannot have`);
  if (current === undefined) return fits(wanted, 'exact');
  if (current === wanted) return fits(current, 'done-already');
  const { text } = mergeDocuments({ base: '', ours: wanted, theirs: current });
  return stale(`${change.path} exists by now`, { after: text });
}

function applyDeletion(change: ProposedChange, { base, current }: Versions): Application {
  if (current === undefined) return fits(undefined, 'done-already');
  if (base === current) return fits(undefined, 'exact');
  if (base === undefined && applyDiff(current, change.diff, 'exact') === '') return fits(undefined, 'guessed');
  return stale(`${change.path} was edited, and deleting it would lose that`, { after: undefined });
}

function applyEdit(change: ProposedChange, { base, current }: Versions): Application {
  const { path } = change;
  const wanted = base === undefined ? undefined : applyDiff(base, change.diff, 'exact');
  if (current === undefined) {
    return stale(`${path} no longer exists`, wanted === undefined ? undefined : { after: wanted });
  }
  if (base === undefined || wanted === undefined) return guessEdit(change, current, base === undefined);
  if (current === base) return fits(wanted, 'exact');
  if (current === wanted) return fits(current, 'done-already');
  const { text, conflicts } = mergeDocuments({ base, ours: wanted, theirs: current });
  const [conflict] = conflicts;
  if (conflict === undefined) return fits(text, text === current ? 'done-already' : 'merged');
  return stale(`${path} changed in the same place: ${describeConflict(conflict)}`, { after: text });
}

function guessEdit(change: ProposedChange, current: string, isBaseGone: boolean): Application {
  const fitted = applyDiff(current, change.diff, 'fuzzy');
  if (fitted !== undefined) return fits(fitted, 'guessed');
  const why = isBaseGone ? 'the version it was made from is no longer in history, and ' : '';
  return stale(`${why}the diff does not fit ${change.path}`);
}

const SHOWN_CHARACTERS = 60;

function describeConflict(conflict: MergeConflict): string {
  if (conflict.key !== undefined) return `the key "${conflict.key}"`;
  const line = (conflict.theirs ?? conflict.base ?? '').trim().split('\n', 1)[0] ?? '';
  const shown = line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS - 1)}…` : line;
  return conflict.theirs === undefined ? `"${shown}" was removed` : `it now says "${shown}"`;
}

function fits(after: string | undefined, fit: Fit): Application {
  return { kind: 'fits', after, fit };
}

function stale(reason: string, offer?: Offer): Application {
  return { kind: 'stale', reason, offer };
}
