import { describe, expect, it } from 'vitest';
import { readProtobuf } from '../../../src/providers/embeddings/testing/read-protobuf.ts';
import { buildBertOnnx, type Precision } from './model-folder.ts';
import type { BertWeights, DenseLayer, LayerNorm, QuantizedTensor } from './weights.ts';

const HIDDEN = 4;
const BYTES_PER_TYPE: Readonly<Record<number, number>> = { 1: 4, 2: 1, 7: 8 };

function tensor(...shape: number[]): QuantizedTensor {
  const count = shape.reduce((product, size) => product * size, 1);
  return { shape, bytes: Uint8Array.from({ length: count }, (_, index) => index % 256), min: -0.5, scale: 0.01 };
}

const dense = (from: number, to: number): DenseLayer => ({ kernel: tensor(from, to), bias: tensor(to) });
const norm = (): LayerNorm => ({ gamma: tensor(HIDDEN), beta: tensor(HIDDEN) });

const WEIGHTS: BertWeights = {
  words: tensor(7, HIDDEN),
  positions: tensor(5, HIDDEN),
  tokenTypes: tensor(2, HIDDEN),
  embeddingNorm: norm(),
  attentionHeads: 2,
  layers: [0, 1].map(() => ({
    query: dense(HIDDEN, HIDDEN),
    key: dense(HIDDEN, HIDDEN),
    value: dense(HIDDEN, HIDDEN),
    attentionOutput: dense(HIDDEN, HIDDEN),
    attentionNorm: norm(),
    intermediate: dense(HIDDEN, 8),
    output: dense(8, HIDDEN),
    outputNorm: norm(),
  })),
};

interface ReadGraph {
  readonly nodes: { readonly operator: string; readonly inputs: string[]; readonly outputs: string[] }[];
  readonly constants: { readonly name: string; readonly expectedBytes: number; readonly bytes: number }[];
  readonly inputs: string[];
  readonly outputs: string[];
}

function readGraph(model: Buffer): ReadGraph {
  const messages = (fields: ReturnType<typeof readProtobuf>, field: number): ReturnType<typeof readProtobuf>[] =>
    (fields.get(field) ?? []).map((value) => readProtobuf(value as Buffer));
  const texts = (fields: ReturnType<typeof readProtobuf>, field: number): string[] =>
    (fields.get(field) ?? []).map(String);
  const [graph = new Map()] = messages(readProtobuf(model), 7);
  return {
    nodes: messages(graph, 1).map((node) => ({
      operator: texts(node, 4).join(''),
      inputs: texts(node, 1),
      outputs: texts(node, 2),
    })),
    constants: messages(graph, 5).map((constant) => ({
      name: texts(constant, 8).join(''),
      expectedBytes: (constant.get(1) ?? []).reduce<number>(
        (product, size) => product * Number(size),
        BYTES_PER_TYPE[Number(constant.get(2)?.[0])] ?? 0,
      ),
      bytes: Buffer.concat((constant.get(9) ?? []) as Buffer[]).length,
    })),
    inputs: messages(graph, 11).flatMap((value) => texts(value, 1)),
    outputs: messages(graph, 12).flatMap((value) => texts(value, 1)),
  };
}

describe.each<Precision>(['float32', 'int8'])('the %s graph', (precision) => {
  const graph = readGraph(buildBertOnnx(WEIGHTS, precision));

  it('takes ids and mask and gives a vector per token', () => {
    expect(graph.inputs).toEqual(['input_ids', 'attention_mask']);
    expect(graph.outputs).toEqual(['last_hidden_state']);
  });

  it('computes every value once and before it is used', () => {
    const known = new Set([...graph.inputs, ...graph.constants.map(({ name }) => name)]);
    for (const { inputs, outputs } of graph.nodes) {
      for (const input of inputs) expect(known).toContain(input);
      for (const output of outputs) {
        expect(known).not.toContain(output);
        known.add(output);
      }
    }
    for (const output of graph.outputs) expect(known).toContain(output);
  });

  it('stores exactly the bytes each shape needs', () => {
    expect(graph.constants.map(({ bytes }) => bytes)).toEqual(
      graph.constants.map(({ expectedBytes }) => expectedBytes),
    );
  });

  it('has the matrix products of a BERT encoder', () => {
    const count = (operator: string): number => graph.nodes.filter((node) => node.operator === operator).length;
    const perLayer = 6;
    const attention = 2;
    expect(count('MatMul')).toBe(2 * (precision === 'float32' ? perLayer + attention : attention));
    expect(count('MatMulInteger')).toBe(precision === 'float32' ? 0 : 2 * perLayer);
    expect(count('LayerNormalization')).toBe(1 + 2 * 2);
    expect(count('Softmax')).toBe(2);
  });
});
