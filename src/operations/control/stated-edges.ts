import { formsOf, type EntityRecord } from '../../memory/stores/registry/entity-record.ts';
import type { Plan } from '../../memory/stores/plan.ts';
import type { Scope } from '../../model/provenance.ts';
import { namesIn } from '../../reasoner/heuristic/entities/entities.ts';
import { scanFiles } from '../../retrieve/scan.ts';
import type { StoredPassage } from '../../search-index/port.ts';
import type { OperationContext } from '../context.ts';

const SPEAKER = /(?<![\p{L}'])(?:i|we|me|my|us|our|mine|the user)(?!\p{L})/iu;
/** Kinship that a sentence takes for granted: "my sister Vera lives in Graz" states where she lives, not that she is a sister. */
const KIN: ReadonlySet<string> = new Set(['sibling-of', 'parent-of', 'married-to']);

interface Edge {
  readonly from: EntityRecord;
  readonly relation: string;
  readonly plan: Plan<unknown>;
}

/** Ends the edges of the graph that were read from the turn of a statement, between those whom the statement names. */
export async function planEndEdges(
  context: OperationContext,
  said: StoredPassage,
  { until, scope }: { readonly until: string; readonly scope: Scope },
): Promise<readonly Plan<unknown>[]> {
  const { session, turn } = said;
  if (session === undefined || turn === undefined) return [];
  const { entities } = await context.parts.stores();
  await context.entities.sync();
  const edges = (await relationsOf(context, session, scope)).flatMap((passage): Edge[] => {
    const from = context.entities.findByPath(passage.document.path);
    if (passage.turn !== turn || from === undefined || passage.id === said.id) return [];
    const edge = entities.read(from).relations.find(({ id, isSuperseded }) => id === passage.id && !isSuperseded);
    const to = edge === undefined ? undefined : context.entities.findById(edge.target);
    if (edge === undefined || !(isNamed(from, said) && (to === undefined || isNamed(to, said)))) return [];
    return [{ from, relation: edge.relation, plan: entities.planSupersede(from, passage.id, { until }) }];
  });
  const stated = edges.filter(({ relation }) => !KIN.has(relation));
  return (stated.length > 0 ? stated : edges).map(({ plan }) => plan);
}

async function relationsOf(
  { homeIndex, chunkContext }: OperationContext,
  session: string,
  scope: Scope,
): Promise<readonly StoredPassage[]> {
  const { index } = await homeIndex.prepare();
  const searched = index ?? (await scanFiles(homeIndex.files, chunkContext));
  const view = await searched.view({ scopes: ['shared', scope], types: ['relation'], sessions: [session] });
  return view.read(await view.findRecent(MOST_RELATIONS));
}

/** More than any conversation states. */
const MOST_RELATIONS = 1000;

/** Whether a statement speaks of an entity, or stands on its page. */
function isNamed(entity: EntityRecord, { document, text }: StoredPassage): boolean {
  if (document.path === entity.path || (entity.isUser && SPEAKER.test(text))) return true;
  const isIn = namesIn(text);
  return formsOf(entity).some(({ form, kind }) => kind !== 'id' && isIn(form));
}
