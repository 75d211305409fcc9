import { MnemeError } from '../../model/errors.ts';

/** The shapes of LangGraph's `BaseStore`, written out: an adapter that imports nothing needs nothing installed to be loaded. */

/** JSON, as LangGraph types it: whatever an application keeps. */
// oxlint-disable-next-line typescript/no-explicit-any
export type StoredValue = Record<string, any>;

export interface StoredItem {
  value: StoredValue;
  key: string;
  namespace: string[];
  createdAt: Date;
  updatedAt: Date;
}

export interface FoundItem extends StoredItem {
  /** From 0 to 1; only where a query was given. */
  score?: number;
}

export interface SearchOptions {
  filter?: StoredValue;
  limit?: number;
  offset?: number;
  query?: string;
}

export interface NamespaceOptions {
  prefix?: string[];
  suffix?: string[];
  maxDepth?: number;
  limit?: number;
  offset?: number;
}

interface MatchCondition {
  matchType: 'prefix' | 'suffix';
  path: string[];
}

interface GetOperation {
  namespace: string[];
  key: string;
}

export interface SearchOperation extends SearchOptions {
  namespacePrefix: string[];
}

interface PutOperation {
  namespace: string[];
  key: string;
  value: StoredValue | null;
  index?: false | string[];
}

export interface ListNamespacesOperation {
  matchConditions?: MatchCondition[];
  maxDepth?: number;
  limit: number;
  offset: number;
}

export type StoreOperation = GetOperation | SearchOperation | PutOperation | ListNamespacesOperation;

export type StoreResults<Operations extends readonly StoreOperation[]> = {
  [Index in keyof Operations]: Operations[Index] extends PutOperation
    ? void
    : Operations[Index] extends SearchOperation
      ? FoundItem[]
      : Operations[Index] extends GetOperation
        ? StoredItem | null
        : Operations[Index] extends ListNamespacesOperation
          ? string[][]
          : never;
};

export interface Place {
  readonly namespace: string[];
  readonly key: string;
}

/** `value` in full for the program; its texts above it, for people and for search. */
export function renderItem({ namespace, key, value, createdAt, updatedAt }: StoredItem): string {
  const head = `---\ncreated: ${createdAt.toISOString()}\nupdated: ${updatedAt.toISOString()}\n---\n`;
  const title = [...namespace, key].join(' / ').replaceAll(/\s+/gu, ' ');
  const lines = textsOf(value).map((text) => `- ${text.replaceAll(/\s+/gu, ' ').trim()}\n`);
  return `${head}\n# ${title}\n\n${lines.join('')}\n${FENCE}${JSON.stringify(value, undefined, 2)}\n\`\`\`\n`;
}

const FENCE = '```json\n';

export function parseItem(text: string, { namespace, key }: Place): StoredItem {
  const start = text.lastIndexOf(`\n${FENCE}`) + 1 + FENCE.length;
  const end = text.lastIndexOf('\n```');
  const value = start <= FENCE.length || end < start ? undefined : jsonIn(text.slice(start, end));
  if (value === undefined) {
    throw new MnemeError('integrity', `The item ${[...namespace, key].join('/')} of the store holds no JSON.`, {
      hint: 'Repair the block in its file, or put the item again.',
    });
  }
  return { namespace, key, value, createdAt: timeIn(text, 'created'), updatedAt: timeIn(text, 'updated') };
}

function jsonIn(text: string): StoredValue | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function timeIn(text: string, name: string): Date {
  return new Date(new RegExp(`^${name}: (.+)$`, 'mu').exec(text)?.[1] ?? 0);
}

/** A name of any characters as one of a file; `placeOfItem` reads it back. */
export function toFileName(name: string): string {
  return encodeURIComponent(name).replaceAll('.', '%2E');
}

/** Where a file of the store belongs; undefined for one that is none. */
export function placeOfItem(path: string): Place | undefined {
  if (!path.endsWith('.md')) return undefined;
  const names = path.slice(0, -'.md'.length).split('/').map(decodeURIComponent);
  return { namespace: names.slice(0, -1), key: names.at(-1) ?? '' };
}

/** Whether a namespace begins, or ends, with a path in which `*` is any name. */
export function hasNamespace(namespace: readonly string[], path: readonly string[], isSuffix = false): boolean {
  if (path.length > namespace.length) return false;
  const offset = isSuffix ? namespace.length - path.length : 0;
  return path.every((name, index) => name === '*' || name === namespace[index + offset]);
}

/** Whether an item has all the values asked for: equal ones, or ones that compare as `$gt` and the like say. */
export function passes(value: StoredValue, filter: StoredValue): boolean {
  return Object.entries(filter).every(([name, wanted]) => compares(value[name], wanted));
}

function compares(found: unknown, wanted: unknown): boolean {
  const operators = typeof wanted === 'object' && wanted !== null ? Object.entries(wanted) : [];
  if (operators.length === 0 || !operators.every(([name]) => name.startsWith('$'))) return isSame(found, wanted);
  return operators.every(([name, limit]) => {
    const compare = OPERATORS[name];
    if (compare === undefined) {
      throw new MnemeError('usage', `Unknown operator "${name}" in a filter.`, {
        hint: `Use ${Object.keys(OPERATORS).join(', ')}.`,
      });
    }
    return compare(found, limit);
  });
}

const OPERATORS: Readonly<Record<string, (found: unknown, limit: unknown) => boolean>> = {
  $eq: isSame,
  $ne: (found, limit) => !isSame(found, limit),
  $gt: (found, limit) => Number(found) > Number(limit),
  $gte: (found, limit) => Number(found) >= Number(limit),
  $lt: (found, limit) => Number(found) < Number(limit),
  $lte: (found, limit) => Number(found) <= Number(limit),
};

function isSame(found: unknown, wanted: unknown): boolean {
  return JSON.stringify(found) === JSON.stringify(wanted);
}

/** Every text in a value, with the name it goes by. */
function textsOf(value: unknown, name = ''): string[] {
  if (typeof value === 'object' && value !== null) {
    const prefix = name === '' ? '' : `${name} `;
    return Object.entries(value).flatMap(([key, inner]) =>
      textsOf(inner, Array.isArray(value) ? name : `${prefix}${key}`),
    );
  }
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? [] : [name === '' ? text : `${name}: ${text}`];
}
