/** Tokens a second of both kernels and of onnxruntime-web, in turns, one thread. */
import fs from 'node:fs';
import path from 'node:path';
import { Encoder } from '../../src/encoder/encoder.ts';
import { findModelFolder, KERNELS } from '../../src/encoder/model-files.ts';
import { must } from '../../src/model/errors.ts';
import { findTableFolder, openTable } from '../../src/providers/embeddings/token-table.ts';
import { WordPiece } from '../../src/providers/embeddings/wordpiece.ts';
import { percentile, progress } from '../support.ts';
import { buildPackagedOnnx } from './onnx-model.ts';
import { openOnnxRuntimeWeb, type Encode } from './onnxruntime-web.ts';

/** Tokens of a text, texts of a call: a question, a turn, a long passage; alone and together. */
const CASES = [
  [12, 1],
  [40, 1],
  [120, 1],
  [40, 8],
  [120, 4],
] as const;
const TURN_MS = 150;
const COMPARED_TEXTS = 50;
const MAX_TOKENS = 510;
/** What frames a text: [CLS] and [SEP]. */
const FIRST = 101;
const LAST = 102;

export interface Throughput {
  /** Tokens a second by engine and case, the median of the rounds. */
  readonly tokensPerSecond: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Times onnxruntime-web's, the median over the cases; null when it is not installed. */
  readonly ratio: Readonly<Record<string, number>> | null;
  /** Mean and least similarity to onnxruntime-web's vectors of the same texts: lower than .99, and the ratio means nothing. */
  readonly cosine: Readonly<Record<string, { readonly mean: number; readonly least: number }>> | null;
}

export async function measureThroughput(rounds: number, onnxFolder: string): Promise<Throughput> {
  const folder = findModelFolder();
  const engines = new Map<string, Encode>();
  for (const kernel of KERNELS) {
    const encoder = Encoder.open(folder, [kernel]);
    engines.set(kernel, (texts) => Promise.resolve(encoder.encode(texts)));
  }
  const web = await openOnnxRuntimeWeb(onnxFolder, buildPackagedOnnx(folder));
  if (web === undefined) progress('onnxruntime-web is not installed: npm install --no-save onnxruntime-web');
  else engines.set('onnxruntime-web', web);
  const tokens = readTokens();
  const samples = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    progress(`throughput, round ${round + 1} of ${rounds}`);
    for (const [length, count] of CASES) {
      const texts = Array.from({ length: count }, (_, number) => textOf(tokens, length, round * 8 + number));
      for (const [name, encode] of engines) {
        const key = `${name} ${length}x${count}`;
        samples.set(key, [...(samples.get(key) ?? []), (length * count * 1000) / (await timeCall(encode, texts))]);
      }
    }
  }
  const speedOf = (name: string, label: string): number => percentile(samples.get(`${name} ${label}`) ?? [], 0.5);
  const labels = CASES.map(([length, count]) => `${length}x${count}`);
  const speeds = [...engines.keys()].map(
    (name) => [name, Object.fromEntries(labels.map((label) => [label, Math.round(speedOf(name, label))]))] as const,
  );
  const ratios = KERNELS.map((kernel) => {
    const each = labels.map((label) => speedOf(kernel, label) / speedOf('onnxruntime-web', label));
    return [kernel, Number(percentile(each, 0.5).toFixed(2))] as const;
  });
  return {
    tokensPerSecond: Object.fromEntries(speeds),
    ratio: web === undefined ? null : Object.fromEntries(ratios),
    cosine: web === undefined ? null : await compareVectors(engines, web, tokens),
  };
}

/** The median call of a turn, in milliseconds. */
async function timeCall(encode: Encode, texts: readonly (readonly number[])[]): Promise<number> {
  await encode(texts);
  const times: number[] = [];
  const endMs = performance.now() + TURN_MS;
  while (times.length < 3 || performance.now() < endMs) {
    const startedMs = performance.now();
    await encode(texts);
    times.push(performance.now() - startedMs);
  }
  return percentile(times, 0.5);
}

async function compareVectors(
  engines: ReadonlyMap<string, Encode>,
  web: Encode,
  tokens: readonly number[],
): Promise<Throughput['cosine']> {
  const texts = Array.from({ length: COMPARED_TEXTS }, (_, number) => textOf(tokens, 12 + number, number));
  const found: [string, { mean: number; least: number }][] = [];
  for (const kernel of KERNELS) {
    const cosines: number[] = [];
    for (const text of texts) {
      const [own] = await must(engines.get(kernel), kernel)([text]);
      const [other] = await web([text]);
      cosines.push(must(own, 'a vector').reduce((sum, value, at) => sum + value * (other?.[at] ?? 0), 0));
    }
    const mean = cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
    found.push([kernel, { mean: Number(mean.toFixed(4)), least: Number(Math.min(...cosines).toFixed(4)) }]);
  }
  return Object.fromEntries(found);
}

interface Told {
  readonly sessions: readonly { readonly turns: readonly { readonly text: string }[] }[];
}

/** The words of conversations in `bench/data`, one after the other. */
function readTokens(): number[] {
  const tokenizer = new WordPiece(openTable(findTableFolder()).pieces);
  const folder = path.resolve(import.meta.dirname, '../data/daily');
  const texts = fs.readdirSync(folder).flatMap((name) => {
    const { sessions } = JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')) as Told;
    return sessions.flatMap(({ turns }) => turns.map(({ text }) => text));
  });
  return texts.flatMap((text) => tokenizer.encode(text, MAX_TOKENS));
}

function textOf(tokens: readonly number[], length: number, number: number): number[] {
  const start = (number * 131) % (tokens.length - length);
  return [FIRST, ...tokens.slice(start, start + length - 2), LAST];
}
