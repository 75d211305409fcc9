/**
 * Fits the weights by which two statements are taken for one, and prints them for `sameness.ts`:
 *
 *   node bench/extract/compare/fit.ts
 *
 * Learnt from pairs of the first half of the sample (k01–k29) and from `pairs.txt`; the second half only judges.
 */
import fs from 'node:fs';
import path from 'node:path';
import { openStaticEmbedder } from '../../../src/providers/embeddings/static.ts';
import { dot } from '../../../src/providers/embeddings/vector.ts';
import { align } from '../../../src/reasoner/heuristic/compare/alignment.ts';
import { detailsOf, type Details } from '../../../src/reasoner/heuristic/compare/details.ts';
import { FEATURES, featuresOf } from '../../../src/reasoner/heuristic/compare/sameness.ts';
import { readSample, type Label } from '../sample.ts';

interface Pair {
  readonly isSame: boolean;
  readonly from: 'A' | 'B' | 'written';
  readonly features: readonly number[];
}

interface Item {
  readonly label: Label;
  readonly session: string;
  readonly half: 'A' | 'B';
  readonly details: Details;
}

const USER = 'Ines';
/** Statements less alike than this are never compared. */
const MIN_LIKENESS = 0.82;
const ROUNDS = 1500;
const RATE = 0.3;
const PENALTY = 0.003;
/** Written pairs are harder than those that happen. */
const WRITTEN = { same: 0.5, other: 0.1 };
const OTHERS = 1.5;
/** A feature that speaks against its own meaning has learnt an accident. */
const SIGNS: readonly number[] = [0, 1, 1, 1, 1, -1, -1, 1, -1, 1, -1, 1, 0, -1];

const folder = path.join(import.meta.dirname, '../../data/knowledge');
const pairs = [...(await samplePairs()), ...(await writtenPairs())];
const weights = fit(pairs.filter(({ from }) => from !== 'B'));
for (const [index, name] of FEATURES.entries())
  process.stdout.write(`  ['${name}', ${(weights[index] ?? 0).toFixed(2)}],\n`);
for (const half of ['A', 'B'] as const) report(half);

async function samplePairs(): Promise<Pair[]> {
  const items = readSample(folder).flatMap(({ session, items: labels }) =>
    labels.map((label): Item => {
      const half = Number(/\d+/u.exec(session)?.[0]) < 30 ? 'A' : 'B';
      return { label, session, half, details: detailsOf(label.statement, USER) };
    }),
  );
  const vectors = await openStaticEmbedder().embed(
    items.map(({ label }) => label.statement),
    'document',
  );
  const found: Pair[] = [];
  for (const [index, one] of items.entries()) {
    for (const [place, other] of items.slice(index + 1).entries()) {
      const likeness = dot(vectors[index] ?? new Float32Array(), vectors[index + 1 + place] ?? new Float32Array());
      if (one.half === other.half && isWorth(one, other, likeness)) found.push(await toPair(one, other));
    }
  }
  return found;
}

/** What replaces something is alike by nature and is told apart by rules; what counts neither way teaches nothing. */
function isWorth({ label: one, session }: Item, { label: other, session: next }: Item, likeness: number): boolean {
  if (one.key === other.key) return true;
  if (session === next || one.optional === true || other.optional === true || likeness < MIN_LIKENESS) return false;
  return ![other.supersedes, other.retracts].flat().includes(one.key);
}

async function toPair(one: Item, other: Item): Promise<Pair> {
  const known = { text: one.label.statement, details: one.details };
  const incoming = { text: other.label.statement, details: other.details };
  const alignment = await align(known, incoming);
  const isSameKind = one.label.kind === other.label.kind;
  const features = featuresOf({ known: one.details, incoming: other.details, alignment, isSameKind });
  return { isSame: one.label.key === other.label.key, from: one.half, features };
}

async function writtenPairs(): Promise<Pair[]> {
  const lines = fs.readFileSync(path.join(import.meta.dirname, 'pairs.txt'), 'utf8').split('\n');
  return Promise.all(
    lines
      .filter((line) => /^[=!] /u.test(line))
      .map(async (line): Promise<Pair> => {
        const [one = '', other = ''] = line.slice(2).split(' | ');
        const known = { text: one, details: detailsOf(one) };
        const incoming = { text: other, details: detailsOf(other) };
        const alignment = await align(known, incoming);
        const evidence = { known: known.details, incoming: incoming.details, alignment, isSameKind: true };
        return { isSame: line.startsWith('='), from: 'written', features: featuresOf(evidence) };
      }),
  );
}

/** Logistic regression by descent with a rate of its own per weight (AdaGrad), on all pairs at once. */
function fit(given: readonly Pair[]): Float64Array {
  const size = FEATURES.length;
  const learned = new Float64Array(size);
  const squares = new Float64Array(size).fill(1e-6);
  const same = given.filter(({ isSame }) => isSame).length;
  const others = given.filter(({ isSame, from }) => !isSame && from !== 'written').length;
  const weightOf = ({ isSame, from }: Pair): number => {
    if (from === 'written') return (isSame ? WRITTEN.same : WRITTEN.other) / same;
    return isSame ? 1 / same : OTHERS / others;
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const slopes = new Float64Array(size);
    for (const pair of given) {
      const error = (1 / (1 + Math.exp(-score(learned, pair))) - Number(pair.isSame)) * weightOf(pair);
      for (const [index, value] of pair.features.entries()) slopes[index] = (slopes[index] ?? 0) + error * value;
    }
    for (let index = 0; index < size; index += 1) {
      const slope = (slopes[index] ?? 0) + (index === 0 ? 0 : PENALTY * (learned[index] ?? 0));
      squares[index] = (squares[index] ?? 0) + slope * slope;
      const next = (learned[index] ?? 0) - (RATE * slope) / Math.sqrt(squares[index] ?? 1);
      learned[index] = (SIGNS[index] ?? 0) * next < 0 ? 0 : next;
    }
  }
  return learned;
}

function score(learned: Float64Array, { features }: Pair): number {
  return features.reduce((sum, value, index) => sum + value * (learned[index] ?? 0), 0);
}

/** How many true pairs come before the first few false ones. */
function report(half: 'A' | 'B'): void {
  const ranked = pairs
    .filter(({ from }) => from === half)
    .sort((one, other) => score(weights, other) - score(weights, one));
  const total = ranked.filter(({ isSame }) => isSame).length;
  let found = 0;
  const steps: string[] = [];
  for (const pair of ranked) {
    if (pair.isSame) found += 1;
    else steps.push(`${found}/${total} at ${score(weights, pair).toFixed(2)}`);
    if (steps.length === 8) break;
  }
  process.stdout.write(`${half}, true pairs before each false one (guards not counted): ${steps.join(', ')}\n`);
}
