import { MnemeError } from '../../../model/errors.ts';
import type { FactMetadata } from '../../../model/schemas/item.ts';
import type { Change } from '../../../workspace/door/request.ts';
import { addRelation } from '../../../workspace/formats/entity.ts';
import { findItemIndex } from '../../../workspace/formats/entity-changes.ts';
import type { Ontology } from '../../../workspace/formats/relations.ts';
import { removeBlock, replaceBlock } from '../../../workspace/markdown/edit.ts';
import type { MarkdownDocument } from '../../../workspace/markdown/document.ts';
import { changeEntity, missingItem } from '../../stores/entities/entity-edit.ts';
import { planSupersede } from '../../stores/entities/facts.ts';
import { fitRelation } from '../../stores/entities/relation-words.ts';
import { changeWords, planRelation, type RelationPlan } from '../../stores/entities/relations.ts';
import { newId, type Plan, type StoreParts } from '../../stores/plan.ts';
import type { EntityRecord } from '../../stores/registry/entity-record.ts';
import { bareLink, type Network } from '../network.ts';
import type { Edge } from '../statements.ts';
import { canonicalRelation, edgeHolds } from '../triples.ts';
import { allows } from '../../../workspace/formats/relations.ts';

export interface Linking {
  readonly from: EntityRecord;
  readonly relation: string;
  readonly to: EntityRecord;
  readonly meta: FactMetadata;
  /** Keep what the ontology has no word for under the general one, instead of refusing it. */
  readonly isLoose?: boolean | undefined;
  /** Keep the given word to the letter. */
  readonly isExact?: boolean | undefined;
}

/** An edge a person asked for. What the ontology does not allow is refused and said why; nothing is guessed. */
export function planLink(parts: StoreParts, network: Network, ontology: Ontology, linking: Linking): RelationPlan {
  const { from, to, meta, isLoose = false, isExact } = linking;
  if (from.path === to.path) throw new MnemeError('usage', `${from.name} cannot be linked to itself.`);
  if (!network.target(to.id, from.scope)) {
    throw new MnemeError('refused', `${from.id} is ${from.scope} and does not see ${to.id}, which is ${to.scope}.`);
  }
  const fitted = fitRelation(ontology, linking.relation, from.type, to.type);
  if (fitted.problem !== undefined && !isLoose) {
    throw new MnemeError('refused', fitted.problem, { hint: hintFor(ontology, from.type, to.type) });
  }
  refuseCycle(network, ontology, { from, relation: fitted.relation, to });
  const plan = planRelation(parts, ontology, from, { relation: linking.relation, to, meta, isExact });
  return { ...plan, changes: [mustBeThere(to), ...plan.changes] };
}

/** Changes nothing, and refuses the group when a file is gone by then: renamed meanwhile, it would leave a link behind. */
export function mustBeThere({ name, path }: EntityRecord): Change {
  return {
    path,
    edit: (current) => {
      if (current !== undefined) return current;
      throw new MnemeError('conflict', `${name} has no file ${path} any more.`, {
        hint: 'It was renamed or removed meanwhile; repeat the command.',
      });
    },
  };
}

const MAX_HINTED = 8;

function hintFor({ relations }: Ontology, from: string, to: string): string {
  const allowed = [...relations.values()]
    .filter(({ domain, range }) => allows(domain, from) && allows(range, to))
    .map(({ name }) => name);
  const some = allowed.slice(0, MAX_HINTED).join(', ');
  return `From a ${from} to a ${to} there are: ${some}${allowed.length > MAX_HINTED ? ' …' : ''}. Others are defined in memory/graph/relations.md; --loose keeps it as relates-to.`;
}

/** Nothing is part of its own part: an edge that would close a circle of a transitive relation is refused. */
function refuseCycle(
  network: Network,
  ontology: Ontology,
  { from, relation, to }: { readonly from: EntityRecord; readonly relation: string; readonly to: EntityRecord },
): void {
  const { name, isReversed } = canonicalRelation(ontology, relation);
  const known = ontology.relations.get(name);
  if (known?.isTransitive !== true || known.isSymmetric) return;
  const [start, end] = isReversed ? [from, to] : [to, from];
  const chain = findChain(network, ontology, name, start.path, end.path);
  if (chain === undefined) return;
  const names = chain.map((path) => network.record(path)?.name ?? path).join(` ${name} `);
  throw new MnemeError('refused', `${from.name} ${relation} ${to.name} would close a circle: ${names}.`, {
    hint: `End one of these first with \`mneme graph unlink\`.`,
  });
}

/** The files from one end to the other along one relation; undefined when there is no such way. */
export function findChain(
  network: Network,
  ontology: Ontology,
  relation: string,
  start: string,
  end: string,
): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[start, undefined]]);
  const queue = [start];
  for (const at of queue) {
    if (at === end) {
      const chain: string[] = [];
      for (let step: string | undefined = at; step !== undefined; step = cameFrom.get(step)) chain.unshift(step);
      return chain;
    }
    for (const { edge, direction, other } of network.links(at)) {
      if (edge.isSuperseded || cameFrom.has(other)) continue;
      const { name, isReversed } = canonicalRelation(ontology, edge.relation);
      if (name !== relation || (direction === 'out') === isReversed) continue;
      cameFrom.set(other, at);
      queue.push(other);
    }
  }
  return undefined;
}

export interface Unlinking {
  readonly from: EntityRecord;
  /** Any relation between the two when not given. */
  readonly relation?: string | undefined;
  readonly to: EntityRecord;
  /** Since when it no longer holds. */
  readonly until: string;
  /** It never held: the line goes, instead of being struck through. */
  readonly isMistake: boolean;
}

export interface UnlinkPlan {
  readonly plans: readonly Plan<unknown>[];
  readonly edges: readonly Edge[];
}

/** Ends the edges between two, whichever of the two files they stand in. */
export function planUnlink(
  parts: StoreParts,
  network: Network,
  ontology: Ontology,
  { from, relation, to, until, isMistake }: Unlinking,
): UnlinkPlan {
  const wanted = relation === undefined ? undefined : relationBothWays(ontology, relation, from, to);
  const between = network
    .links(from.path)
    .filter(({ other, edge }) => other === to.path && edgeHolds(network, edge, { at: until }));
  const saidSo = between.filter(({ edge, direction }) => direction === 'out' && edge.said.includes(relation ?? ''));
  const edges = (saidSo.length > 0 ? saidSo : between)
    .filter(({ edge, direction }) => {
      if (wanted === undefined || saidSo.length > 0) return true;
      const { name, isReversed } = canonicalRelation(ontology, edge.relation);
      const isSymmetric = ontology.relations.get(name)?.isSymmetric === true;
      return name === wanted.name && (isSymmetric || ((direction === 'out') !== isReversed) === !wanted.isReversed);
    })
    .map(({ edge }) => edge);
  if (edges.length === 0) {
    const what = relation === undefined ? 'no relation' : `no relation "${relation}"`;
    throw new MnemeError('not-found', `There is ${what} from ${from.name} to ${to.name}.`, {
      hint: `\`mneme graph neighbours ${from.id}\` lists the relations there are.`,
    });
  }
  return { plans: edges.map((edge) => planEnd(parts, network, edge, { relation, until, isMistake })), edges };
}

function relationBothWays(
  ontology: Ontology,
  relation: string,
  from: EntityRecord,
  to: EntityRecord,
): ReturnType<typeof canonicalRelation> {
  return canonicalRelation(ontology, fitRelation(ontology, relation, from.type, to.type).named);
}

function planEnd(
  parts: StoreParts,
  network: Network,
  edge: Edge,
  { relation = '', until, isMistake }: Pick<Unlinking, 'relation' | 'until' | 'isMistake'>,
): Plan<unknown> {
  const owner = network.record(edge.path);
  if (owner === undefined) throw new MnemeError('not-found', `${edge.path} is not there any more.`);
  const isShared = network.written(edge.path).some((other) => other !== edge && other.id === edge.id);
  if (!isShared && !isMistake) return planSupersede(parts, owner, edge.id, { until });
  const struck = { id: newId(parts), relation: edge.relation, target: edge.target, isSuperseded: true };
  const change = changeEntity(parts, owner, (document) => {
    const index = findItemIndex(document, edge.path, edge.id);
    const block = index === undefined ? undefined : document.blocks[index];
    if (index === undefined || block === undefined) throw missingItem(owner, edge.id);
    const otherWords = edge.said.filter((word) => word !== relation);
    // The same connection, stated in several words: only this word was a mistake.
    if (isMistake && otherWords.length > 0 && otherWords.length < edge.said.length) {
      return changeWords(document, owner, edge.id, otherWords);
    }
    if (!isShared) return removeBlock(document, index);
    const rest = replaceBlock(document, index, withoutLink(block.raw, edge.target));
    const { learned, from } = edge.meta;
    const meta = { ...(from === undefined ? {} : { from }), ...(learned === undefined ? {} : { learned }), until };
    return isMistake ? rest : addRelation(rest, { ...struck, meta });
  });
  return { changes: [change], notes: [], outcome: (): MarkdownDocument | undefined => undefined };
}

/** `Developed by: [[a]], [[b]]` without one of them. */
function withoutLink(raw: string, target: string): string {
  const pieces = raw.split(/(\s*,?\s*(?:and\s+)?\[\[[^\]]*\]\])/u);
  const kept = pieces.filter((piece) => {
    const link = /\[\[[^\]]*\]\]/u.exec(piece)?.[0];
    return link === undefined || bareLink(link) !== target;
  });
  return kept.join('').replace(/^(\s*[-*+]\s+[^[]*?)\s*,\s*\[\[/u, '$1 [[');
}
