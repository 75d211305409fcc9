import { ITEM_ID_PATTERN, MUTATION_ID_PATTERN } from '../model/ids.ts';
import { ANCHOR_KINDS, BODY_TYPES, canonical, CONTENT_TYPES, KEY_REASONS, type BodyType, type Entry } from './entry.ts';

/**
 * Reads a line strictly: exactly the fields of its type, in their only spelling. A hundred thousand lines are read in a
 * second or two, so the checks are written out.
 */
export function parseEntry(line: string): Entry | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return 'it is no JSON';
    throw error;
  }
  return readEntry(value, line);
}

/** The same for a value that was part of another file; undefined instead of the reason. */
export function findEntry(value: unknown): Entry | undefined {
  const read = readEntry(value);
  return typeof read === 'string' ? undefined : read;
}

function readEntry(value: unknown, line?: string): Entry | string {
  if (!isObject(value)) return 'it is no object';
  const { type } = value;
  const isContent = typeof type === 'string' && (CONTENT_TYPES as readonly string[]).includes(type);
  if (!isContent && !(BODY_TYPES as readonly unknown[]).includes(type)) return 'its type is unknown';
  const fields = isContent ? CONTENT_FIELDS : BODY_FIELDS;
  if (!hasOnly(value, fields)) return `it does not have exactly the fields ${fields.join(', ')}`;
  if (value['v'] !== 1) return 'its version is unknown';
  if (!isCount(value['seq'])) return 'its number is no number';
  if (!isTime(value['time'])) return 'its time is no time';
  if (!isHash(value['prev'])) return 'the hash of the entry before is no hash';
  if (!isHex(value['key'], 32)) return 'its key has no fingerprint';
  if (!isHex(value['sig'], 128)) return 'its signature is none';
  const isRead = isContent
    ? isContentPart(value['content']) && isReference(value['ref'])
    : BODIES[type as BodyType](value['body']);
  if (!isRead) return `it does not say what an entry of type ${String(type)} says`;
  if (line !== undefined && canonical(value) !== line) return 'it is not written in canonical form';
  return value as unknown as Entry;
}

const SIGNED_FIELDS = ['key', 'prev', 'seq', 'sig', 'time', 'type', 'v'];
const CONTENT_FIELDS = [...SIGNED_FIELDS, 'content', 'ref'];
const BODY_FIELDS = [...SIGNED_FIELDS, 'body'];

const BODIES: Readonly<Record<BodyType, (body: unknown) => boolean>> = {
  key: (body) =>
    isObject(body) &&
    hasOnly(body, ['publicKey', 'reason', 'proof']) &&
    isHash(body['publicKey']) &&
    (KEY_REASONS as readonly unknown[]).includes(body['reason']) &&
    isHex(body['proof'], 128),
  checkpoint: (body) =>
    isObject(body) && hasOnly(body, ['size', 'root']) && isCount(body['size']) && isHash(body['root']),
  anchor: (body) =>
    isObject(body) &&
    hasOnly(body, ['kind', 'seq', 'head', 'receipt']) &&
    (ANCHOR_KINDS as readonly unknown[]).includes(body['kind']) &&
    isCount(body['seq']) &&
    isHash(body['head']) &&
    (body['receipt'] === null || (typeof body['receipt'] === 'string' && /^[0-9a-f]{8,128}$/u.test(body['receipt']))),
  erasure: (body) =>
    isObject(body) && hasOnly(body, ['targets']) && Array.isArray(body['targets']) && body['targets'].every(isTarget),
  link: (body) =>
    isObject(body) &&
    hasOnly(body, ['chain', 'seq', 'head']) &&
    isHex(body['chain'], 32) &&
    isCount(body['seq']) &&
    isHash(body['head']),
};

function isContentPart(value: unknown): boolean {
  if (!isObject(value) || !hasOnly(value, ['leaves', 'root'])) return false;
  return isCount(value['leaves']) && value['leaves'] > 0 && isHash(value['root']);
}

function isReference(value: unknown): boolean {
  if (!isObject(value)) return false;
  return Object.entries(value).every(([name, text]) => {
    if (typeof text !== 'string') return false;
    return name === 'mutation' ? MUTATION_ID_PATTERN.test(text) : name === 'item' && ITEM_ID_PATTERN.test(text);
  });
}

function isTarget(value: unknown): boolean {
  return isObject(value) && hasOnly(value, ['seq', 'leaf']) && isCount(value['seq']) && isCount(value['leaf']);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasOnly(value: Record<string, unknown>, fields: readonly string[]): boolean {
  const names = Object.keys(value);
  return names.length === fields.length && fields.every((field) => Object.hasOwn(value, field));
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function isHex(value: unknown, length: number): value is string {
  return typeof value === 'string' && value.length === length && /^[0-9a-f]+$/u.test(value);
}

export function isHash(value: unknown): value is string {
  return isHex(value, 64);
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/u;

function isTime(value: unknown): boolean {
  return typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));
}
