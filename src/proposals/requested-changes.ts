import { MnemeError } from '../model/errors.ts';
import { roleOf, type Actor } from '../model/mutation.ts';
import { HOME_LAYOUT, placeOf, scopeOfPath } from '../workspace/formats/layout.ts';
import { parseWorkspacePath } from '../workspace/safety/paths.ts';
import { pathsOf, type Proposal, type ProposedChange } from './proposal.ts';
import type { ProposalRequest } from './request.ts';
import { makeChange } from './patch.ts';
import type { Texts } from './texts.ts';

export type WordMarker = (
  writer: { readonly actor: Actor; readonly path: string },
  before: string | undefined,
  after: string,
) => Promise<string>;

/** Turns the requested changes into diffs against the present files. */
export async function makeChanges(
  texts: Texts,
  { actor, changes: requested, maySplit = false }: Pick<ProposalRequest, 'actor' | 'changes' | 'maySplit'>,
  mark: WordMarker | undefined,
): Promise<ProposedChange[]> {
  if (requested.length === 0) throw new MnemeError('usage', 'A proposal needs at least one change.');
  const changes: ProposedChange[] = [];
  for (const [index, change] of requested.entries()) {
    const path = parseWorkspacePath(change.path);
    const renameTo = change.renameTo === undefined ? undefined : parseWorkspacePath(change.renameTo);
    const before = change.before ?? (await texts.current(path));
    const wanted = change.after ?? (renameTo === undefined ? undefined : before);
    // A sub-agent's text is marked as a sub-agent's, regardless of who approves it; files it would archive stay as they are.
    const isCopy = placeOf(renameTo ?? path, HOME_LAYOUT).isArchived;
    const isMarked = mark !== undefined && wanted !== undefined && roleOf(actor) === 'subagent' && !isCopy;
    const after = isMarked ? await mark({ actor, path: renameTo ?? path }, before, wanted) : wanted;
    changes.push(makeChange(index + 1, { path, before, after, renameTo }));
  }
  // Lines of one file may be decided on one by one, but nothing else may become of that file beside them.
  const paths = changes.flatMap(pathsOf);
  const isRepeated = (path: string): boolean => paths.indexOf(path) !== paths.lastIndexOf(path);
  const twice = changes
    .filter(({ action }) => action !== 'edit' || !maySplit)
    .flatMap(pathsOf)
    .find(isRepeated);
  if (twice === undefined) return changes;
  throw new MnemeError('usage', `${twice} is changed twice in one proposal.`, { hint: 'Make it one change.' });
}

/** The owner of a proposal: the private scope of the files it would change. A change across two private scopes is refused. */
export function scopeOfChanges(changes: readonly ProposedChange[], stated: string | undefined): string | undefined {
  const scopes = new Set(changes.flatMap(pathsOf).map(scopeOfPath));
  scopes.delete('shared');
  const [scope, another] = scopes;
  if (another === undefined) return scope ?? (stated === 'shared' ? undefined : stated);
  throw new MnemeError('refused', `One proposal would change files of ${scope ?? ''} and of ${another}.`, {
    hint: 'What is private to one scope is not moved into another; make one proposal for each.',
  });
}

/** Fields known only at the time of filing. */
interface Drafted extends Pick<Proposal, 'id' | 'base' | 'changes' | 'conflictsWith'> {
  readonly nowMs: number;
}

/** A request as the proposal it becomes. */
export function draftProposal(request: ProposalRequest, { nowMs, ...drafted }: Drafted): Proposal {
  const { kind, title, why, evidence, actor, trust, scope, confidence, expires, trigger, session, statement } = request;
  return {
    state: 'pending',
    kind,
    title,
    why,
    evidence,
    actor,
    trust,
    scope,
    confidence,
    expires,
    trigger,
    session,
    statement,
    created: new Date(nowMs).toISOString(),
    ...drafted,
  };
}
