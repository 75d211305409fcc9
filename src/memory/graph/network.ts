import { scopeCanSee, type Scope } from '../../model/provenance.ts';
import { fileStem } from '../../workspace/formats/layout.ts';
import type { EntityRecord } from '../stores/registry/entity-record.ts';
import type { Follower, TableChanges } from '../stores/registry/record-table.ts';
import type { Edge } from './statements.ts';

/** An edge as one of its ends sees it. */
export interface Link {
  readonly edge: Edge;
  /** `out` where the edge is written in this entity's file. */
  readonly direction: 'out' | 'in';
  /** The file of the other end. */
  readonly other: string;
}

interface Node {
  record: EntityRecord;
  edges: readonly Edge[];
}

const NO_EDGES: readonly Edge[] = [];
const MAX_MERGES = 10;

/** Entities and edges as they are walked: in memory, taken from the table and in step with it. */
export class Network implements Follower {
  readonly #nodes = new Map<string, Node>();
  /** By id and by file name, as links have them, folded as Obsidian does. */
  readonly #byKey = new Map<string, Set<string>>();
  /** Edges by what they lead to. */
  readonly #leadingTo = new Map<string, Set<Edge>>();
  /** Files of entities that were merged, by what they were merged into. */
  readonly #mergedInto = new Map<string, Set<string>>();
  readonly #links = new Map<string, readonly Link[]>();

  reset(): void {
    for (const map of [this.#nodes, this.#byKey, this.#leadingTo, this.#mergedInto, this.#links]) map.clear();
  }

  apply({ records, gone, edges }: TableChanges): void {
    const byPath = new Map<string, Edge[]>();
    for (const edge of edges()) {
      const list = byPath.get(edge.path);
      if (list === undefined) byPath.set(edge.path, [edge]);
      else list.push(edge);
    }
    for (const path of gone) this.#remove(path);
    for (const record of records) this.#put(record, byPath.get(record.path) ?? NO_EDGES);
  }

  get size(): number {
    return this.#nodes.size;
  }

  /** Everybody, in the order of their files. */
  records(): EntityRecord[] {
    return [...this.#nodes.values()].map(({ record }) => record).sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  record(path: string): EntityRecord | undefined {
    return this.#nodes.get(path)?.record;
  }

  /** The edges written in a file, dangling ones too. */
  written(path: string): readonly Edge[] {
    return this.#nodes.get(path)?.edges ?? NO_EDGES;
  }

  /** The target of a link written in a scope: by id or file name, and on to the entity it was merged into. */
  target(key: string, scope: Scope): EntityRecord | undefined {
    return this.#followMerges(this.#visible(key, scope));
  }

  /** Every edge of an entity that leads somewhere, from either end, in a fixed order. */
  links(path: string): readonly Link[] {
    let links = this.#links.get(path);
    if (links === undefined) {
      links = this.#collect(path);
      this.#links.set(path, links);
    }
    return links;
  }

  #visible(key: string, scope: Scope): EntityRecord | undefined {
    let shared: EntityRecord | undefined;
    for (const path of this.#byKey.get(key.toLowerCase()) ?? []) {
      const record = this.#nodes.get(path)?.record;
      if (record === undefined || !scopeCanSee(scope, record.scope)) continue;
      if (record.scope === scope && scope !== 'shared') return record;
      if (shared === undefined || record.path < shared.path) shared = record;
    }
    return shared;
  }

  #followMerges(start: EntityRecord | undefined): EntityRecord | undefined {
    let at = start;
    for (let step = 0; step < MAX_MERGES && at?.mergedInto !== undefined; step += 1) {
      const next = this.#visible(bareLink(at.mergedInto), at.scope);
      if (next === undefined || next.path === start?.path) return at;
      at = next;
    }
    return at;
  }

  #collect(path: string): Link[] {
    const node = this.#nodes.get(path);
    if (node === undefined) return [];
    const links: Link[] = [];
    for (const source of this.#absorbed(node.record)) {
      const scope = this.#nodes.get(source)?.record.scope ?? 'shared';
      for (const edge of this.written(source)) {
        const other = this.target(edge.target, scope)?.path;
        if (other !== undefined && other !== path) links.push({ edge, direction: 'out', other });
      }
    }
    for (const edge of this.#arriving(node.record)) {
      const from = this.#followMerges(this.#nodes.get(edge.path)?.record);
      if (from === undefined || from.path === path) continue;
      const scope = this.#nodes.get(edge.path)?.record.scope ?? 'shared';
      if (this.target(edge.target, scope)?.path === path) links.push({ edge, direction: 'in', other: from.path });
    }
    return this.#withoutEchoes(links).sort(byPlace);
  }

  /** Counts a link once when both a merged file and the entity it was merged into state it. */
  #withoutEchoes(links: readonly Link[]): Link[] {
    const isLeftover = ({ edge }: Link): boolean => this.#nodes.get(edge.path)?.record.mergedInto !== undefined;
    const keyOf = ({ edge, direction, other }: Link): string =>
      `${direction} ${edge.relation} ${other} ${edge.isSuperseded ? 'ended' : 'holds'}`;
    const said = new Set(links.filter((link) => !isLeftover(link)).map(keyOf));
    return links.filter((link) => !isLeftover(link) || !said.has(keyOf(link)));
  }

  /** The file itself and those of everybody who was merged into it. */
  #absorbed(record: EntityRecord): string[] {
    const found = [record.path];
    for (let at = 0; at < found.length && at <= MAX_MERGES; at += 1) {
      const own = this.#nodes.get(found[at] ?? '')?.record;
      for (const key of own === undefined ? [] : keysOf(own)) {
        for (const path of this.#mergedInto.get(key) ?? []) if (!found.includes(path)) found.push(path);
      }
    }
    return found.filter((path) => this.#followMerges(this.#nodes.get(path)?.record)?.path === record.path);
  }

  #arriving(record: EntityRecord): Set<Edge> {
    const edges = new Set<Edge>();
    for (const path of this.#absorbed(record)) {
      const own = this.#nodes.get(path)?.record;
      for (const key of own === undefined ? [] : keysOf(own)) {
        for (const edge of this.#leadingTo.get(key) ?? []) edges.add(edge);
      }
    }
    return edges;
  }

  #put(record: EntityRecord, edges: readonly Edge[]): void {
    const known = this.#nodes.get(record.path);
    const isSamePlace = known !== undefined && sharesPlace(known.record, record);
    if (known !== undefined) this.#forget(known);
    this.#nodes.set(record.path, { record, edges });
    for (const key of keysOf(record)) addTo(this.#byKey, key, record.path);
    if (record.mergedInto !== undefined)
      addTo(this.#mergedInto, bareLink(record.mergedInto).toLowerCase(), record.path);
    for (const edge of edges) addTo(this.#leadingTo, edge.target.toLowerCase(), edge);
    // A new entity may change the target of any link; otherwise only the links that it names change.
    if (isSamePlace) this.#dropLinks(record, [...known.edges, ...edges]);
    else this.#links.clear();
  }

  #remove(path: string): void {
    const known = this.#nodes.get(path);
    if (known === undefined) return;
    this.#forget(known);
    this.#nodes.delete(path);
    this.#links.clear();
  }

  #forget({ record, edges }: Node): void {
    for (const key of keysOf(record)) takeFrom(this.#byKey, key, record.path);
    if (record.mergedInto !== undefined) {
      takeFrom(this.#mergedInto, bareLink(record.mergedInto).toLowerCase(), record.path);
    }
    for (const edge of edges) takeFrom(this.#leadingTo, edge.target.toLowerCase(), edge);
  }

  #dropLinks(record: EntityRecord, edges: readonly Edge[]): void {
    const own = this.#followMerges(record);
    this.#links.delete(record.path);
    if (own !== undefined) this.#links.delete(own.path);
    for (const { target } of edges) {
      const other = this.target(target, record.scope);
      if (other !== undefined) this.#links.delete(other.path);
    }
    // Edges that arrive here are seen from their own files too, and hold the same edge objects: nothing to drop there.
  }
}

function sharesPlace(left: EntityRecord, right: EntityRecord): boolean {
  return left.id === right.id && left.scope === right.scope && left.mergedInto === right.mergedInto;
}

/** The id, and the file's name where a person called it otherwise. */
function keysOf({ id, path }: EntityRecord): string[] {
  return [...new Set([id.toLowerCase(), fileStem(path).toLowerCase()])];
}

/** `[[person--ada|Ada]]` and `person--ada` name the same. */
export function bareLink(link: string): string {
  return link
    .trim()
    .replace(/^\[\[|\]\]$/gu, '')
    .replace(/[|#].*$/su, '')
    .replace(/^.*\//u, '')
    .replace(/\.md$/iu, '')
    .trim();
}

function byPlace(left: Link, right: Link): number {
  if (left.direction !== right.direction) return left.direction === 'out' ? -1 : 1;
  if (left.edge.path !== right.edge.path) return left.edge.path < right.edge.path ? -1 : 1;
  return left.edge.line - right.edge.line || (left.edge.target < right.edge.target ? -1 : 1);
}

function addTo<T>(map: Map<string, Set<T>>, key: string, value: T): void {
  const set = map.get(key);
  if (set === undefined) map.set(key, new Set([value]));
  else set.add(value);
}

function takeFrom<T>(map: Map<string, Set<T>>, key: string, value: T): void {
  const set = map.get(key);
  set?.delete(value);
  if (set?.size === 0) map.delete(key);
}
