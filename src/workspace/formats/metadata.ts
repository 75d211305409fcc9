import type { z } from 'zod';
import type { ItemMetadata } from '../../model/schemas/item.ts';
import { cutAnchor } from '../markdown/anchor.ts';
import { expandFields, shortenFields, type MetadataFields, type Shortened } from './short-form.ts';

/**
 * The metadata of an item is one HTML comment in the notation of the episode heading: `<!-- source:import
 * importance:0.8 tags:[a, b] pinned -->`. An editor dims it, Obsidian and GitHub hide it, so that a memory reads as
 * prose; and unlike a parenthesis at the end of a sentence it cannot be mistaken for text. What was learned from a
 * conversation has a shorter form (`short-form.ts`); both are read everywhere.
 */

export type MetadataValue = string | number | boolean | readonly string[];
/** The fields of a comment or heading, before a schema has judged them. */
export type { MetadataFields } from './short-form.ts';

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const FIELD_PATTERN = new RegExp(
  String.raw`\s*([a-z][a-z0-9_-]*)(?::(\[(?:${QUOTED}|[^\]"])*\]|${QUOTED}|[^\s"\[\]<>]+))?(?=\s|$)`,
  'uy',
);
const PROPERTY_PATTERN = new RegExp(String.raw`\s*([a-z][a-z0-9_-]*)=(${QUOTED}|[^\s"\[\]<>|]+)(?=\s|$)`, 'uy');
const WORD_PATTERN = /\s*([^\s":[\]<>=|]+|\d{4}-\d{2}-\d{2}T[\d:.]+)(?=\s|$)/uy;
const LIST_ELEMENT = new RegExp(`${QUOTED}|[^,"]+`, 'gu');

/** The only words that may stand without a value: a person's `<!-- check this -->` must stay a comment. */
const FLAG_KEYS: ReadonlySet<string> = new Set(['pinned']);
const LIST_KEYS: ReadonlySet<string> = new Set(['tags', 'related', 'evidence', 'supersedes', 'said']);
const NUMBER_KEYS: ReadonlySet<string> = new Set(['importance', 'verified']);

/** The fields of `key:value key:[a, b] flag`, or undefined when it is anything else. */
export function parseFields(content: string): MetadataFields | undefined {
  const parts = parseParts(content);
  return parts === undefined || isShort(parts) || parts.fields.size === 0 ? undefined : parts.fields;
}

interface CommentParts {
  readonly fields: Map<string, string | true | readonly string[]>;
  readonly words: readonly string[];
  readonly hasProperty: boolean;
}

function parseParts(content: string): CommentParts | undefined {
  const fields = new Map<string, string | true | readonly string[]>();
  const words: string[] = [];
  let hasProperty = false;
  const trimmed = content.trimEnd();
  for (let at = 0; at < trimmed.length;) {
    const next = (pattern: RegExp): RegExpExecArray | null => {
      pattern.lastIndex = at;
      return pattern.exec(trimmed);
    };
    const field = next(FIELD_PATTERN);
    const [, key = '', value] = field ?? [];
    const isField = value !== undefined || FLAG_KEYS.has(key);
    const property = isField ? null : next(PROPERTY_PATTERN);
    const match = isField ? field : (property ?? next(WORD_PATTERN));
    if (match === null) return undefined;
    if (isField) fields.set(key, value === undefined ? true : parseValue(value));
    else if (property === null) words.push(match[1] ?? '');
    else {
      hasProperty = true;
      fields.set('attribute', property[1] ?? '').set('value', unquote(property[2] ?? ''));
    }
    at += match[0].length;
  }
  return { fields, words, hasProperty };
}

/** The complete fields of a comment about `text`, in either form. */
function parseComment(content: string, text: string): MetadataFields | undefined {
  const parts = parseParts(content);
  if (parts !== undefined && isShort(parts)) return expandFields(parts.fields, parts, text);
  return parts === undefined || parts.fields.size === 0 ? undefined : parts.fields;
}

function isShort({ words, hasProperty }: CommentParts): boolean {
  return words.length > 0 || hasProperty;
}

/** The fields of a line that is a metadata comment and nothing else. */
export function parseMetadataLine(line: string): MetadataFields | undefined {
  const { text, fields } = splitTrailingMetadata(line);
  return text.trim() === '' ? fields : undefined;
}

/** Takes the metadata comment off the end of an item's text. */
export function splitTrailingMetadata(text: string): {
  readonly text: string;
  readonly fields: MetadataFields | undefined;
} {
  const trimmed = text.trimEnd();
  const start = trimmed.endsWith('-->') ? trimmed.lastIndexOf('<!--') : -1;
  const content = start === -1 ? '' : trimmed.slice(start + 4, -3);
  const isComment = start !== -1 && trimmed[start - 1] !== '\\' && !/-->|\n/u.test(content);
  const before = trimmed.slice(0, Math.max(start, 0)).trimEnd();
  const fields = isComment ? parseComment(content, before) : undefined;
  return { text: fields === undefined ? text : before, fields };
}

function parseValue(raw: string): string | readonly string[] {
  if (raw.startsWith('"')) return unquote(raw);
  return raw.startsWith('[') ? parseList(raw.slice(1, -1)) : raw;
}

function parseList(content: string): readonly string[] {
  const elements = [...content.matchAll(LIST_ELEMENT)].map(([element]) => element.trim());
  return elements.filter((element) => element !== '').map(unquote);
}

function unquote(raw: string): string {
  if (!raw.startsWith('"')) return raw;
  try {
    return String(JSON.parse(raw));
  } catch (error) {
    // A person's escape that JSON does not know; the text without quotes is what they meant.
    if (error instanceof SyntaxError) return raw.slice(1, -1);
    throw error;
  }
}

export interface ReadMetadata<T> {
  readonly meta: T;
  /** Problems that the schema found, such as `importance must be at most 1`; refused values are not in `meta`. */
  readonly problems: readonly string[];
}

/** Types the fields by `schema`: numbers become numbers, unknown keys stay as they are. */
export function readMetadata<T extends ItemMetadata>(
  schema: z.ZodType<T> & { readonly shape: Readonly<Record<string, z.ZodType>> },
  fields: MetadataFields | undefined,
): ReadMetadata<T> {
  const meta: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [key, raw] of fields ?? []) {
    const value = typedValue(key, raw);
    const result = schema.shape[key]?.safeParse(value);
    if (result === undefined) meta[key] = value;
    else if (result.success) meta[key] = result.data;
    else problems.push(`${key} ${result.error.issues[0]?.message ?? 'is not valid'}`);
  }
  return { meta: meta as T, problems };
}

function typedValue(key: string, raw: string | true | readonly string[]): MetadataValue {
  if (typeof raw !== 'string') return raw;
  if (LIST_KEYS.has(key)) return [raw];
  if (NUMBER_KEYS.has(key) || (key === 'confidence' && /^[\d.]+$/u.test(raw))) return Number(raw);
  if (FLAG_KEYS.has(key)) return raw === 'true';
  return raw;
}

/** The fields as `key:value key:[a, b]`, in the order given; what is undefined or false is not written. */
export function renderFields(fields: Iterable<readonly [string, unknown]>): string {
  const parts: string[] = [];
  for (const [key, value] of fields) {
    if (!isSaid(value)) continue;
    if (Array.isArray(value))
      parts.push(`${key}:[${value.map((element) => renderElement(String(element))).join(', ')}]`);
    else parts.push(value === true && FLAG_KEYS.has(key) ? key : `${key}:${renderScalar(value)}`);
  }
  return parts.join(' ');
}

/** The comment that carries `fields` behind `text`, in the short form where there is one; '' when there is nothing to say. */
export function renderComment(fields: Iterable<readonly [string, unknown]>, text = ''): string {
  const said = new Map([...fields].filter(([, value]) => isSaid(value)));
  const short = shortenFields(said, text);
  const content = short === undefined ? renderFields(said) : renderShort(short);
  return content === '' ? '' : `<!-- ${content} -->`;
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
}

function renderShort({ words, property, left }: Shortened): string {
  const stated = property === undefined ? '' : `${property[0]}=${renderScalar(property[1])}`;
  return [...words, stated, renderFields(left)].filter((part) => part !== '').join(' ');
}

function renderScalar(value: unknown): string {
  // Three decimals are finer than any importance is known, and keep the line short.
  if (typeof value === 'number') return String(Number(value.toFixed(3)));
  const text = String(value);
  return /^[^\s"[\]<>|]+$/u.test(text) ? text : quote(text);
}

function renderElement(text: string): string {
  const isPlain = /^[^,"[\]<>|\s]+(?: [^,"[\]<>|\s]+)*$/u.test(text);
  return isPlain ? text : quote(text);
}

/** `>` would end the comment and `|` the heading's field, were they not escaped. */
function quote(text: string): string {
  return JSON.stringify(text)
    .replaceAll('>', String.raw`\u003e`)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('|', String.raw`\u007c`);
}

/** The text as a reader or a model should see it: without comments and anchors. */
export function visibleText(raw: string): string {
  const lines = withoutComments(raw).split('\n');
  return lines.map((line) => cutAnchor(line.trimEnd()).trimEnd()).join('\n');
}

function withoutComments(raw: string): string {
  let visible = '';
  let from = 0;
  for (let start = raw.indexOf('<!--'); start !== -1; start = raw.indexOf('<!--', start)) {
    const end = raw.indexOf('-->', start + 4);
    if (end === -1) break;
    const isEscaped = raw[start - 1] === '\\';
    visible += raw.slice(from, isEscaped ? start + 4 : start);
    from = isEscaped ? start + 4 : end + 3;
    start = from;
  }
  return visible + raw.slice(from);
}
