import { expect, it } from 'vitest';
import { findClusters } from './cluster.ts';

function degreesOf(count: number, links: Uint32Array): Uint32Array {
  const degrees = new Uint32Array(count);
  for (const node of links) degrees[node] = (degrees[node] ?? 0) + 1;
  return degrees;
}

it('gathers two stars around their centres, with what hangs on them', () => {
  // 0 and 4 are centres; 3 hangs on 2, and 8 on nothing.
  const links = Uint32Array.from([0, 1, 0, 2, 2, 3, 4, 5, 4, 6, 4, 7]);
  const { groups, members } = findClusters(9, links, degreesOf(9, links));
  expect([groups[0], groups[1], groups[2], groups[3]]).toEqual([groups[0], groups[0], groups[0], groups[0]]);
  expect([groups[5], groups[6], groups[7]]).toEqual([groups[4], groups[4], groups[4]]);
  expect(groups[0]).not.toBe(groups[4]);
  expect(members.find((own) => own.includes(4))?.[0]).toBe(4);
  expect(members.at(-1)).toEqual([8]);
});

it('keeps groups of a thousand evenly sized where one node knows everybody', () => {
  const count = 1000;
  const pairs: number[] = [];
  for (let node = 1; node < count; node += 1) pairs.push(node, 0, node, (node * 7 + 3) % count);
  const links = Uint32Array.from(pairs);
  const { members } = findClusters(count, links, degreesOf(count, links));
  expect(members.flat().toSorted((one, other) => one - other)).toEqual(Array.from({ length: count }, (_, at) => at));
  expect(Math.max(...members.map(({ length }) => length))).toBeLessThan(200);
});

it('takes a ring without a centre, and an empty graph', () => {
  const links = Uint32Array.from([0, 1, 1, 2, 2, 0]);
  expect(findClusters(3, links, degreesOf(3, links)).members.flat()).toHaveLength(3);
  expect(findClusters(0, new Uint32Array(), new Uint32Array()).members).toEqual([]);
});
