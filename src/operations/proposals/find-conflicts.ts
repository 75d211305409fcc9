import { type ProposedStatement, confidentlyDiffer } from '../../proposals/agents/statement.ts';
import { isOpen } from '../../proposals/state.ts';
import { compareStatements } from '../../reasoner/heuristic/compare/compare.ts';
import type { Statement } from '../../reasoner/port.ts';
import { extractTerms } from '../../search-index/text/terms.ts';
import { isScope } from '../../model/provenance.ts';
import type { OperationContext } from '../context.ts';

/** A stored fact that a statement contradicts. */
export interface ContradictedFact {
  readonly id: string;
  readonly path: string;
  readonly text: string;
}

/** Words two statements must share, of the shorter one's, to be about the same thing at all. */
const MIN_SHARED = 0.5;
/** Hits that are looked at for a contradiction. */
const MAX_FACTS = 8;

/** The property a statement states, where that has one value at a time: what makes two of them comparable. */
export async function propertyOf(
  context: OperationContext,
  content: string,
): Promise<Pick<ProposedStatement, 'subject' | 'attribute' | 'value'>> {
  const { reasoner } = await context.parts.extraction();
  const { output } = await reasoner.ask('route', {
    text: content,
    timeMs: context.clock.now(),
    timeZone: context.config.time_zone,
    known: context.entities.known(),
  });
  const { property } = output;
  if (property === undefined) return {};
  return { subject: property.subject.name, attribute: property.attribute, value: property.value };
}

/** The period in which an approval may have been missed by a search for known facts. */
const LOOK_BACK_MS = 3_600_000;

interface Stated {
  readonly id?: string | undefined;
  readonly statement: ProposedStatement;
  readonly scope?: string | undefined;
}

/** Proposals that cannot stand beside this one: open ones, and those that were agreed to lately. */
export async function findRivals({ proposals, clock }: OperationContext, own: Stated): Promise<readonly string[]> {
  const sinceMs = clock.now() - LOOK_BACK_MS;
  const rivals: string[] = [];
  for (const { id, statement, scope = 'shared', state, decided } of proposals.list().proposals) {
    if (statement === undefined || id === own.id || scope !== (own.scope ?? 'shared')) continue;
    const isRecent = state === 'applied' && decided !== undefined && Date.parse(decided) >= sinceMs;
    if ((isOpen(state) || isRecent) && (await contradict(statement, own.statement))) rivals.push(id);
  }
  return rivals;
}

/** Looks again and says on both sides what was found: somebody may have filed the opposite in the same moment. */
export async function markRivals(context: OperationContext, id: string): Promise<void> {
  const { statement, scope } = context.proposals.get(id);
  if (statement === undefined) return;
  await context.proposals.markConflicts(id, await findRivals(context, { id, statement, scope }));
}

/** Finds known facts, in the proposal's scope, that contradict it. */
export async function findContradicted(
  context: OperationContext,
  statement: ProposedStatement,
  scope: string | undefined,
): Promise<readonly ContradictedFact[]> {
  const own = scope !== undefined && isScope(scope) && scope !== 'shared' ? [scope] : [];
  const { hits } = await context.search.ask({
    text: statement.content,
    filter: { scopes: ['shared', ...own], stores: ['semantic', 'episodic', 'core'] },
    limit: MAX_FACTS,
    tokens: undefined,
    isWorkspaceOnly: true,
    isUnlisted: true,
  });
  const found: ContradictedFact[] = [];
  for (const { id, path, text } of hits) {
    // Two lines at most: an entry's heading and its words.
    const said = text.trim().split('\n').at(-1) ?? '';
    if (await contradict({ content: said }, statement)) found.push({ id, path, text: said });
  }
  return found;
}

type Words = Pick<ProposedStatement, 'content' | 'subject' | 'attribute' | 'value'>;

async function contradict(one: Words, other: Words): Promise<boolean> {
  const isOneProperty =
    one.attribute !== undefined &&
    one.attribute === other.attribute &&
    one.subject !== undefined &&
    one.subject.toLowerCase() === other.subject?.toLowerCase();
  if (isOneProperty && one.value !== undefined && other.value !== undefined) {
    return one.value.trim().toLowerCase() !== other.value.trim().toLowerCase();
  }
  const similarity = sharedShare(termsOf(one), termsOf(other));
  if (similarity < MIN_SHARED || !confidentlyDiffer(one.content, other.content)) return false;
  const { verdict } = await compareStatements({ known: toStatement(one), incoming: toStatement(other), similarity });
  return verdict === 'contradicts' || verdict === 'replaces';
}

function toStatement({ content, subject, attribute, value }: Words): Statement {
  return { text: content, saidMs: 0, subject, attribute, value };
}

/** A thousand that wait are each compared with the next one. */
const terms = new WeakMap<Words, ReadonlySet<string>>();

function termsOf(words: Words): ReadonlySet<string> {
  const known = terms.get(words) ?? new Set(extractTerms(words.content));
  terms.set(words, known);
  return known;
}

function sharedShare(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const shared = [...left].filter((term) => right.has(term)).length;
  return shared === 0 ? 0 : shared / Math.min(left.size, right.size);
}
