import { MnemeError } from '../../model/errors.ts';
import type { Scope } from '../../model/provenance.ts';
import type { Ontology } from '../../workspace/formats/relations.ts';
import { scopeOfPath } from '../../workspace/formats/layout.ts';
import { Ontologies, type Vocabulary } from '../stores/entities/relations.ts';
import type { Moment } from '../stores/entities/current-facts.ts';
import type { EntityRecord } from '../stores/registry/entity-record.ts';
import type { EntityRegistry, SyncOptions } from '../stores/registry/registry.ts';
import { NameIndex, type NameMatch } from './name-index.ts';
import { Network, type Link } from './network.ts';
import { inferFrom, type Inference, type InferenceLimits } from './rules.ts';
import type { Edge, GraphFact } from './statements.ts';
import { triplesOf, type Triple, byStrength, edgeHolds } from './triples.ts';

export interface FindOptions {
  readonly type?: string | undefined;
  readonly scope?: Scope | undefined;
  readonly limit?: number | undefined;
}

const USUAL_LIMIT = 10;

/** Questions to the graph. Ask `sync` before a piece of work; everything here then answers from memory. */
export class Graph {
  readonly registry: EntityRegistry;
  readonly #ontologies: Ontologies;
  /** Looked at once for each piece of work: a walk asks for thousands of relations. */
  readonly #vocabularies = new Map<Scope, Vocabulary>();
  readonly #network = new Network();
  readonly #names = new NameIndex();

  constructor(root: string, registry: EntityRegistry) {
    this.registry = registry;
    this.#ontologies = new Ontologies(root);
  }

  /** Takes over what was written since, by whichever process. */
  async sync(options: SyncOptions = {}): Promise<void> {
    this.#vocabularies.clear();
    await this.registry.sync(options);
  }

  get network(): Network {
    return this.registry.follow(this.#network);
  }

  ontologyFor(path: string): Ontology {
    return this.vocabularyFor(scopeOfPath(path)).ontology;
  }

  /** The relations and rules that count in a scope. */
  vocabularyFor(scope: Scope): Vocabulary {
    const known = this.#vocabularies.get(scope);
    if (known !== undefined) return known;
    const vocabulary = this.#ontologies.forScope(scope);
    this.#vocabularies.set(scope, vocabulary);
    return vocabulary;
  }

  /** Everybody whose name, alias or id is like this, the likeliest first. */
  findByName(name: string, { type, scope = 'shared', limit = USUAL_LIMIT }: FindOptions = {}): NameMatch[] {
    return this.registry.follow(this.#names).find(name, { limit, scope, type: type?.toLowerCase() });
  }

  /** The one entity a person means; throws when nobody or several fit, and names those. */
  get(name: string, { type, scope = 'shared' }: FindOptions = {}): EntityRecord {
    const resolution = this.registry.resolve(name, { type, scope });
    if (resolution.kind === 'entity') return resolution.entity;
    if (resolution.kind === 'candidates') {
      const names = resolution.candidates.map(({ name: known, id }) => `${known} (${id})`).join(', ');
      throw new MnemeError('conflict', `"${name}" may be ${names}.`, { hint: 'Give the id in parentheses.' });
    }
    const near = this.findByName(name, { type, scope, limit: 3 });
    const names = near.map(({ path }) => this.network.record(path)).flatMap((record) => record ?? []);
    const hint =
      names.length === 0
        ? '`mneme graph list` shows everybody; `mneme graph add` adds somebody.'
        : `Did you mean ${names.map((record) => `${record.name} (${record.id})`).join(', ')}?`;
    throw new MnemeError('not-found', `Nobody and nothing is called "${name}".`, { hint });
  }

  neighbours(path: string, limits: NeighbourLimits): Neighbourhood {
    return findNeighbours(this.network, path, limits);
  }

  path(start: string, end: string, limits: WalkLimits & { readonly maxSteps: number }): Step[] | undefined {
    return findPath(this.network, start, end, limits);
  }

  /** Every edge whose ends are known, in the order of the files; those that hold at a moment when one is given. */
  triples(moment?: Moment): Iterable<Triple> {
    const { network } = this;
    const paths = network.records().map(({ path }) => path);
    return triplesOf(network, (path) => this.ontologyFor(path), paths, moment);
  }

  infer(
    moment: Moment,
    limits: InferenceLimits & { readonly scope: Scope },
  ): { readonly inferences: readonly Inference[]; readonly isCut: boolean } {
    const { ontology, rules } = this.vocabularyFor(limits.scope);
    const own = [...this.triples(moment)].filter(({ from, to }) => this.#isIn(limits.scope, from, to));
    return inferFrom(own, ontology, rules, limits);
  }

  /** The facts of one file, as the rows have them. */
  facts(path: string): GraphFact[] {
    return this.registry.readRows((rows) => rows.facts(path));
  }

  /** The fact or edge of an id; several edges where one line names several. */
  statement(id: string): { readonly facts: readonly GraphFact[]; readonly edges: readonly Edge[] } {
    return this.registry.readRows((rows) => ({ facts: rows.factsById(id), edges: rows.edgesById(id) }));
  }

  #isIn(scope: Scope, ...paths: readonly string[]): boolean {
    return paths.every((path) => {
      const own = this.network.record(path)?.scope ?? 'shared';
      return own === 'shared' || own === scope;
    });
  }
}

/** The limits of a walk. */
interface WalkLimits {
  readonly moment: Moment;
  /** Only edges for which this holds. */
  readonly accepts?: ((link: Link, from: string) => boolean) | undefined;
}

interface Neighbourhood {
  /** Everybody reached, the start first, with how many steps it took. */
  readonly reached: ReadonlyMap<string, number>;
  /** The edges between them, as the end they were reached from sees them. */
  readonly links: readonly (Link & { readonly from: string })[];
  /** Whether edges were left out. */
  readonly isCut: boolean;
}

interface NeighbourLimits extends WalkLimits {
  readonly depth: number;
  /** Most edges followed from one entity, the strongest first. */
  readonly maxNeighbours: number;
  /** Most entities reached in all. */
  readonly maxReached: number;
}

function findNeighbours(network: Network, start: string, limits: NeighbourLimits): Neighbourhood {
  const reached = new Map([[start, 0]]);
  const links: (Link & { readonly from: string })[] = [];
  const seen = new Set<Link['edge']>();
  let isCut = false;
  let frontier = [start];
  for (let depth = 1; depth <= limits.depth && frontier.length > 0; depth += 1) {
    const next: string[] = [];
    for (const from of frontier) {
      const open = walkable(network, from, limits);
      if (open.length > limits.maxNeighbours) isCut = true;
      const strongest = open.length > limits.maxNeighbours ? [...open].sort(byStrength) : open;
      for (const link of strongest.slice(0, limits.maxNeighbours)) {
        if (seen.has(link.edge)) continue;
        if (!reached.has(link.other)) {
          if (reached.size >= limits.maxReached) {
            isCut = true;
            continue;
          }
          reached.set(link.other, depth);
          next.push(link.other);
        }
        seen.add(link.edge);
        links.push({ ...link, from });
      }
    }
    frontier = next;
  }
  return { reached, links, isCut };
}

interface Step extends Link {
  readonly from: string;
}

/** The side a search grows from: how everybody on it was reached. */
interface Side {
  readonly reached: Map<string, Step | undefined>;
  frontier: string[];
}

/** The shortest chain of edges between two, or undefined; of equally short ones always the same. */
function findPath(
  network: Network,
  start: string,
  end: string,
  { maxSteps, ...limits }: WalkLimits & { readonly maxSteps: number },
): Step[] | undefined {
  if (start === end) return [];
  const near: Side = { reached: new Map([[start, undefined]]), frontier: [start] };
  const far: Side = { reached: new Map([[end, undefined]]), frontier: [end] };
  for (let steps = 0; steps < maxSteps; steps += 1) {
    // From both ends at once, the smaller first: a chain of six is then two of three.
    const isNear = near.frontier.length <= far.frontier.length;
    const [side, other] = isNear ? [near, far] : [far, near];
    if (side.frontier.length === 0) return undefined;
    const met = grow(network, side, other, { ...limits, isForward: isNear });
    if (met !== undefined) return join(near, far, met);
  }
  return undefined;
}

function grow(
  network: Network,
  side: Side,
  other: Side,
  limits: WalkLimits & { readonly isForward: boolean },
): string | undefined {
  const next: string[] = [];
  let met: string | undefined;
  for (const from of side.frontier) {
    for (const link of walkable(network, from, limits)) {
      if (side.reached.has(link.other)) continue;
      side.reached.set(link.other, { ...link, from });
      next.push(link.other);
      if (other.reached.has(link.other) && (met === undefined || link.other < met)) met = link.other;
    }
  }
  side.frontier = next;
  return met;
}

function join(near: Side, far: Side, met: string): Step[] {
  const steps: Step[] = [];
  for (let step = near.reached.get(met); step !== undefined; step = near.reached.get(step.from)) steps.unshift(step);
  for (let step = far.reached.get(met); step !== undefined; step = far.reached.get(step.from)) {
    // Reached from its far end: read the other way round.
    steps.push({
      edge: step.edge,
      direction: step.direction === 'out' ? 'in' : 'out',
      from: step.other,
      other: step.from,
    });
  }
  return steps;
}

function walkable(network: Network, path: string, { moment, accepts }: WalkLimits): readonly Link[] {
  return network
    .links(path)
    .filter((link) => edgeHolds(network, link.edge, moment) && (accepts === undefined || accepts(link, path)));
}
