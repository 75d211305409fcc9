import { WIDTH } from '../encoder/encoder.ts';
import { readWeights, type ModelManifest, type Task } from '../encoder/model-files.ts';

/** A span of tokens: the first, and the one behind the last. */
export type Span = readonly [start: number, end: number];

interface Head {
  readonly task: Task;
  readonly labels: readonly string[];
  readonly inputs: number;
  readonly scale: Float32Array;
  readonly bias: Float32Array;
  readonly out: Float32Array;
  readonly outBias: Float32Array;
  readonly rows: Int8Array;
}

/** The small networks that turn token states into answers: one hidden layer each. */
export class Heads {
  readonly #heads: ReadonlyMap<Task, Head>;

  constructor(folder: string, { heads, tasks }: ModelManifest) {
    const bytes = new Uint8Array(heads.bytes);
    readWeights(folder, heads, bytes);
    let at = 0;
    const floats = (count: number): Float32Array => {
      const part = new Float32Array(bytes.buffer, at, count);
      at += count * Float32Array.BYTES_PER_ELEMENT;
      return part;
    };
    this.#heads = new Map(
      tasks.map(({ task, labels, inputs }) => {
        const [scale, bias] = [floats(WIDTH), floats(WIDTH)];
        const [out, outBias] = [floats(labels.length * WIDTH), floats(labels.length)];
        const rows = new Int8Array(bytes.buffer, at, WIDTH * inputs);
        at += rows.length;
        return [task, { task, labels, inputs, scale, bias, out, outBias, rows }];
      }),
    );
  }

  /** A chance for each of the task's labels, in their order; they add up to one. */
  answer(task: Task, input: Float32Array): Float32Array {
    const { labels, inputs, scale, bias, out, outBias, rows } = this.#headOf(task);
    const hidden = new Float32Array(WIDTH);
    for (let row = 0; row < WIDTH; row += 1) {
      let sum = 0;
      for (let column = 0; column < inputs; column += 1)
        sum += (rows[row * inputs + column] ?? 0) * (input[column] ?? 0);
      hidden[row] = gelu(sum * (scale[row] ?? 0) + (bias[row] ?? 0));
    }
    const scores = Float32Array.from(labels, (_label, place) => {
      let sum = outBias[place] ?? 0;
      for (let column = 0; column < WIDTH; column += 1)
        sum += (out[place * WIDTH + column] ?? 0) * (hidden[column] ?? 0);
      return sum;
    });
    return softmax(scores);
  }

  labelsOf(task: Task): readonly string[] {
    return this.#headOf(task).labels;
  }

  #headOf(task: Task): Head {
    const head = this.#heads.get(task);
    if (head === undefined) throw new TypeError(`The model has no head for ${task}.`);
    return head;
  }
}

/** The first token's state and the mean of a span; of two spans, both means and how far they are apart. */
export function inputOf(states: Float32Array, spans: readonly Span[]): Float32Array {
  const means = spans.map((span) => meanOf(states, span));
  const [left, right] = means;
  const input = new Float32Array((spans.length === 1 ? 2 : 4) * WIDTH);
  input.set(states.subarray(0, WIDTH));
  for (const [place, mean] of means.entries()) input.set(mean, (place + 1) * WIDTH);
  if (left !== undefined && right !== undefined)
    for (let at = 0; at < WIDTH; at += 1) input[3 * WIDTH + at] = Math.abs((left[at] ?? 0) - (right[at] ?? 0));
  return input;
}

function meanOf(states: Float32Array, [start, end]: Span): Float32Array {
  const mean = new Float32Array(WIDTH);
  for (let token = start; token < end; token += 1)
    for (let at = 0; at < WIDTH; at += 1) mean[at] = (mean[at] ?? 0) + (states[token * WIDTH + at] ?? 0);
  const count = Math.max(1, end - start);
  return mean.map((sum) => sum / count);
}

/** x · Φ(x), with the error function by Abramowitz and Stegun 7.1.26: good to a ten-millionth. */
function gelu(x: number): number {
  const z = Math.abs(x) / Math.SQRT2;
  const t = 1 / (1 + 0.327_591_1 * z);
  const poly =
    t * (0.254_829_592 + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
  const error = 1 - poly * Math.exp(-z * z);
  return 0.5 * x * (1 + (x < 0 ? -error : error));
}

function softmax(scores: Float32Array): Float32Array {
  const highest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}
