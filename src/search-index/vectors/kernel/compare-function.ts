import {
  type Code,
  type KernelFunction,
  type Local,
  f64x2,
  get,
  i32,
  i32x4,
  repeatWhile,
  set,
  v128,
} from './instructions.ts';

// Parameters: the question in doubles, the addresses of rows and where they end, where sums go, and the bytes of a row.
const QUERY: Local = 0;
const LIST: Local = 1;
const LIST_END: Local = 2;
const SUMS: Local = 3;
const ROW_BYTES: Local = 4;
// Locals.
const ROW: Local = 5;
const ROW_END: Local = 6;
const QUERY_AT: Local = 7;
const CODES: Local = 8;
const FOUR: Local = 9;
const LOW: Local = 10;
const HIGH: Local = 11;

/** Codes that are taken at a time. */
const CODES_PER_LOAD = 8;
const BYTES_PER_DOUBLE = 8;
/** Each row leaves four sums. */
export const BYTES_PER_SUMS = 4 * BYTES_PER_DOUBLE;

const advance = (pointer: Local, bytes: number): Code => set(pointer, i32.add(get(pointer), i32.const(bytes)));

/** Four codes, each added to a sum of its own; `queryOffset` is where their part of the question begins. */
function addFour(codes: Code, queryOffset: number): Code[] {
  const low = f64x2.convertLowSigned(get(FOUR));
  const high = f64x2.convertLowSigned(i32x4.shuffle(get(FOUR), get(FOUR), [2, 3, 2, 3]));
  return [
    set(FOUR, codes),
    set(LOW, f64x2.add(get(LOW), f64x2.multiply(low, v128.load(get(QUERY_AT), queryOffset)))),
    set(HIGH, f64x2.add(get(HIGH), f64x2.multiply(high, v128.load(get(QUERY_AT), queryOffset + 16)))),
  ];
}

const STEP: readonly Code[] = [
  set(CODES, v128.load8x8Signed(get(ROW))),
  ...addFour(i32x4.extendLow16x8Signed(get(CODES)), 0),
  ...addFour(i32x4.extendHigh16x8Signed(get(CODES)), 4 * BYTES_PER_DOUBLE),
  advance(ROW, CODES_PER_LOAD),
  advance(QUERY_AT, CODES_PER_LOAD * BYTES_PER_DOUBLE),
];

const ONE_ROW: readonly Code[] = [
  set(ROW, i32.load(get(LIST))),
  set(ROW_END, i32.add(get(ROW), get(ROW_BYTES))),
  set(QUERY_AT, get(QUERY)),
  set(LOW, v128.zero),
  set(HIGH, v128.zero),
  repeatWhile(i32.lessUnsigned(get(ROW), get(ROW_END)), STEP),
  v128.store(get(SUMS), get(LOW)),
  v128.store(i32.add(get(SUMS), i32.const(2 * BYTES_PER_DOUBLE)), get(HIGH)),
  advance(LIST, Int32Array.BYTES_PER_ELEMENT),
  advance(SUMS, BYTES_PER_SUMS),
];

/** compare(query, list, listEnd, sums, rowBytes): four sums of products for every row listed, of which there is at least one. */
export const compareFunction: KernelFunction = {
  name: 'compare',
  parameters: ['i32', 'i32', 'i32', 'i32', 'i32'],
  locals: ['i32', 'i32', 'i32', 'v128', 'v128', 'v128', 'v128'],
  body: repeatWhile(i32.lessUnsigned(get(LIST), get(LIST_END)), ONE_ROW),
};
