import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { findModelFolder, readModelManifest } from '../../src/encoder/model-files.ts';
import {
  readMiniLmWeights,
  SOURCE,
  type DenseLayer,
  type LayerNorm,
  type QuantizedTensor,
  type SourceFile,
} from '../../test/support/minilm/weights.ts';
import { makeTemporaryFolder } from '../../test/support/home.ts';

const WIDTH = 384;
const INNER = 1536;
const MOST = 127;
/** The kernel adds 8 products in 16 bits: see `training/mneme_model/export.py`. */
const MOST_IN_GROUP = 254;
/** The kernel's softmax is to the base of 2 and has no scale of its own. */
const QUERY_SCALE = Math.LOG2E / Math.sqrt(32);

/**
 * Packs the starting weights, as `training/fetch.sh` fetches them, the way `training/mneme_model/export.py` packs trained ones.
 * The inputs are smoothed by the packaged model's factors, which come from the same channels. Returns the model's folder.
 */
export function writeUntrainedModel(startFolder: string): string {
  const flat = ({ file, sha256 }: SourceFile): SourceFile => ({ file: path.basename(file), sha256 });
  const start = readMiniLmWeights(startFolder, { layout: flat(SOURCE.layout), weights: flat(SOURCE.weights) });
  const packaged = findModelFolder();
  const folder = makeTemporaryFolder('mneme-untrained-');
  fs.cpSync(packaged, folder, { recursive: true });
  const smoothing = new Smoothing(fs.readFileSync(path.join(packaged, readModelManifest(packaged).vectors.file)));
  const types = toFloats(start.tokenTypes);
  const positions = toFloats(start.positions).map((value, at) => value + (types[at % WIDTH] ?? 0));
  const parts = [bytesOf(positions), packNorm(start.embeddingNorm)];
  smoothing.skip(positions.length + 2 * WIDTH);
  for (const layer of start.layers) {
    parts.push(packMatrix([layer.query, layer.key, layer.value], WIDTH, smoothing, QUERY_SCALE));
    parts.push(packMatrix([layer.attentionOutput], WIDTH, smoothing));
    parts.push(packMatrix([layer.intermediate], WIDTH, smoothing));
    parts.push(packMatrix([layer.output], INNER, smoothing));
    parts.push(packNorm(layer.attentionNorm), packNorm(layer.outputNorm));
    smoothing.skip(4 * WIDTH);
  }
  const files = { words: packWords(toFloats(start.words)), vectors: Buffer.concat(parts) };
  const described = Object.entries(files).map(([name, bytes]) => {
    fs.writeFileSync(path.join(folder, `${name}.bin`), bytes);
    return [name, { file: `${name}.bin`, bytes: bytes.length, sha256: hash('sha256', bytes) }] as const;
  });
  const manifest = { ...readModelManifest(packaged), version: 'untrained', ...Object.fromEntries(described) };
  fs.writeFileSync(path.join(folder, 'model.json'), JSON.stringify(manifest));
  return folder;
}

/** Reads what each matrix of a packed model multiplies its inputs by, one matrix after the other. */
class Smoothing {
  readonly #packed: Buffer;
  #at = 0;

  constructor(packed: Buffer) {
    this.#packed = packed;
  }

  skip(floats: number): void {
    this.#at += floats * 4;
  }

  next(inputs: number, outputs: number): Float32Array {
    const factors = Float32Array.from({ length: inputs }, (_, at) => this.#packed.readFloatLE(this.#at + at * 4));
    this.#at += inputs * 4 + outputs * 12 + inputs * outputs;
    return factors;
  }
}

/** Layers side by side, as one matrix; the first one's outputs are multiplied by `firstScale`. */
function packMatrix(layers: readonly DenseLayer[], inputs: number, smoothing: Smoothing, firstScale = 1): Buffer {
  const blocks = layers.map(({ kernel }) => toFloats(kernel));
  const width = (blocks[0]?.length ?? 0) / inputs;
  const outputs = width * layers.length;
  const factors = smoothing.next(inputs, outputs);
  const bias = layers.flatMap((layer, block) =>
    [...toFloats(layer.bias)].map((value) => value * (block === 0 ? firstScale : 1)),
  );
  const scales = new Float32Array(outputs);
  const sums = new Int32Array(outputs);
  const packed = new Int8Array(inputs * outputs);
  for (let output = 0; output < outputs; output += 1) {
    const block = Math.floor(output / width);
    const own = blocks[block] ?? new Float32Array();
    const column = Float64Array.from({ length: inputs }, (_, input) => {
      const weight = own[input * width + (output % width)] ?? 0;
      return (weight * (block === 0 ? firstScale : 1)) / (factors[input] ?? 1);
    });
    const scale = scaleOf(column);
    scales[output] = scale;
    for (const [input, weight] of column.entries()) {
      const number = Math.max(-MOST, Math.min(MOST, Math.round(weight / scale)));
      const place =
        (Math.floor(output / 8) * (inputs / 4) + Math.floor(input / 4)) * 32 + (output % 8) * 4 + (input % 4);
      packed[place] = number;
      sums[output] = (sums[output] ?? 0) + number;
    }
  }
  return Buffer.concat([factors, scales, Float32Array.from(bias), sums, packed].map(bytesOf));
}

/** The step of a column's 8-bit numbers: so large that no sum of eight overflows. */
function scaleOf(column: Float64Array): number {
  let most = 0;
  const above = new Float64Array(column.length / 8);
  const below = new Float64Array(column.length / 8);
  for (const [input, weight] of column.entries()) {
    const group = Math.floor(input / 16) * 2 + (Math.floor(input / 2) % 2);
    most = Math.max(most, Math.abs(weight) / MOST);
    above[group] = (above[group] ?? 0) + Math.max(0, weight);
    below[group] = (below[group] ?? 0) + Math.max(0, -weight);
  }
  return Math.max(most, Math.max(...above, ...below) / MOST_IN_GROUP, 1e-12);
}

function packWords(words: Float32Array): Buffer {
  const scales = new Float32Array(words.length / WIDTH);
  const numbers = new Int8Array(words.length);
  for (let word = 0; word < scales.length; word += 1) {
    const row = words.subarray(word * WIDTH, (word + 1) * WIDTH);
    const scale = Math.max(Math.max(...row.map(Math.abs)) / MOST, 1e-12);
    scales[word] = scale;
    numbers.set(
      row.map((value) => Math.round(value / scale)),
      word * WIDTH,
    );
  }
  return Buffer.concat([bytesOf(scales), bytesOf(numbers)]);
}

function packNorm({ gamma, beta }: LayerNorm): Buffer {
  return Buffer.concat([bytesOf(toFloats(gamma)), bytesOf(toFloats(beta))]);
}

function toFloats({ bytes, min, scale }: QuantizedTensor): Float32Array {
  return Float32Array.from(bytes, (byte) => min + scale * byte);
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Int32Array | Int8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
