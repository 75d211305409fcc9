import { errorMessage } from '../../model/errors.ts';

/** A transcript keeps a line of a call; this is more than that, and ends with a whole word lest half a secret pass. */
const MAX_CALL_CHARS = 4000;
/** Deeper than this nobody reads in a line. */
const MAX_DEPTH = 20;

/** Whatever a tool was given or gave back, as text. Never throws: a log must not fail because of what it logs. */
export function inWords(value: unknown): string {
  const text = typeof value === 'string' ? value : describe(value);
  if (text.length <= MAX_CALL_CHARS) return text;
  const cut = text.slice(0, MAX_CALL_CHARS);
  const space = cut.search(/\s\S*$/u);
  return space === -1 ? '…' : `${cut.slice(0, space)} …`;
}

function describe(value: unknown): string {
  try {
    return JSON.stringify(plain(value, [])) ?? '';
  } catch (error) {
    // A getter or a `toJSON` of somebody else's may throw anything.
    return `[cannot be shown: ${errorMessage(error)}]`;
  }
}

/** What JSON can say, and words for what it cannot. */
function plain(value: unknown, within: readonly object[]): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return `[function ${value.name}]`;
  if (typeof value === 'symbol') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (within.includes(value)) return '[circular]';
  if (within.length >= MAX_DEPTH) return '…';
  const inner = [...within, value];
  if (hasJson(value)) return plain(value.toJSON(), inner);
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value instanceof Map) return [...value].map((entry) => plain(entry, inner));
  if (value instanceof Set) return [...value].map((item) => plain(item, inner));
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((item) => plain(item, inner));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, inner)]));
}

function hasJson(value: object): value is { toJSON: () => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
