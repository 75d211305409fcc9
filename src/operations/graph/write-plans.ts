import type { Plan } from '../../memory/stores/plan.ts';
import { MnemeError } from '../../model/errors.ts';
import type { Scope } from '../../model/provenance.ts';
import type { ProposalRequest, Proposed, RequestedChange } from '../../proposals/request.ts';
import type { Change } from '../../workspace/door/request.ts';
import type { Ontology } from '../../workspace/formats/relations.ts';
import type { OperationContext } from '../context.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { scopeOfPath } from '../../workspace/formats/layout.ts';
import { type WriteResult, commitOrPropose, describeWrite } from '../commit-or-propose.ts';
import { assertMayChange } from '../visible-to.ts';
import { attributionOf } from './open-graph.ts';

/** Carries plans out as one mutation; `scope` is where the caller says that it belongs. */
export async function commitPlans(
  context: OperationContext,
  plans: readonly Plan<unknown>[],
  summary: string,
  scope: Scope = 'shared',
): Promise<WriteResult> {
  const changes = withinScope(
    context,
    plans.flatMap((plan) => plan.changes),
    scope,
  );
  const result = describeWrite(await commitOrPropose(context, { ...attributionOf(context), summary, changes }));
  return { ...result, warnings: [...plans.flatMap((plan) => plan.notes), ...result.warnings] };
}

/** A caller confined to a scope, or naming one, may read and link shared files, but may change only files of that scope. */
export function withinScope(context: OperationContext, changes: readonly Change[], scope: Scope): Change[] {
  const assertHere = (path: string): void => {
    assertMayChange(context, path);
    if (scope === 'shared' || scopeOfPath(path) === scope) return;
    throw new MnemeError('refused', `${path} does not belong to ${scope}: others would read what is said there.`, {
      hint: `Add an entity of that name to the scope first (mneme graph add NAME --scope ${scope}), or leave the scope out.`,
    });
  };
  return changes.map((change) => {
    if (!('edit' in change)) {
      assertHere(change.path);
      return change;
    }
    const edit = (current: string | undefined): string | undefined => {
      const next = change.edit(current);
      if (next !== current) assertHere(change.path);
      return next;
    };
    return { ...change, edit };
  });
}

/** Drafts the result of plans on the present files, in their order. */
export function draftChanges({ workspace }: OperationContext, changes: readonly Change[]): RequestedChange[] {
  const texts = new Map<string, string | undefined>();
  for (const change of changes) {
    if (!('edit' in change)) continue;
    const current = texts.has(change.path)
      ? texts.get(change.path)
      : nodeFileSystem.read(`${workspace.root}/${change.path}`)?.toString('utf8');
    texts.set(change.path, change.edit(current));
  }
  return [...texts].map(([path, after]) => ({ path, after }));
}

/** A value of the user's that another actor wants to change. */
export interface Contested {
  readonly title: string;
  readonly why: string;
  readonly evidence: readonly string[];
  readonly changes: readonly Change[];
  readonly trigger: string;
}

export interface ProposedWrite extends WriteResult {
  /** The proposal that waits for the user. */
  readonly proposal: string;
}

/** Only a person overrules a person: from anybody else it waits for a yes. */
export async function proposeWrite(
  context: OperationContext,
  { changes, ...contested }: Contested,
): Promise<ProposedWrite> {
  const filed = await fileProposal(context, {
    ...contested,
    kind: 'memory',
    changes: draftChanges(context, changes),
  });
  const { proposal, mutation, warnings } = filed;
  return { proposal, mutation, files: [], redacted: [], warnings, commit: null };
}

/** A proposal as a verb's answer names it. */
export interface Filed {
  readonly proposal: string;
  readonly outcome: Proposed['outcome'];
  readonly mutation: string | null;
  readonly warnings: readonly string[];
}

const OTHERWISE: Readonly<Record<Proposed['outcome'], readonly string[]>> = {
  filed: [],
  applied: ['It was approved at once.'],
  'already-open': ['The same is waiting already.'],
  'rejected-before': ['The same was rejected before; nothing was filed.'],
};

export async function fileProposal(
  context: OperationContext,
  request: Omit<ProposalRequest, 'actor' | 'trust'> & Partial<Pick<ProposalRequest, 'trust'>>,
): Promise<Filed> {
  const trust = request.trust ?? (attributionOf(context).approval === '—' ? 'user' : 'agent');
  const proposed = await context.proposals.propose({ ...request, actor: context.actor, trust });
  return {
    proposal: proposed.id,
    outcome: proposed.outcome,
    mutation: proposed.mutation ?? null,
    warnings: [...OTHERWISE[proposed.outcome], ...proposed.warnings],
  };
}

/** Properties as the ontology types them: what a person types at a shell is text until then. */
export function readProperties(
  { entityTypes }: Ontology,
  type: string,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const known = entityTypes.get(type)?.properties;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (name.trim() === '' || name.length > 60) throw new MnemeError('usage', `"${name}" is no name for a property.`);
      return [name, typeof value === 'string' ? typed(value, known?.get(name)) : value];
    }),
  );
}

/** `role=engineer`, as typed; null where nothing stands behind the sign. */
export function parseProperties(given: string | readonly string[]): Record<string, string | null> {
  const pairs = typeof given === 'string' ? [given] : given;
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) {
        throw new MnemeError('usage', `"${pair}" is no property.`, {
          hint: 'Write NAME=VALUE, such as role=engineer.',
        });
      }
      const value = pair.slice(at + 1).trim();
      return [pair.slice(0, at).trim(), value === '' ? null : value];
    }),
  );
}

function typed(value: string, wanted: string | undefined): unknown {
  if (wanted === 'number' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  if (wanted === 'boolean' && /^(?:true|false|yes|no)$/iu.test(value)) return /^(?:true|yes)$/iu.test(value);
  if (wanted === 'list') {
    return value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }
  return value;
}
