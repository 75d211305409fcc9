/**
 * The WebAssembly instructions the kernel needs, as functions from operands to bytes: `i32.add(a, b)` is the code of a,
 * the code of b and the addition. Names and numbers are those of the WebAssembly specification.
 */
export type Code = readonly number[];

/** A local variable or parameter, by its number. */
export type Local = number;

export const VALUE_TYPE = { i32: 0x7f, v128: 0x7b } as const;

/** Blocks that leave nothing on the stack. */
const NO_RESULT = 0x40;
const SIMD_PREFIX = 0xfd;

/** LEB128, as every number inside a module is written. */
export function unsigned(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
  return bytes;
}

function signed(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  // Ends when all that is left is the sign, and the last byte's top bit already says so.
  while (rest < -0x40 || rest > 0x3f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>= 7;
  }
  bytes.push(rest & 0x7f);
  return bytes;
}

function simd(opcode: number): Code {
  return [SIMD_PREFIX, ...unsigned(opcode)];
}

/** Alignment is only a hint to the engine; none is given. */
function memoryOperand(offset: number): Code {
  return [0, ...unsigned(offset)];
}

function binary(opcode: Code): (left: Code, right: Code) => Code {
  return (left, right) => [...left, ...right, ...opcode];
}

export const get = (local: Local): Code => [0x20, ...unsigned(local)];
export const set = (local: Local, value: Code): Code => [...value, 0x21, ...unsigned(local)];

/** Runs the body, and again for as long as the condition holds at its end. */
export function repeatWhile(condition: Code, body: readonly Code[]): Code {
  return [[0x03, NO_RESULT], ...body, condition, [0x0d, 0, 0x0b]].flat();
}

export const i32 = {
  const: (value: number): Code => [0x41, ...signed(value)],
  add: binary([0x6a]),
  load: (address: Code): Code => [...address, 0x28, ...memoryOperand(0)],
  lessUnsigned: binary([0x49]),
};

export const v128 = {
  zero: [...simd(0x0c), ...Array.from({ length: 16 }, () => 0)],
  load: (address: Code, offset = 0): Code => [...address, ...simd(0x00), ...memoryOperand(offset)],
  /** Eight signed bytes, each widened to 16 bits. */
  load8x8Signed: (address: Code, offset = 0): Code => [...address, ...simd(0x01), ...memoryOperand(offset)],
  store: (address: Code, value: Code): Code => [...address, ...value, ...simd(0x0b), ...memoryOperand(0)],
};

export const i32x4 = {
  add: binary(simd(0xae)),
  /** The first or last four of eight 16-bit lanes, widened. */
  extendLow16x8Signed: (value: Code): Code => [...value, ...simd(0xa7)],
  extendHigh16x8Signed: (value: Code): Code => [...value, ...simd(0xa8)],
  /** Products of 16-bit lanes, neighbours added. */
  dot16x8Signed: binary(simd(0xba)),
  /** Four lanes out of left (0–3) and right (4–7). */
  shuffle: (left: Code, right: Code, lanes: readonly [number, number, number, number]): Code => [
    ...left,
    ...right,
    ...simd(0x0d),
    ...lanes.flatMap((lane) => [4 * lane, 4 * lane + 1, 4 * lane + 2, 4 * lane + 3]),
  ],
};

export const f32x4 = {
  convertSigned: (value: Code): Code => [...value, ...simd(0xfa)],
  multiply: binary(simd(0xe6)),
};

export const f64x2 = {
  /** The first two of four integers. */
  convertLowSigned: (value: Code): Code => [...value, ...simd(0xfe)],
  add: binary(simd(0xf0)),
  multiply: binary(simd(0xf2)),
};
