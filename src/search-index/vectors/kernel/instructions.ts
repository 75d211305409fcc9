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

type ValueType = keyof typeof VALUE_TYPE;

/** A function without a result that works on imported memory. */
export interface KernelFunction {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  readonly locals: readonly ValueType[];
  readonly body: Code;
}

const MAGIC_AND_VERSION = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const SECTION = { type: 1, import: 2, function: 3, export: 7, code: 10 } as const;
const FUNCTION_TYPE = 0x60;
const IMPORTED_MEMORY = 0x02;
const EXPORTED_FUNCTION = 0x00;
const NO_MAXIMUM = 0x00;
const END = 0x0b;

/** Joined by `flat`: spreading thousands of bytes through every level takes a millisecond at start-up. */
const join = (...parts: readonly Code[]): Code => parts.flat();
const lengthFirst = (content: Code): Code => join(unsigned(content.length), content);
/** Names are ASCII. */
const text = (value: string): Code => lengthFirst(Array.from(value, (letter) => letter.charCodeAt(0)));
const list = (items: readonly Code[]): Code => join(unsigned(items.length), ...items);
const section = (id: number, items: readonly Code[]): Code => join([id], lengthFirst(list(items)));
const types = (names: readonly ValueType[]): Code => list(names.map((name) => [VALUE_TYPE[name]]));

/** A module that imports `kernel.memory` and exports one function. */
export function assembleModule(kernel: KernelFunction): Uint8Array<ArrayBuffer> {
  const signature = join([FUNCTION_TYPE], types(kernel.parameters), list([]));
  const memory = join(text('kernel'), text('memory'), [IMPORTED_MEMORY, NO_MAXIMUM], unsigned(1));
  const locals = list(kernel.locals.map((name) => [...unsigned(1), VALUE_TYPE[name]]));
  const bytes = join(
    MAGIC_AND_VERSION,
    section(SECTION.type, [signature]),
    section(SECTION.import, [memory]),
    section(SECTION.function, [unsigned(0)]),
    section(SECTION.export, [join(text(kernel.name), [EXPORTED_FUNCTION], unsigned(0))]),
    section(SECTION.code, [lengthFirst(join(locals, kernel.body, [END]))]),
  );
  return new Uint8Array(bytes);
}

/** The part of the WebAssembly interface in use; the types of Node do not declare it. */
export interface WebAssemblyMemory {
  /** Replaced whenever the memory grows; the old one is then detached. */
  readonly buffer: ArrayBuffer;
  /** In pages of 64 KB. */
  grow(pages: number): number;
}

interface WebAssemblyInterface {
  readonly Memory: new (descriptor: { initial: number }) => WebAssemblyMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { kernel: { memory: WebAssemblyMemory } },
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  validate(bytes: Uint8Array): boolean;
}

/** Undefined where WebAssembly is switched off. */
export function findWebAssembly(): WebAssemblyInterface | undefined {
  // Where the page's types are loaded too, the global has a type of its own that says less.
  const found: unknown = Reflect.get(globalThis, 'WebAssembly');
  return found as WebAssemblyInterface | undefined;
}
