/*
 * The text of a memory may come from a web page. On a terminal it must not move the cursor, change the title or turn
 * the writing direction: people decide by what they see.
 */

/** Everything of Unicode's controls but tab and line end, and what turns the direction of the text around it. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const UNSAFE = /\r(?!\n)|[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/gu;

const CONTROL_PICTURES = 0x24_00;
const DELETE = 0x7f;

/** The text with every such character as a visible sign. */
export function plain(text: string): string {
  return text.replaceAll(UNSAFE, visibleSign);
}

/** The same for what must stay on its line: a name, a summary. */
export function plainLine(text: string): string {
  return plain(text).replaceAll(/[\t\n\r\u2028\u2029]/gu, visibleSign);
}

function visibleSign(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(CONTROL_PICTURES + code);
  return code === DELETE ? '␡' : '�';
}

/** Values under these keys are names and titles; a line end in one would forge a line of ours. */
const ONE_LINE_KEYS: ReadonlySet<string> = new Set([
  'action',
  'actor',
  'author',
  'created',
  'file',
  'files',
  'from',
  'name',
  'path',
  'renameTo',
  'session',
  'summary',
  'title',
  'trigger',
]);

/** A result with every text in it made safe to show. */
export function plainValue<T>(value: T, key = ''): T {
  return plainUnknown(value, key) as T;
}

function plainUnknown(value: unknown, key: string): unknown {
  if (typeof value === 'string') return ONE_LINE_KEYS.has(key) ? plainLine(value) : plain(value);
  if (Array.isArray(value)) return value.map((item) => plainUnknown(item, key));
  if (value instanceof Map) return new Map([...value].map(([name, item]) => [name, plainUnknown(item, String(name))]));
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value) || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plainUnknown(item, name)]));
}

/** Amounts as people read them. */

const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const;

export function showBytes(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 1000 && unit < UNITS.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${amount < 10 && unit > 0 ? amount.toFixed(1) : Math.round(amount)} ${UNITS[unit] ?? ''}`;
}

export function showSeconds(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}

/** `9 412`: long numbers in groups, whatever the language of the machine. */
export function showCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/gu, '\u202F');
}

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${showCount(count)} ${count === 1 ? one : many}`;
}
