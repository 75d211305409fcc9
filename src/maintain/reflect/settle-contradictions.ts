import type { Contradiction } from '../../memory/graph/contradictions.ts';
import type { Graph } from '../../memory/graph/graph.ts';
import type { GraphFact } from '../../memory/graph/statements.ts';
import { planSupersede } from '../../memory/stores/entities/facts.ts';
import type { StoreParts } from '../../memory/stores/plan.ts';
import type { Change } from '../../workspace/door/request.ts';
import type { Declined } from './declined.ts';

export interface Settlement {
  readonly changes: readonly Change[];
  /** Every contradiction in words, with what is proposed about it. */
  readonly told: readonly string[];
  readonly questions: readonly string[];
}

/** Of two values of one property the newer holds, if one is newer; everything else is a question to the person. */
export function settleContradictions(
  parts: StoreParts,
  graph: Graph,
  contradictions: readonly Contradiction[],
  declined: Declined,
): Settlement {
  const changes: Change[] = [];
  const told: string[] = [];
  const questions: string[] = [];
  for (const contradiction of contradictions) {
    const settled = contradiction.kind === 'two-values' ? endOlder(parts, graph, contradiction, declined) : [];
    changes.push(...settled);
    told.push(
      settled.length > 0 ? `${contradiction.message} The newer one is proposed to hold.` : contradiction.message,
    );
    if (settled.length === 0) questions.push(`${contradiction.message} ${contradiction.hint}`);
  }
  return { changes, told, questions };
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
