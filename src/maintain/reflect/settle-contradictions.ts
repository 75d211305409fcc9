import type { Contradiction } from '../../memory/graph/contradictions.ts';
import type { Graph } from '../../memory/graph/graph.ts';
import type { GraphFact } from '../../memory/graph/statements.ts';
import { planSupersede } from '../../memory/stores/entities/facts.ts';
import type { StoreParts } from '../../memory/stores/plan.ts';
import type { Change } from '../../workspace/door/request.ts';
import type { Declined } from './declined.ts';
import type { Disagreement } from './disagreements.ts';
import { saidWhen } from './said-when.ts';

/** A contradiction in words, and what is proposed about it; no change where only the person can tell. */
export interface Settlement {
  readonly told: string;
  readonly changes: readonly Change[];
}

/** Of two values of one property the newer holds, if one is newer; everything else is a question to the person. */
export function settleContradictions(
  parts: StoreParts,
  graph: Graph,
  contradictions: readonly Contradiction[],
  declined: Declined,
): Settlement[] {
  return contradictions.map((contradiction) => {
    const { kind, message, hint } = contradiction;
    const changes = kind === 'two-values' ? endOlder(parts, graph, contradiction, declined) : [];
    return {
      told: changes.length > 0 ? `${message} The newer one is proposed to hold.` : `${message} ${hint}`,
      changes,
    };
  });
}

/** Of two statements that do not go together the later holds, if the person agrees; refused, both do. */
export function settleDisagreements(
  parts: StoreParts,
  found: readonly Disagreement[],
  declined: Declined,
): Settlement[] {
  return found
    .filter(({ looked, earlier }) => !declined.has(looked.record.path, '-', earlier.text))
    .map(({ looked: { record }, earlier, later }) => ({
      told: `${record.name}: “${earlier.text}” (${saidWhen(earlier)}), but later “${later.text}” (${saidWhen(later)}). Does only the later hold?`,
      changes: planSupersede(parts, record, earlier.id, {
        until: later.meta.from ?? later.meta.learned,
        supersededBy: later.id,
      }).changes,
    }));
}

function endOlder(parts: StoreParts, graph: Graph, { items, path }: Contradiction, declined: Declined): Change[] {
  const facts = items.flatMap((id) => graph.statement(id).facts).filter((fact) => fact.path === path);
  const entity = graph.network.record(path);
  const [newest, next] = facts.toSorted((one, other) => sinceOf(other).localeCompare(sinceOf(one)));
  if (entity === undefined || newest === undefined || next === undefined || sinceOf(newest) === sinceOf(next))
    return [];
  return facts
    .filter((fact) => fact !== newest && !declined.has(path, '-', fact.text))
    .flatMap(
      (fact) => planSupersede(parts, entity, fact.id, { until: sinceOf(newest), supersededBy: newest.id }).changes,
    );
}

function sinceOf({ meta }: GraphFact): string {
  return meta.from ?? meta.learned ?? '';
}
