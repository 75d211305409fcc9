import type { Scope } from '../../model/provenance.ts';
import { answerByRelations, asksByRelations } from '../../memory/graph/questions.ts';
import type { Graph } from '../../memory/graph/graph.ts';
import type { EntityRecord } from '../../memory/stores/registry/entity-record.ts';
import { namesIn } from '../../reasoner/heuristic/entities/entities.ts';
import type { OperationContext } from '../context.ts';
import { momentOf, nameOf, type EntityName } from '../graph/open-graph.ts';
import { isVisible, showStep, type ShownStep } from '../graph/walk.ts';

/** An answer from the graph, with the relations that lead there. */
export interface GraphAnswer {
  readonly answer: EntityName;
  readonly steps: readonly ShownStep[];
}

/** Words that ask for a woman or a man; edges tell of them in the same words (`sister-of`). */
const WOMAN = /^(?:sister|wife|mother|mum|mom|daughter)/iu;
const MAN = /^(?:brother|husband|father|dad|son)/iu;

/** Answers to a question that asks along two or more relations ("where does my sister's husband work?"); none for others. */
export async function findGraphAnswers(
  context: OperationContext,
  question: string,
  scope: Scope,
): Promise<GraphAnswer[]> {
  if (!asksByRelations(question)) return [];
  const { graph, entities } = await context.parts.graph();
  const { network } = graph;
  const user = graph.registry.findUser(scope);
  const named = namedIn(graph, question, scope).filter(({ record }) => record.path !== user?.path);
  const found = answerByRelations(graph, question, {
    moment: momentOf(context, {}),
    accepts: (link) => isVisible({ network }, scope, link),
    couldBe: (path, called) => {
      const record = network.record(path);
      if (record === undefined || !(WOMAN.test(called) || MAN.test(called))) return true;
      const opposite = WOMAN.test(called) ? MAN : WOMAN;
      return !entities
        .read(record)
        .relations.some(({ meta }) => meta.said?.some((word) => opposite.test(word)) === true);
    },
    named,
    user,
  });
  return found.flatMap((steps) => {
    const answer = network.record(steps.at(-1)?.other ?? '');
    if (answer === undefined) return [];
    return [{ answer: nameOf(answer), steps: steps.flatMap((step) => showStep(graph, step) ?? []) }];
  });
}

function namedIn(
  graph: Graph,
  question: string,
  scope: Scope,
): { readonly record: EntityRecord; readonly at: number }[] {
  const isNamed = namesIn(question);
  const lower = question.toLowerCase();
  const found = graph.registry
    .known()
    .filter(({ name }) => isNamed(name))
    .sort((left, right) => right.name.length - left.name.length)
    .flatMap(({ name }) => {
      const meant = graph.registry.resolve(name, { context: question, scope });
      return meant.kind === 'entity' ? [{ record: meant.entity, at: lower.indexOf(name.toLowerCase()) }] : [];
    });
  return found.filter(({ record }, place) => found.findIndex((other) => other.record.path === record.path) === place);
}

/** "Ines — sibling-of → Leonor — works-for → Halden". */
export function pathText({ steps }: GraphAnswer): string {
  const [first] = steps;
  return [
    first?.from.name ?? '',
    ...steps.map(({ relation, written, to }) => `— ${relation ?? written} → ${to.name}`),
  ].join(' ');
}
