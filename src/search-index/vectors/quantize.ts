import { MnemeError } from '../../model/errors.ts';
import { rotate, rotateBack } from './rotate.ts';

/** Symmetric, so that a vector and its opposite get opposite codes. */
const HIGHEST_CODE = 127;

export interface QuantizedVector {
  /** Of the turned vector (`rotate.ts`), a byte per dimension. */
  readonly codes: Int8Array;
  /** The value of one step of a code; 0 for the zero vector, which is close to nothing and is stored without a vector. */
  readonly scale: number;
}

export function quantize(vector: Float32Array): QuantizedVector {
  const turned = rotate(vector);
  const codes = new Int8Array(vector.length);
  const step = largestOf(turned, 'A vector') / HIGHEST_CODE;
  if (step === 0) return { codes, scale: 0 };
  let products = 0;
  let squares = 0;
  for (let index = 0; index < turned.length; index++) {
    const value = turned[index] ?? 0;
    const code = Math.round(value / step);
    codes[index] = code;
    products += value * code;
    squares += code * code;
  }
  // The scale that comes closest to the vector: rounding lengthens some and shortens others, which would count.
  return { codes, scale: Math.fround(products / squares) };
}

/** The vector that the codes stand for. */
export function dequantize({ codes, scale }: QuantizedVector): Float32Array {
  return rotateBack(Float32Array.from(codes, (code) => code * scale));
}

/** A question's vector: it is not stored, so its codes can be finer than one byte. */
export interface QuantizedQuery {
  readonly codes: Int16Array;
  /** The turned vector itself. */
  readonly turned: Float32Array;
  /** Length of the query, and of what rounding took from it, both in steps of a code. */
  readonly length: number;
  readonly roundingLength: number;
}

/** Undefined for the zero vector. */
export function quantizeQuery(query: Float32Array, highestCode: number): QuantizedQuery | undefined {
  const turned = rotate(query);
  const stepsPerUnit = highestCode / largestOf(turned, 'The vector of a question');
  // Next to nothing is nothing.
  if (stepsPerUnit === Infinity) return undefined;
  const codes = new Int16Array(turned.length);
  let squares = 0;
  let roundingSquares = 0;
  for (let index = 0; index < turned.length; index++) {
    const exact = (turned[index] ?? 0) * stepsPerUnit;
    const code = Math.round(exact);
    codes[index] = code;
    squares += exact * exact;
    roundingSquares += (exact - code) ** 2;
  }
  return { codes, turned, length: Math.sqrt(squares), roundingLength: Math.sqrt(roundingSquares) };
}

function largestOf(turned: Float32Array, what: string): number {
  let largest = 0;
  for (const value of turned) {
    if (!Number.isFinite(value)) throw new MnemeError('failure', `${what} contains values that are not numbers.`);
    largest = Math.max(largest, Math.abs(value));
  }
  return largest;
}
