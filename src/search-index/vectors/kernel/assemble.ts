import { unsigned, VALUE_TYPE, type Code } from './instructions.ts';

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
