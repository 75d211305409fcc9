import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { SeededRandom } from '../../../test/support/seeded-random.ts';
import { WIDTH } from '../encoder.ts';

const INNER = 1536;
const LAYERS = 6;
const VOCABULARY = 30_522;
const POSITIONS = 512;

function floats(count: number, make: () => number): Buffer {
  return Buffer.from(Float32Array.from({ length: count }, make).buffer);
}

function makeWords(random: SeededRandom): Buffer {
  const words = Int8Array.from({ length: VOCABULARY * WIDTH }, () => random.between(-127, 127));
  return Buffer.concat([floats(VOCABULARY, () => 0.01), Buffer.from(words.buffer)]);
}

/** Scales, bias, the last layer and its bias, then the first layer as bytes. */
function makeHead(random: SeededRandom, inputs: number, labels: number): Buffer {
  const noise = (): number => random.number() - 0.5;
  const rows = Int8Array.from({ length: WIDTH * inputs }, () => random.between(-127, 127));
  return Buffer.concat([
    floats(WIDTH, () => 0.001),
    floats(WIDTH, noise),
    floats(labels * WIDTH, noise),
    floats(labels, noise),
    Buffer.from(rows.buffer),
  ]);
}

const TASKS = [
  ['keep', ['none', 'decision', 'lesson', 'person', 'procedure', 'fact', 'preference', 'task', 'correction'], 1],
  ['pairs', ['same', 'update', 'opposite', 'different'], 2],
  ['entities', ['same', 'different'], 2],
  ['requests', ['remember', 'forget', 'recall', 'reflect', 'none'], 1],
  ['what', ['in', 'out'], 1],
  ['topics', ['calls', 'not'], 2],
  ['prompts', ['helps', 'not'], 2],
  ['names', ['begin', 'inside', 'out'], 1],
  ['relations', ['works for', 'manages', 'reports to', 'lives in', 'none'], 2],
] as const;

/** Weights of no meaning, in the order that `encoder.c` reads them. */
function makeLayers(random: SeededRandom): Buffer {
  const noise = (): number => random.number() - 0.5;
  const dense = (inputs: number, outputs: number): Buffer[] => {
    // Small enough that eight of them times 127 fit into 16 bits, as the export makes sure of.
    const weights = Int8Array.from({ length: inputs * outputs }, () => random.between(-31, 31));
    const sums = new Int32Array(outputs);
    for (const [at, weight] of weights.entries()) {
      const column = Math.floor(at / (8 * inputs)) * 8 + (Math.floor(at / 4) % 8);
      sums[column] = (sums[column] ?? 0) + weight;
    }
    return [
      floats(inputs, () => 1),
      floats(outputs, () => 1 / (31 * Math.sqrt(inputs))),
      floats(outputs, noise),
      Buffer.from(sums.buffer),
      Buffer.from(weights.buffer),
    ];
  };
  const norm = (): Buffer[] => [floats(WIDTH, () => 1), floats(WIDTH, noise)];
  const parts = [floats(POSITIONS * WIDTH, noise), ...norm()];
  for (let layer = 0; layer < LAYERS; layer += 1) {
    parts.push(...dense(WIDTH, 3 * WIDTH), ...dense(WIDTH, WIDTH), ...dense(WIDTH, INNER), ...dense(INNER, WIDTH));
    parts.push(...norm(), ...norm());
  }
  return Buffer.concat(parts);
}

/** A folder as `training/` exports it, with weights of no meaning. */
export function writeMadeUpModel(version = '1'): string {
  const random = new SeededRandom(7);
  const tasks = TASKS.map(([task, labels, spans]) => ({ task, labels, spans, inputs: (spans === 1 ? 2 : 4) * WIDTH }));
  const files = {
    words: makeWords(random),
    vectors: makeLayers(random),
    judge: makeLayers(random),
    heads: Buffer.concat(tasks.map(({ inputs, labels }) => makeHead(random, inputs, labels.length))),
  };
  const folder = makeTemporaryFolder('mneme-model-');
  const described = Object.entries(files).map(([name, bytes]) => {
    fs.writeFileSync(path.join(folder, `${name}.bin`), bytes);
    return [name, { file: `${name}.bin`, bytes: bytes.length, sha256: hash('sha256', bytes) }] as const;
  });
  const manifest = { name: 'made-up', version, maxTokens: 64, ...Object.fromEntries(described), tasks };
  fs.writeFileSync(path.join(folder, 'model.json'), JSON.stringify(manifest));
  return folder;
}
