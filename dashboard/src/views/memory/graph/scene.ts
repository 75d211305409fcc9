import type { Output } from '../../../api/call.ts';

export type Page = Output<'graph page'>;
export type Node = Page['entities'][number];

/** The graph as numbers: what is drawn sixty times a second must not look anything up by name. */
export interface Scene {
  readonly nodes: readonly Node[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly links: Uint32Array;
  readonly degrees: Uint32Array;
  /** Node numbers by type. */
  readonly types: readonly { readonly type: string; readonly members: readonly number[] }[];
}

/** Between two members of a group, in the picture's own measure. */
export const MEMBER_SPACING = 15;

/** More are a tangle of lines, whatever their places; they are shown in groups. */
export const MAX_SINGLE = 250;

export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export interface Marked {
  readonly hovered: number | undefined;
  readonly selected: number | undefined;
  /** Neighbours of the selected one, or the way between two; the others step back. */
  readonly near: ReadonlySet<number>;
}

export function makeScene(entities: readonly Node[], relations: Page['relations']): Scene {
  const numbers = new Map(entities.map(({ path }, number) => [path, number]));
  const pairs: number[] = [];
  for (const { from, to } of relations) {
    const source = numbers.get(from);
    const target = numbers.get(to);
    if (source !== undefined && target !== undefined) pairs.push(source, target);
  }
  const byType = Map.groupBy(entities.keys(), (number) => entities[number]?.type ?? '');
  const types = [...byType]
    .map(([type, members]) => ({ type, members }))
    .toSorted((one, other) => other.members.length - one.members.length);
  return {
    nodes: entities,
    numbers,
    links: Uint32Array.from(pairs),
    degrees: Uint32Array.from(entities, ({ degree }) => degree),
    types,
  };
}

export function neighboursOf({ links }: Scene, number: number): Set<number> {
  const near = new Set([number]);
  for (let at = 0; at < links.length; at += 2) {
    if (links[at] === number) near.add(links[at + 1] ?? number);
    if (links[at + 1] === number) near.add(links[at] ?? number);
  }
  return near;
}

/** Members of a group are drawn once they are so far apart on the screen; before, the group stands for them. */
const READABLE_PX = 9;

export function areMembersShown(groups: readonly unknown[], zoom: number): boolean {
  return groups.length === 0 || MEMBER_SPACING * zoom >= READABLE_PX;
}

/** The group whose disc is under a place of the picture. */
export function findGroup<G extends { readonly x: number; readonly y: number; readonly radius: number }>(
  groups: readonly G[],
  x: number,
  y: number,
): G | undefined {
  return groups.find((group) => Math.hypot(group.x - x, group.y - y) <= group.radius);
}

export function radiusOf(degree: number): number {
  return 3.5 + Math.min(11, Math.sqrt(degree) * 1.7);
}

/** Which node is under a place of the picture; the nearest of those it could be. */
export function findNode(scene: Scene, places: Float32Array, x: number, y: number, slack: number): number | undefined {
  let best: number | undefined;
  let bestDistance = Infinity;
  for (let number = 0; number < scene.nodes.length; number += 1) {
    const dx = (places[2 * number] ?? 0) - x;
    const dy = (places[2 * number + 1] ?? 0) - y;
    const distance = Math.hypot(dx, dy) - radiusOf(scene.degrees[number] ?? 0);
    if (distance < slack && distance < bestDistance) {
      best = number;
      bestDistance = distance;
    }
  }
  return best;
}

/** So that everything is in the picture, with a margin. */
export function fitCamera(places: Float32Array, width: number, height: number): Camera {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let at = 0; at < places.length; at += 2) {
    left = Math.min(left, places[at] ?? 0);
    right = Math.max(right, places[at] ?? 0);
    top = Math.min(top, places[at + 1] ?? 0);
    bottom = Math.max(bottom, places[at + 1] ?? 0);
  }
  if (left > right) return { x: 0, y: 0, zoom: 1 };
  const zoom = Math.min(2, (width - 90) / Math.max(60, right - left), (height - 70) / Math.max(60, bottom - top));
  return { x: (left + right) / 2, y: (top + bottom) / 2, zoom };
}
