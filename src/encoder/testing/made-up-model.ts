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

/** Packed weights of no meaning, in the order that `encoder.c` reads them. */
function makeWeights(random: SeededRandom): Buffer {
  const floats = (count: number, make: () => number): Buffer =>
    Buffer.from(Float32Array.from({ length: count }, make).buffer);
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
  const parts = [
    floats(VOCABULARY, () => 0.01),
    Buffer.from(Int8Array.from({ length: VOCABULARY * WIDTH }, () => random.between(-127, 127)).buffer),
    floats(POSITIONS * WIDTH, noise),
    ...norm(),
  ];
  for (let layer = 0; layer < LAYERS; layer += 1) {
    parts.push(...dense(WIDTH, 3 * WIDTH), ...dense(WIDTH, WIDTH), ...dense(WIDTH, INNER), ...dense(INNER, WIDTH));
    parts.push(...norm(), ...norm());
  }
  return Buffer.concat(parts);
}

/** A folder as `training/` exports it, with weights of no meaning. */
export function writeMadeUpModel(): string {
  const weights = makeWeights(new SeededRandom(7));
  const folder = makeTemporaryFolder('mneme-model-');
  fs.writeFileSync(path.join(folder, 'encoder.bin'), weights);
  const manifest = {
    name: 'made-up',
    version: '1',
    maxTokens: 64,
    weights: { file: 'encoder.bin', bytes: weights.length, sha256: hash('sha256', weights) },
  };
  fs.writeFileSync(path.join(folder, 'model.json'), JSON.stringify(manifest));
  return folder;
}
