import { bearerBeside } from '../../reasoner/heuristic/entities/bearer.ts';
import { propertyProblems, relationProblem, type Ontology } from '../../workspace/formats/relations.ts';
import { firstDay, holdsAt, lastDay, type Moment } from '../stores/entities/current-facts.ts';
import type { EntityRecord } from '../stores/registry/entity-record.ts';
import { foldName } from '../stores/registry/names.ts';
import type { Graph } from './graph.ts';
import type { Edge, GraphFact } from './statements.ts';
import { type Triple, edgeHolds, findCycles } from './triples.ts';

export const CONTRADICTION_KINDS = [
  'two-values',
  'meaning',
  'stance',
  'circle',
  'dates',
  'premise-ended',
  'unknown-relation',
  'wrong-ends',
  'wrong-property',
  'dangling-link',
  'same-id',
  'damaged-file',
] as const;

/** Something in the graph that cannot all be true, or that nobody can follow. */
export interface Contradiction {
  readonly kind: (typeof CONTRADICTION_KINDS)[number];
  readonly message: string;
  readonly hint: string;
  readonly path: string;
  readonly line: number;
  /** The facts and edges it is about. */
  readonly items: readonly string[];
}

/** Everything about the whole graph, or about one entity, in the order of the files. */
export function findContradictions(graph: Graph, moment: Moment, about?: EntityRecord): Contradiction[] {
  const isAbout = (path: string): boolean => about === undefined || about.path === path;
  const records = graph.network.records().filter(({ path }) => isAbout(path));
  const triples = [...graph.triples(moment)];
  const found = [
    ...findRivals(graph, moment).filter(({ path }) => isAbout(path)),
    ...findStances(graph, triples).filter(({ path }) => isAbout(path)),
    ...findCircles(graph, triples, about),
    ...records.flatMap((record) => checkRecord(graph, record, moment)),
    ...findEndedPremises(graph, moment).filter(({ path }) => isAbout(path)),
    ...(about === undefined ? findSameIds(graph) : []),
  ];
  return found.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

/** A property that has one value at a time, and two that hold. */
function findRivals(graph: Graph, moment: Moment): Contradiction[] {
  const facts = graph.registry.readRows((rows) => rows.factsWithAttribute());
  const groups = new Map<string, GraphFact[]>();
  const byPath = new Map<string, Map<string, GraphFact>>();
  for (const fact of facts) {
    const own = byPath.get(fact.path) ?? new Map<string, GraphFact>();
    byPath.set(fact.path, own.set(fact.id, fact));
  }
  for (const fact of facts) {
    const { superseded_by: by } = fact.meta;
    if (!holdsAt(fact, by === undefined ? undefined : byPath.get(fact.path)?.get(by), moment)) continue;
    const key = `${fact.path}\n${foldName(fact.attribute ?? '')}\n${bearerIn(graph, fact)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [fact]);
    else group.push(fact);
  }
  return [...groups.values()].flatMap((group) => rivalsOf(graph, group));
}

/** Empty for what is said of the file's own subject. */
function bearerIn(graph: Graph, { path, text, attribute }: GraphFact): string {
  const record = graph.network.record(path);
  return bearerBeside(record === undefined ? [] : [record.name, ...record.aliases], text, attribute) ?? '';
}

function rivalsOf(graph: Graph, group: readonly GraphFact[]): Contradiction[] {
  const [first] = group;
  const values = new Set(group.map(({ value, text }) => foldName(value ?? text)));
  if (first === undefined || values.size < 2) return [];
  const name = graph.network.record(first.path)?.name ?? first.path;
  const said = group.map(({ value, text, id }) => `"${value ?? text}" (^${id})`).join(' and ');
  return [
    {
      kind: 'two-values',
      message: `${name} has more than one ${first.attribute} at a time: ${said}.`,
      hint: 'End the one that no longer holds: `mneme graph fact NAME "…" --replaces ID`.',
      path: first.path,
      line: first.line,
      items: group.map(({ id }) => id),
    },
  ];
}

/** Relations that exclude one another. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  ['prefers', 'avoids'],
  ['confident-about', 'uncertain-about'],
];

function findStances(graph: Graph, triples: readonly Triple[]): Contradiction[] {
  const stated = new Map(triples.map((triple) => [`${triple.from}\n${triple.relation}\n${triple.to}`, triple]));
  return triples.flatMap((triple) => {
    const opposite = OPPOSITES.find(([one]) => one === triple.relation)?.[1];
    const other = opposite === undefined ? undefined : stated.get(`${triple.from}\n${opposite}\n${triple.to}`);
    if (other === undefined) return [];
    const [from, to] = [triple.from, triple.to].map((path) => graph.network.record(path)?.name ?? path);
    return [
      {
        kind: 'stance' as const,
        message: `${from} ${triple.relation} and ${other.relation} ${to} at the same time.`,
        hint: 'End one of the two with `mneme graph unlink`.',
        path: triple.edge.path,
        line: triple.edge.line,
        items: [triple.edge.id, other.edge.id],
      },
    ];
  });
}

/** A transitive relation that leads back to where it began. */
function findCircles(graph: Graph, triples: readonly Triple[], about: EntityRecord | undefined): Contradiction[] {
  const byRelation = new Map<string, Triple[]>();
  for (const triple of triples) {
    const known = graph.ontologyFor(triple.edge.path).relations.get(triple.relation);
    if (known?.isTransitive !== true || known.isSymmetric) continue;
    const list = byRelation.get(triple.relation);
    if (list === undefined) byRelation.set(triple.relation, [triple]);
    else list.push(triple);
  }
  return [...byRelation].flatMap(([relation, edges]) =>
    findCycles(edges).flatMap((cycle) => {
      const [first] = cycle;
      if (first === undefined || (about !== undefined && cycle.every(({ from }) => from !== about.path))) return [];
      const names = [...cycle.map(({ from }) => from), first.from].map(
        (path) => graph.network.record(path)?.name ?? path,
      );
      return [
        {
          kind: 'circle' as const,
          message: `${relation} goes in a circle: ${names.join(' → ')}.`,
          hint: 'One of these edges is wrong; end it with `mneme graph unlink`.',
          path: first.edge.path,
          line: first.edge.line,
          items: cycle.map(({ edge }) => edge.id),
        },
      ];
    }),
  );
}

function checkRecord(graph: Graph, record: EntityRecord, moment: Moment): Contradiction[] {
  const { path } = record;
  const ontology = graph.ontologyFor(path);
  const at = (
    kind: Contradiction['kind'],
    message: string,
    hint: string,
    line = 1,
    items: string[] = [],
  ): Contradiction => ({
    kind,
    message,
    hint,
    path,
    line,
    items,
  });
  const damage =
    record.damage === undefined
      ? []
      : [
          at(
            'damaged-file',
            `${record.name}: ${record.damage}.`,
            'Nothing of it is lost; it is changed only by hand until then.',
          ),
        ];
  const properties = propertyProblems(ontology, record.type, record.properties).map((problem) =>
    at(
      'wrong-property',
      `${record.name}: ${problem}`,
      'Correct it, or define the property in memory/graph/relations.md.',
    ),
  );
  const facts = graph.facts(path).flatMap((fact) => {
    const problem = dateProblem(fact);
    return problem === undefined
      ? []
      : [at('dates', `"${fact.text}" ${problem}.`, 'Correct its dates.', fact.line, [fact.id])];
  });
  const edges = graph.network.written(path).flatMap((edge) => {
    const problem = edgeProblem(graph, ontology, record, edge, moment);
    return problem === undefined ? [] : [at(problem.kind, problem.message, problem.hint, edge.line, [edge.id])];
  });
  return [...damage, ...properties, ...facts, ...edges];
}

function edgeProblem(
  graph: Graph,
  ontology: Ontology,
  record: EntityRecord,
  edge: Edge,
  moment: Moment,
): Pick<Contradiction, 'kind' | 'message' | 'hint'> | undefined {
  const dates = dateProblem(edge);
  if (dates !== undefined) {
    return {
      kind: 'dates',
      message: `${record.name} ${edge.relation} ${edge.target} ${dates}.`,
      hint: 'Correct its dates.',
    };
  }
  if (!edgeHolds(graph.network, edge, moment)) return undefined;
  const to = graph.network.target(edge.target, record.scope);
  if (to === undefined) {
    return {
      kind: 'dangling-link',
      message: `${record.name} ${edge.relation} [[${edge.target}]], which has no file.`,
      hint: `Add it with \`mneme graph add\`, or correct the link.`,
    };
  }
  const problem = relationProblem(ontology, edge.relation, record.type, to.type);
  if (problem === undefined) return undefined;
  const isKnown = ontology.relations.has(edge.relation);
  return {
    kind: isKnown ? 'wrong-ends' : 'unknown-relation',
    message: `${record.name} ${edge.relation} ${to.name}: ${problem}`,
    hint: 'Use another word, or define it in memory/graph/relations.md.',
  };
}

/** Why its dates cannot be right, as the end of a sentence. */
export function dateProblem({ meta }: Pick<Edge, 'meta'>): string | undefined {
  const { from, until } = meta;
  const impossible = [from, until].find((date) => date !== undefined && !isRealDate(date));
  if (impossible !== undefined) return `is dated ${impossible}, which is no day of the calendar`;
  if (from === undefined || until === undefined || firstDay(from) <= lastDay(until)) return undefined;
  return `ended (${until}) before it began (${from})`;
}

/** A month or a year has no day that could be wrong. */
export function isRealDate(date: string): boolean {
  const day = /^(\d{4}-\d{2}-\d{2})/u.exec(date)?.[1];
  if (day === undefined) return true;
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

/** Finds conclusions from premises that no longer hold. */
function findEndedPremises(graph: Graph, moment: Moment): Contradiction[] {
  const concluded: {
    readonly path: string;
    readonly line: number;
    readonly id: string;
    readonly text: string;
    readonly premises: readonly string[];
  }[] = [
    ...graph.registry.readRows((rows) => rows.factsWithPremises()).filter((fact) => holdsAt(fact, undefined, moment)),
    ...graph.network.records().flatMap(({ path, name }) =>
      graph.network
        .written(path)
        .filter((edge) => edge.premises.length > 0 && edgeHolds(graph.network, edge, moment))
        .map(({ line, id, relation, target, premises }) => ({
          path,
          line,
          id,
          premises,
          text: `${name} ${relation} ${target}`,
        })),
    ),
  ];
  return concluded.flatMap(({ path, line, id, text, premises }) => {
    const ended = premises.filter((premise) => !premiseHolds(graph, premise, moment));
    if (ended.length === 0) return [];
    return [
      {
        kind: 'premise-ended' as const,
        message: `"${text}" was concluded from ${ended.map((premise) => `^${premise}`).join(', ')}, which no longer holds.`,
        hint: 'End it too, unless it is known from elsewhere.',
        path,
        line,
        items: [id, ...ended],
      },
    ];
  });
}

function premiseHolds(graph: Graph, id: string, moment: Moment): boolean {
  const { facts, edges } = graph.statement(id);
  return (
    facts.some((fact) => holdsAt(fact, undefined, moment)) ||
    edges.some((edge) => edgeHolds(graph.network, edge, moment))
  );
}

/** Two files that claim the same id: a link to it could mean either. */
function findSameIds(graph: Graph): Contradiction[] {
  const byId = new Map<string, EntityRecord[]>();
  for (const record of graph.network.records()) {
    const key = `${record.scope}\n${record.id.toLowerCase()}`;
    byId.set(key, [...(byId.get(key) ?? []), record]);
  }
  return [...byId.values()].flatMap(([first, second]) => {
    if (first === undefined || second === undefined) return [];
    return [
      {
        kind: 'same-id' as const,
        message: `${first.path} and ${second.path} both have the id ${first.id}.`,
        hint: 'Give one of them another id and file name; a link to it could mean either.',
        path: second.path,
        line: 1,
        items: [],
      },
    ];
  });
}
