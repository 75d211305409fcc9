import { must } from '../../../model/errors.ts';
import type { OnnxRuntime, OnnxSession, OnnxTensor } from '../onnx.ts';

const WIDTH = 6;

export interface FakeRuntime {
  readonly runtime: OnnxRuntime;
  /** [texts, longest] of every run. */
  readonly shapes: (readonly number[])[];
  readonly released: () => number;
}

/** Stands for onnxruntime-node: gives every token a vector made from its id, and padding one that must not be seen. */
export function fakeOnnxRuntime(inputNames = ['input_ids', 'attention_mask', 'token_type_ids']): FakeRuntime {
  const shapes: (readonly number[])[] = [];
  let released = 0;
  const session: OnnxSession = {
    inputNames,
    outputNames: ['last_hidden_state'],
    run: async (feeds) => {
      for (const name of inputNames) must(feeds[name], name);
      const ids = must(feeds['input_ids'], 'input_ids');
      shapes.push(ids.dims);
      return { last_hidden_state: hiddenState(ids, must(feeds['attention_mask'], 'attention_mask')) };
    },
    release: async () => {
      released++;
    },
  };
  class Tensor implements OnnxTensor {
    readonly data: BigInt64Array;
    readonly dims: readonly number[];

    constructor(_type: 'int64', data: BigInt64Array, dims: readonly number[]) {
      this.data = data;
      this.dims = dims;
    }
  }
  const runtime: OnnxRuntime = { InferenceSession: { create: async () => session }, Tensor };
  return { runtime, shapes, released: () => released };
}

function hiddenState(ids: OnnxTensor, mask: OnnxTensor): OnnxTensor {
  const data = new Float32Array(ids.data.length * WIDTH);
  ids.data.forEach((id, position) => {
    for (let column = 0; column < WIDTH; column++) {
      const real = Number(mask.data[position]) === 1;
      data[position * WIDTH + column] = real ? Math.sin(Number(id) * (column + 1)) : 1000;
    }
  });
  return { data, dims: [...ids.dims, WIDTH] };
}
