import { createHash } from 'node:crypto';
import { isMnemeError } from '../model/errors.ts';
import { parseDiff } from './diff-text.ts';
import { pathsOf, waitingChanges, type Proposal, type ProposedChange } from './proposal.ts';
import { isOpen } from './state.ts';

/** Parts a machine rewrites each time without a change of meaning: anchors, metadata, the time of the edit. */
const ANCHOR = /\s\^[0-9A-Za-z-]+\s*$/;
const METADATA = /<!--.*?-->/g;
const EDIT_TIME = /^(?:updated|modified):/;
const CREATE_TIME = /^(?:created|updated|modified):/;
const NAMED_BY_ID = /^(?<folder>.*\/)(?:\d{4}-\d{2}-\d{2}-)?(?<name>[^/]+)-(?<start>[0-9a-z]{5,6})\.md$/;

/** The lines a change adds and removes, as far as they say something, each with its mark. */
function meaningfulLines(change: ProposedChange): string[] {
  const lines = touchedLines(change).map(
    (line) => line.slice(0, 1) + line.slice(1).replace(METADATA, '').replace(ANCHOR, '').replaceAll(/\s+/g, ' ').trim(),
  );
  const times = change.action === 'create' ? CREATE_TIME : EDIT_TIME;
  return lines.filter((line) => line.length > 1 && !times.test(line.slice(1)));
}

/** Paths as far as they mean something: a new file may be named by its day and by the beginning of a random id. */
function meaningfulPaths(change: ProposedChange): string[] {
  if (change.action !== 'create') return pathsOf(change);
  const anchors = touchedLines(change).flatMap((line) => ANCHOR.exec(line)?.[0].trim().slice(1) ?? []);
  return pathsOf(change).map((path) => {
    const { folder = '', name = '', start = '' } = NAMED_BY_ID.exec(path)?.groups ?? {};
    return start !== '' && anchors.some((anchor) => anchor.startsWith(start)) ? `${folder}${name}` : path;
  });
}

function touchedLines(change: ProposedChange): string[] {
  try {
    return parseDiff(change.diff).flatMap((hunk) => hunk.lines.filter((line) => /^[+-]/.test(line)));
  } catch (error) {
    // A diff that a hand broke still has lines to compare; approving it will say what is wrong.
    if (isMnemeError(error, 'usage')) return change.diff.split('\n');
    throw error;
  }
}

/** Proposals stay for ever and are parsed once: each is also taken apart once, not whenever another one is filed. */
const known = new WeakMap<ProposedChange, string>();

/** The same for changes that would do the same, whatever stood around them and whenever they were made. */
export function fingerprintOf(change: ProposedChange): string {
  const print = known.get(change) ?? makeFingerprint(change);
  known.set(change, print);
  return print;
}

function makeFingerprint(change: ProposedChange): string {
  const content = JSON.stringify([change.action, ...meaningfulPaths(change), ...meaningfulLines(change)]);
  return createHash('sha256').update(content).digest('hex');
}

/** The newest proposal whose rejection already answers every one of these changes. */
export function findRejectedTwin(
  proposals: readonly Proposal[],
  changes: readonly ProposedChange[],
): Proposal | undefined {
  const rejections = new Map<string, Proposal>();
  for (const proposal of proposals) {
    for (const change of proposal.changes) {
      const isRejected = proposal.state === 'rejected' ? change.state !== 'applied' : change.state === 'rejected';
      if (isRejected) rejections.set(fingerprintOf(change), proposal);
    }
  }
  const answers = changes.map((change) => rejections.get(fingerprintOf(change)));
  if (answers.some((answer) => answer === undefined)) return undefined;
  return answers.filter((answer) => answer !== undefined).reduce(later);
}

function later(a: Proposal, b: Proposal): Proposal {
  return a.id > b.id ? a : b;
}

/** An undecided proposal that would do exactly this. */
export function findOpenTwin(proposals: readonly Proposal[], changes: readonly ProposedChange[]): Proposal | undefined {
  const wanted = new Set(changes.map(fingerprintOf));
  return proposals.find((proposal) => {
    if (!isOpen(proposal.state)) return false;
    const waiting = waitingChanges(proposal).map(fingerprintOf);
    return waiting.length === wanted.size && waiting.every((print) => wanted.has(print));
  });
}

/** Earlier proposals of the same changes. */
export function findTwins(
  proposals: readonly Proposal[],
  changes: readonly ProposedChange[],
): { readonly open: Proposal | undefined; readonly rejected: Proposal | undefined } {
  return { open: findOpenTwin(proposals, changes), rejected: findRejectedTwin(proposals, changes) };
}

/** The undecided proposals that cannot all be applied together with these changes. */
export function findClashes(proposals: readonly Proposal[], changes: readonly ProposedChange[]): Proposal[] {
  return proposals.filter(
    (proposal) =>
      isOpen(proposal.state) &&
      waitingChanges(proposal).some((theirs) => changes.some((ours) => changesClash(ours, theirs))),
  );
}

function changesClash(a: ProposedChange, b: ProposedChange): boolean {
  if (!pathsOf(a).some((path) => pathsOf(b).includes(path))) return false;
  if (fingerprintOf(a) === fingerprintOf(b)) return false;
  if (a.action !== 'edit' || b.action !== 'edit') return true;
  const removed = new Set(meaningfulLines(a).filter((line) => line.startsWith('-')));
  return meaningfulLines(b).some((line) => removed.has(line));
}
