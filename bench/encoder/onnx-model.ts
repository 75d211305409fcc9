/** The packaged model as an 8-bit ONNX graph, as onnxruntime's dynamic quantisation makes it: the same weights, one scale for a matrix. */
import fs from 'node:fs';
import path from 'node:path';
import { WIDTH } from '../../src/encoder/encoder.ts';
import { readModelManifest } from '../../src/encoder/model-files.ts';
import { buildBertOnnx, type Precision } from '../../test/support/minilm/model-folder.ts';
import type {
  BertWeights,
  DenseLayer,
  EncoderLayer,
  LayerNorm,
  QuantizedTensor,
} from '../../test/support/minilm/weights.ts';

const INNER = 1536;
const LAYERS = 6;
const HEADS = 12;
const VOCABULARY = 30_522;
const POSITIONS = 512;
/** The exported queries carry what turns the kernel's powers of two into attention. */
const QUERY_FACTOR = Math.sqrt(WIDTH / HEADS) / Math.LOG2E;
const MAX_BYTE = 255;
const ZERO = 128;
const MAX_STEP = 127;

export function buildPackagedOnnx(folder: string, precision: Precision = 'int8'): Buffer {
  const { words, vectors } = readModelManifest(folder);
  return buildBertOnnx(
    readWeights(fs.readFileSync(path.join(folder, words.file)), fs.readFileSync(path.join(folder, vectors.file))),
    precision,
  );
}

/** In the order of `encoder.c`. */
function readWeights(wordBytes: Buffer, layerBytes: Buffer): BertWeights {
  const table = new Reader(wordBytes);
  const wordScales = table.floats(VOCABULARY);
  const words = table.bytes(VOCABULARY * WIDTH);
  const rows = Float32Array.from(words, (value, at) => value * (wordScales[Math.floor(at / WIDTH)] ?? 0));
  const reader = new Reader(layerBytes);
  const positions = reader.floats(POSITIONS * WIDTH);
  const embeddingNorm = readNorm(reader);
  return {
    words: quantize([VOCABULARY, WIDTH], rows),
    positions: exact([POSITIONS, WIDTH], positions),
    // Already part of the positions.
    tokenTypes: exact([1, WIDTH], new Float32Array(WIDTH)),
    embeddingNorm,
    layers: Array.from({ length: LAYERS }, () => readLayer(reader)),
    attentionHeads: HEADS,
  };
}

function readLayer(reader: Reader): EncoderLayer {
  const joined = readDense(reader, WIDTH, 3 * WIDTH);
  const attentionOutput = toLayer(readDense(reader, WIDTH, WIDTH));
  const intermediate = toLayer(readDense(reader, WIDTH, INNER));
  const output = toLayer(readDense(reader, INNER, WIDTH));
  return {
    query: toLayer(columnsOf(joined, 0, QUERY_FACTOR)),
    key: toLayer(columnsOf(joined, WIDTH, 1)),
    value: toLayer(columnsOf(joined, 2 * WIDTH, 1)),
    attentionOutput,
    intermediate,
    output,
    attentionNorm: readNorm(reader),
    outputNorm: readNorm(reader),
  };
}

interface Dense {
  readonly inputs: number;
  readonly outputs: number;
  readonly weights: Float32Array;
  readonly bias: Float32Array;
}

/** Weights lie as [outputs / 8][inputs / 4][8 outputs][4 inputs]; those of an input were divided by its smoothing factor. */
function readDense(reader: Reader, inputs: number, outputs: number): Dense {
  const smooth = reader.floats(inputs);
  const scale = reader.floats(outputs);
  const bias = reader.floats(outputs);
  // The sums of the columns, which the kernel keeps for its zero points.
  reader.floats(outputs);
  const packed = reader.bytes(inputs * outputs);
  const weights = new Float32Array(inputs * outputs);
  for (let at = 0; at < packed.length; at += 1) {
    const output = Math.floor(at / (8 * inputs)) * 8 + (Math.floor(at / 4) % 8);
    const input = Math.floor((at % (8 * inputs)) / 32) * 4 + (at % 4);
    weights[input * outputs + output] = (packed[at] ?? 0) * (scale[output] ?? 0) * (smooth[input] ?? 0);
  }
  return { inputs, outputs, weights, bias };
}

/** One of the three matrices that stand side by side. */
function columnsOf({ inputs, outputs, weights, bias }: Dense, first: number, factor: number): Dense {
  const own = Float32Array.from({ length: inputs * WIDTH }, (_, at) => {
    const input = Math.floor(at / WIDTH);
    return (weights[input * outputs + first + (at % WIDTH)] ?? 0) * factor;
  });
  const ownBias = bias.slice(first, first + WIDTH).map((value) => value * factor);
  return { inputs, outputs: WIDTH, weights: own, bias: ownBias };
}

/** Every column by itself: with one scale for a matrix these weights lose too much to be the same model. */
function toLayer({ inputs, outputs, weights, bias }: Dense): DenseLayer {
  const columnScales = new Float32Array(outputs);
  for (const [at, value] of weights.entries()) {
    const column = at % outputs;
    columnScales[column] = Math.max(columnScales[column] ?? 0, Math.abs(value) / MAX_STEP);
  }
  const bytes = Uint8Array.from(weights, (value, at) => Math.round(value / (columnScales[at % outputs] || 1)) + ZERO);
  const kernel = { shape: [inputs, outputs], bytes, min: -ZERO, scale: 1 };
  return { kernel, columnScales, bias: exact([outputs], bias) };
}

function readNorm(reader: Reader): LayerNorm {
  const gamma = reader.floats(WIDTH);
  return { gamma: exact([WIDTH], gamma), beta: exact([WIDTH], reader.floats(WIDTH)) };
}

/** What the graph holds as floats anyway: steps of 1 from 0, so that it takes them as they are. */
function exact(shape: readonly number[], values: Float32Array): QuantizedTensor {
  return { shape, bytes: values as unknown as Uint8Array, min: 0, scale: 1 };
}

/** With 0 as a whole number of steps, as ONNX wants it. */
function quantize(shape: readonly number[], values: Float32Array): QuantizedTensor {
  let low = 0;
  let high = 0;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const scale = (high - low || 1) / MAX_BYTE;
  const zero = Math.round(-low / scale);
  const bytes = Uint8Array.from(values, (value) => Math.min(MAX_BYTE, Math.max(0, Math.round(value / scale) + zero)));
  return { shape, bytes, min: -zero * scale, scale };
}

class Reader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  floats(count: number): Float32Array {
    return new Float32Array(Uint8Array.from(this.#take(count * 4)).buffer);
  }

  bytes(count: number): Int8Array {
    return new Int8Array(Uint8Array.from(this.#take(count)).buffer);
  }

  #take(length: number): Buffer {
    this.#at += length;
    return this.#buffer.subarray(this.#at - length, this.#at);
  }
}
