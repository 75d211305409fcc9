/** onnxruntime-web, where it is installed: an engine to compare with, not a dependency. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { WIDTH } from '../../src/encoder/encoder.ts';
import { must } from '../../src/model/errors.ts';
import type { OnnxRuntime } from '../../src/providers/embeddings/onnx.ts';

export type Encode = (texts: readonly (readonly number[])[]) => Promise<readonly Float32Array[]>;

interface WebRuntime extends OnnxRuntime {
  readonly env: { readonly wasm: { numThreads: number } };
}

/** Undefined when the package is not found from `folder`. */
export async function openOnnxRuntimeWeb(folder: string, model: Buffer): Promise<Encode | undefined> {
  const runtime = findRuntime(folder);
  if (runtime === undefined) return undefined;
  runtime.env.wasm.numThreads = 1;
  const session = await runtime.InferenceSession.create(model, { executionProviders: ['wasm'] });
  return async (texts) => {
    const length = Math.max(...texts.map((ids) => ids.length));
    const ids = new BigInt64Array(texts.length * length);
    const mask = new BigInt64Array(texts.length * length);
    for (const [number, text] of texts.entries()) {
      for (const [at, id] of text.entries()) {
        ids[number * length + at] = BigInt(id);
        mask[number * length + at] = 1n;
      }
    }
    const shape = [texts.length, length];
    const { last_hidden_state: states } = await session.run({
      input_ids: new runtime.Tensor('int64', ids, shape),
      attention_mask: new runtime.Tensor('int64', mask, shape),
    });
    const values = must(states, 'the last hidden state').data as Float32Array;
    return texts.map((text, number) => pool(values, number * length * WIDTH, text.length));
  };
}

function findRuntime(folder: string): WebRuntime | undefined {
  try {
    return createRequire(path.join(path.resolve(folder), 'package.json'))('onnxruntime-web') as WebRuntime;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** The mean of the tokens' states, of length 1. */
function pool(states: Float32Array, start: number, tokens: number): Float32Array {
  const sum = new Float32Array(WIDTH);
  for (let at = 0; at < tokens * WIDTH; at += 1) {
    const place = at % WIDTH;
    sum[place] = (sum[place] ?? 0) + (states[start + at] ?? 0);
  }
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}
