import { z } from 'zod';
import type { Scope, Trust } from '../../model/provenance.ts';
import { lowestTrust, scopeCanSee } from '../../model/provenance.ts';
import type { Certainty } from '../../model/knowledge.ts';
import type { Inference } from '../../memory/graph/rules.ts';
import type { Graph } from '../../memory/graph/graph.ts';
import { mustBeThere } from '../../memory/graph/plans/link.ts';
import type { Edge } from '../../memory/graph/statements.ts';
import { currentFacts, type Moment } from '../../memory/stores/entities/current-facts.ts';
import type { Plan } from '../../memory/stores/plan.ts';
import type { EntityRecord } from '../../memory/stores/registry/entity-record.ts';
import type { OperationContext } from '../context.ts';
import { assertMayWrite } from '../operation.ts';
import { defineVerb } from '../verb.ts';
import { isVisible } from './walk.ts';
import { commitPlans } from './write-plans.ts';
import { entityField, momentOf, nameOf, scopeField, type EntityName, type OpenGraph } from './open-graph.ts';

const input = z.strictObject({
  entity: entityField.optional().describe('Only what starts from or leads to this entity.'),
  ask: z
    .boolean()
    .default(false)
    .describe('Also ask the configured language model what follows from the facts; needs an entity.'),
  keep: z.boolean().default(false).describe('Write down what follows, marked as inferred, with its premises.'),
  limit: z.number().int().min(1).max(1000).default(100).describe('How many; 100 where it is not given.'),
  scope: scopeField,
});

export type GraphInferInput = z.input<typeof input>;

export interface InferredRelation {
  readonly from: EntityName;
  readonly relation: string;
  readonly to: EntityName;
  /** The edges it follows from, in order. */
  readonly premises: readonly { readonly id: string; readonly text: string; readonly path: string }[];
  readonly rule: string;
  /** At most an agent's word: nobody said it. */
  readonly trust: Trust;
}

export interface InferredFact {
  readonly entity: EntityName;
  readonly text: string;
  readonly premises: readonly string[];
  readonly confidence: Certainty;
  readonly trust: Trust;
}

export interface Inferred {
  readonly relations: readonly InferredRelation[];
  readonly facts: readonly InferredFact[];
  readonly isCut: boolean;
  /** null unless something was kept. */
  readonly mutation: string | null;
  readonly notes: readonly string[];
}

export const graphInfer = defineVerb({
  name: 'graph infer',
  summary: 'List what follows from what is known, with its premises.',
  input,
  // Only --keep writes, and says so itself.
  effect: 'read',
  async run(context, given): Promise<Inferred> {
    if (given.keep) assertMayWrite(context.actor, 'graph infer --keep');
    const open = await context.parts.graph();
    const { graph } = open;
    const moment = momentOf(context, {});
    const entity = given.entity === undefined ? undefined : graph.get(given.entity, { scope: given.scope });
    const { inferences, isCut } = graph.infer(moment, { max: given.limit, about: entity?.path, scope: given.scope });
    const asked =
      given.ask && entity !== undefined
        ? // Every reader of its file reads the conclusion that is kept there.
          await askModel(context, graph, entity, { moment, scope: given.keep ? entity.scope : given.scope })
        : { facts: [], notes: [] };
    const notes =
      given.ask && entity === undefined
        ? ['--ask needs an entity: the model is shown what is known of one.']
        : asked.notes;
    const kept = given.keep ? await keep(context, open, inferences, asked.facts) : { mutation: null, warnings: [] };
    return {
      relations: inferences.flatMap((inference) => showInference(graph, inference) ?? []),
      facts: asked.facts,
      isCut,
      mutation: kept.mutation,
      notes: [...notes, ...kept.warnings],
    };
  },
  http: [{ omit: ['ask', 'keep'] }, { name: 'graph infer keep', method: 'POST', needs: 'write', isLong: true }],
  cli: { args: ['entity'], options: { scope: { value: 'scope' } } },
  render: async (view, output) => (await import('./render-answers.ts')).renderInferred(view, output),
});

/** Asks a model for conclusions from an entity's facts and edges; without a model there are none. */
async function askModel(
  context: OperationContext,
  graph: Graph,
  entity: EntityRecord,
  { moment, scope }: { readonly moment: Moment; readonly scope: Scope },
): Promise<{ readonly facts: readonly InferredFact[]; readonly notes: readonly string[] }> {
  const facts = currentFacts(graph.facts(entity.path), moment);
  const { network } = graph;
  const links = network.links(entity.path).filter((link) => isVisible({ network }, scope, link));
  const edges = links.map(({ edge }) => edge);
  const trusts = new Map<string, Trust>([...facts, ...edges].map(({ id, trust }) => [id, trust]));
  const premises = [
    ...facts.map(({ id, text }) => ({ id, text })),
    ...edges.map((edge) => ({ id: edge.id, text: edgeText(graph, edge) })),
  ];
  const { reasoner } = await context.parts.extraction();
  const { output, by, notes } = await reasoner.ask('infer', { subject: entity.name, premises });
  const isLocal = by.startsWith('heuristic');
  const nobody =
    isLocal && notes.length === 0
      ? ['Without a language model nothing is concluded from free text; see `mneme learn reasoner`.']
      : [];
  return {
    facts: output.map(({ statement, premises: from, confidence }) => ({
      entity: nameOf(entity),
      text: statement,
      premises: from,
      confidence,
      trust: lowestTrust(['agent', ...from.map((id) => trusts.get(id) ?? 'agent')]),
    })),
    notes: [...nobody, ...notes],
  };
}

async function keep(
  context: OperationContext,
  { graph, entities }: OpenGraph,
  inferences: readonly Inference[],
  facts: readonly InferredFact[],
): Promise<{ readonly mutation: string | null; readonly warnings: readonly string[] }> {
  const plans: Plan<unknown>[] = [];
  const warnings: string[] = [];
  for (const { from, relation, to, premises, trust } of inferences) {
    const [start, end] = [graph.network.record(from), graph.network.record(to)];
    if (start === undefined || end === undefined || start.damage !== undefined) continue;
    // A conclusion that needs a private scope would reveal it in a file that others read.
    const isTellable = premises.every(({ path }) =>
      scopeCanSee(start.scope, graph.network.record(path)?.scope ?? 'shared'),
    );
    if (!isTellable || !scopeCanSee(start.scope, end.scope)) {
      warnings.push(`That ${start.name} ${relation} ${end.name} follows from a private scope and was not kept.`);
      continue;
    }
    const meta = { source: 'inferred', trust, confidence: 'medium', premises: premises.map(({ id }) => id) } as const;
    plans.push({ changes: [mustBeThere(end)], notes: [], outcome: () => undefined });
    plans.push(entities.planRelation(start, { relation, to: end, meta: { ...meta, premises: [...meta.premises] } }));
  }
  for (const { entity, text, premises, confidence, trust } of facts) {
    const record = graph.network.record(entity.path);
    if (record === undefined || record.damage !== undefined) continue;
    plans.push(
      entities.planFact(record, { text, meta: { source: 'inferred', trust, confidence, premises: [...premises] } }),
    );
  }
  if (plans.length === 0) return { mutation: null, warnings };
  const result = await commitPlans(context, plans, `inferred ${inferences.length + facts.length} from what is known`);
  return { mutation: result.mutation, warnings: [...warnings, ...result.warnings] };
}

function showInference(
  graph: Graph,
  { from, relation, to, premises, rule, trust }: Inference,
): InferredRelation | undefined {
  const [start, end] = [graph.network.record(from), graph.network.record(to)];
  if (start === undefined || end === undefined) return undefined;
  return {
    from: nameOf(start),
    relation,
    to: nameOf(end),
    premises: premises.map((edge) => ({ id: edge.id, text: edgeText(graph, edge), path: edge.path })),
    rule,
    trust,
  };
}

function edgeText(graph: Graph, edge: Edge): string {
  const from = graph.network.record(edge.path);
  const scope: Scope = from?.scope ?? 'shared';
  return `${from?.name ?? edge.path} ${edge.relation} ${graph.network.target(edge.target, scope)?.name ?? edge.target}`;
}
