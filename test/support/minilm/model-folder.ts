import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  readMiniLmWeights,
  readSourceFile,
  SOURCE,
  type BertWeights,
  type DenseLayer,
  type EncoderLayer,
  type LayerNorm,
  type QuantizedTensor,
} from './weights.ts';
import { must } from '../../../src/model/errors.ts';
import { FLOAT32, OnnxGraph } from './onnx-format.ts';

/** The length to which sentence-transformers cuts a text for this model. */
const MAX_TOKENS = 256;

/** Writes all-MiniLM-L6-v2 as a folder that the onnx embedder opens. */
export function writeMiniLmFolder(sourceFolder: string, target: string, precision: Precision): void {
  const model = buildBertOnnx(readMiniLmWeights(sourceFolder), precision);
  mkdirSync(target, { recursive: true });
  writeFileSync(path.join(target, 'model.onnx'), model);
  writeFileSync(path.join(target, 'tokenizer.json'), readSourceFile(sourceFolder, SOURCE.tokenizer));
  writeFileSync(path.join(target, 'sentence_bert_config.json'), `{"max_seq_length": ${MAX_TOKENS}}\n`);
}

/**
 * `float32` computes with the 8-bit weights expanded. `int8` also rounds activations as it goes: a quarter of the size
 * and faster at the same retrieval quality, but the rounding sees the whole batch, so a text's vector varies a little
 * (cosine 0.99) with the company it is embedded in.
 */
export type Precision = 'float32' | 'int8';

const LAYER_NORM_EPSILON = 1e-12;
/** Added to the attention of padding, so that softmax leaves nothing of it. */
const MASKED = -10_000;

/** The ONNX model of a BERT encoder: input_ids and attention_mask in, last_hidden_state out. */
export function buildBertOnnx(weights: BertWeights, precision: Precision): Buffer {
  const graph = new OnnxGraph();
  const hidden = must(weights.words.shape[1], 'the width of the model');
  const ids = graph.input('input_ids', 'int64', ['batch', 'sequence']);
  const mask = graph.input('attention_mask', 'int64', ['batch', 'sequence']);
  const encoder = new EncoderWriter(graph, precision, hidden, weights.attentionHeads);
  const bias = attentionBias(graph, mask);
  let state = embedTokens(graph, encoder, weights, ids, precision);
  for (const layer of weights.layers) state = encoder.layer(layer, state, bias);
  graph.nameOutput(state, 'last_hidden_state');
  graph.output('last_hidden_state', 'float32', ['batch', 'sequence', hidden]);
  return graph.serialize('bert-encoder');
}

/** 0 for real tokens and a large negative number for padding, shaped to be added to every head's scores. */
function attentionBias(graph: OnnxGraph, mask: string): string {
  const padding = graph.node('Sub', [graph.float(1), graph.node('Cast', [mask], { to: FLOAT32 })]);
  return graph.node('Unsqueeze', [graph.node('Mul', [padding, graph.float(MASKED)]), graph.integers([1, 2])]);
}

function embedTokens(
  graph: OnnxGraph,
  encoder: EncoderWriter,
  weights: BertWeights,
  ids: string,
  precision: Precision,
): string {
  const { words } = weights;
  const wordVectors =
    precision === 'float32'
      ? graph.node('Gather', [encoder.floats(words), ids])
      : graph.node('DequantizeLinear', [
          graph.node('Gather', [graph.constant('uint8', words.shape, words.bytes), ids]),
          ...encoder.quantization(words),
        ]);
  const zero = graph.integers([0]);
  const length = graph.node('Slice', [graph.node('Shape', [ids]), graph.integers([1]), graph.integers([2]), zero]);
  const positions = graph.constant('float32', weights.positions.shape, positionsOfFirstSegment(weights));
  const positionVectors = graph.node('Slice', [positions, zero, length, zero]);
  return encoder.norm(weights.embeddingNorm, graph.node('Add', [wordVectors, positionVectors]));
}

/** A sentence alone is all of segment 0, so its token-type vector is added to every position once and for all. */
function positionsOfFirstSegment(weights: BertWeights): Float32Array {
  const positions = dequantize(weights.positions);
  const segment = dequantize(weights.tokenTypes);
  const width = must(weights.positions.shape[1], 'the width of the positions');
  return positions.map((value, index) => value + (segment[index % width] ?? 0));
}

function dequantize({ bytes, min, scale }: QuantizedTensor): Float32Array {
  return Float32Array.from(bytes, (byte) => min + scale * byte);
}

class EncoderWriter {
  readonly #graph: OnnxGraph;
  readonly #precision: Precision;
  readonly #splitShape: string;
  readonly #joinShape: string;
  readonly #attentionScale: string;
  readonly #one: string;
  readonly #half: string;
  readonly #rootOfHalf: string;

  constructor(graph: OnnxGraph, precision: Precision, hidden: number, heads: number) {
    this.#graph = graph;
    this.#precision = precision;
    // In Reshape, 0 keeps a dimension as it is: batch and sequence.
    this.#splitShape = graph.integers([0, 0, heads, hidden / heads]);
    this.#joinShape = graph.integers([0, 0, hidden]);
    this.#attentionScale = graph.float(1 / Math.sqrt(hidden / heads));
    this.#one = graph.float(1);
    this.#half = graph.float(0.5);
    this.#rootOfHalf = graph.float(Math.SQRT1_2);
  }

  layer(layer: EncoderLayer, input: string, bias: string): string {
    const attended = this.#add(this.#dense(layer.attentionOutput, this.#attention(layer, input, bias)), input);
    const normed = this.norm(layer.attentionNorm, attended);
    const expanded = this.#gelu(this.#dense(layer.intermediate, normed));
    return this.norm(layer.outputNorm, this.#add(this.#dense(layer.output, expanded), normed));
  }

  norm({ gamma, beta }: LayerNorm, input: string): string {
    const attributes = { axis: -1, epsilon: { float: LAYER_NORM_EPSILON } };
    return this.#graph.node('LayerNormalization', [input, this.floats(gamma), this.floats(beta)], attributes);
  }

  floats(tensor: QuantizedTensor): string {
    return this.#graph.constant('float32', tensor.shape, dequantize(tensor));
  }

  /** Scale and zero point, as the ONNX operators for 8-bit integers want them. */
  quantization({ min, scale }: QuantizedTensor, columnScales?: Float32Array): [scale: string, zeroPoint: string] {
    const graph = this.#graph;
    const zeroPoint = graph.constant('uint8', [], Uint8Array.of(Math.round(-min / scale)));
    if (columnScales === undefined) return [graph.float(scale), zeroPoint];
    return [graph.constant('float32', [columnScales.length], columnScales), zeroPoint];
  }

  #attention(layer: EncoderLayer, input: string, bias: string): string {
    const graph = this.#graph;
    const query = this.#heads(this.#dense(layer.query, input), [0, 2, 1, 3]);
    const key = this.#heads(this.#dense(layer.key, input), [0, 2, 3, 1]);
    const value = this.#heads(this.#dense(layer.value, input), [0, 2, 1, 3]);
    const scores = graph.node('Mul', [graph.node('MatMul', [query, key]), this.#attentionScale]);
    const shares = graph.node('Softmax', [this.#add(scores, bias)], { axis: -1 });
    const context = graph.node('Transpose', [graph.node('MatMul', [shares, value])], { perm: [0, 2, 1, 3] });
    return graph.node('Reshape', [context, this.#joinShape]);
  }

  #heads(input: string, order: readonly number[]): string {
    return this.#graph.node('Transpose', [this.#graph.node('Reshape', [input, this.#splitShape])], { perm: order });
  }

  #dense(layer: DenseLayer, input: string): string {
    const product =
      this.#precision === 'float32' ? this.#multiply(input, layer.kernel) : this.#multiplyInt8(input, layer);
    return this.#add(product, this.floats(layer.bias));
  }

  #multiply(input: string, kernel: QuantizedTensor): string {
    return this.#graph.node('MatMul', [input, this.floats(kernel)]);
  }

  #multiplyInt8(input: string, { kernel, columnScales }: DenseLayer): string {
    const graph = this.#graph;
    const [quantized = '', inputScale = '', inputZero = ''] = graph.nodeWithOutputs(
      'DynamicQuantizeLinear',
      [input],
      3,
    );
    const [kernelScale, kernelZero] = this.quantization(kernel, columnScales);
    const bytes = graph.constant('uint8', kernel.shape, kernel.bytes);
    const product = graph.node('MatMulInteger', [quantized, bytes, inputZero, kernelZero]);
    const scale = graph.node('Mul', [inputScale, kernelScale]);
    return graph.node('Mul', [graph.node('Cast', [product], { to: FLOAT32 }), scale]);
  }

  /** x · ½ (1 + erf(x / √2)) */
  #gelu(input: string): string {
    const graph = this.#graph;
    const error = graph.node('Erf', [graph.node('Mul', [input, this.#rootOfHalf])]);
    return graph.node('Mul', [graph.node('Mul', [input, this.#half]), this.#add(error, this.#one)]);
  }

  #add(left: string, right: string): string {
    return this.#graph.node('Add', [left, right]);
  }
}
