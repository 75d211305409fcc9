import { isDeepStrictEqual } from 'node:util';
import {
  Document,
  type Node,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseDocument as parseYaml,
  stringify,
  visit,
} from 'yaml';
import { errorMessage, MnemeError } from '../../model/errors.ts';
import { withEol } from './lines.ts';
import type { Frontmatter, FrontmatterEntry, MarkdownDocument } from './document.ts';

export type FrontmatterValue =
  | string
  | number
  | boolean
  | null
  | readonly FrontmatterValue[]
  | { readonly [key: string]: FrontmatterValue };

const OPEN_LINE = /^---[ \t]*$/;
const CLOSE_LINE = /^(?:---|\.\.\.)[ \t]*$/;
const PLAIN_KEY_START = /^(?:[^\s#:'"\-?[\]{},&*!|>%@`]|[-?:]\S)/;
const QUOTED_KEY = /^(?:"([^"\\\r\n]*)"|'([^'\r\n]*)')[ \t]*:(?=\s|$)/;
const COMMENT_OR_BLANK = /^(?:#|\s*$)/;

/** YAML 1.2 core: dates and `12:30:00` stay the strings people typed. */
const YAML_OPTIONS = { version: '1.2', schema: 'core', logLevel: 'silent' } as const;
const YAML_STYLE = { lineWidth: 0, flowCollectionPadding: false } as const;

/** The frontmatter that starts at `from`, and the offset behind it; undefined when there is none or it never closes. */
export function readFrontmatter(text: string, from: number): { frontmatter: Frontmatter; end: number } | undefined {
  if (!text.startsWith('---', from)) return undefined;
  const lines: string[] = [];
  for (let start = from; start < text.length;) {
    const feed = text.indexOf('\n', start);
    const end = feed === -1 ? text.length : feed + 1;
    const line = text.slice(start, end);
    const content = line.replace(/\r?\n$/, '');
    const open = lines[0];
    if (open === undefined) {
      if (!OPEN_LINE.test(content)) return undefined;
    } else if (CLOSE_LINE.test(content)) {
      return { frontmatter: makeFrontmatter(open, splitEntries(lines.slice(1)), line), end };
    }
    lines.push(line);
    start = end;
  }
  return undefined;
}

export function serializeFrontmatter(frontmatter: Frontmatter): string {
  return frontmatter.open + serializeEntries(frontmatter.entries) + frontmatter.close;
}

function serializeEntries(entries: readonly FrontmatterEntry[]): string {
  return entries.map((entry) => entry.raw).join('');
}

/** The YAML is parsed when first asked for: merging and editing bodies never need it, and it costs more than the rest. */
export function makeFrontmatter(open: string, entries: readonly FrontmatterEntry[], close: string): Frontmatter {
  let parsed: Pick<Frontmatter, 'values' | 'error'> | undefined;
  const parseOnce = (): Pick<Frontmatter, 'values' | 'error'> => (parsed ??= parseValues(serializeEntries(entries)));
  return {
    open,
    entries,
    close,
    get values() {
      return parseOnce().values;
    },
    get error() {
      return parseOnce().error;
    },
  };
}

/** One write looks at the same lines several times: to edit, to check, to index, to know the entity by name. */
const MAX_REMEMBERED = 64;
const MAX_REMEMBERED_CHARS = 4096;
const remembered = new Map<string, Pick<Frontmatter, 'values' | 'error'>>();

function parseValues(source: string): Pick<Frontmatter, 'values' | 'error'> {
  const known = remembered.get(source);
  if (known !== undefined) return known;
  const parsed = parseSource(source);
  if (source.length > MAX_REMEMBERED_CHARS) return parsed;
  // Later callers get the same object, so it must not change.
  freezeDeeply(parsed.values);
  const [oldest] = remembered.size >= MAX_REMEMBERED ? remembered.keys() : [];
  if (oldest !== undefined) remembered.delete(oldest);
  remembered.set(source, parsed);
  return parsed;
}

function freezeDeeply(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freezeDeeply(part);
}

function parseSource(source: string): Pick<Frontmatter, 'values' | 'error'> {
  try {
    const yaml = parseYaml(source, YAML_OPTIONS);
    const [problem] = yaml.errors;
    if (problem !== undefined) return { values: undefined, error: problem.message.split('\n', 1)[0] };
    if (yaml.contents === null) return { values: {}, error: undefined };
    if (!isMap(yaml.contents))
      return { values: undefined, error: 'The frontmatter is not a mapping of keys to values.' };
    return { values: yaml.toJS() as Record<string, unknown>, error: undefined };
  } catch (error) {
    // Alias bombs and absurd nesting fail while values are built, not while the text is parsed.
    return { values: undefined, error: errorMessage(error) };
  }
}

/** Cuts the lines between the markers at top-level keys; what is indented or starts with `-` continues the key above. */
function splitEntries(lines: readonly string[]): FrontmatterEntry[] {
  const entries: FrontmatterEntry[] = [];
  let key: string | undefined;
  let raw = '';
  // Comments and blank lines belong to the key that follows them, unless more of the value above follows first.
  let pending = '';
  const flush = (): void => {
    if (raw !== '') entries.push({ key, raw });
  };
  for (const line of lines) {
    const nextKey = keyOf(line);
    if (nextKey !== undefined) {
      flush();
      key = nextKey;
      raw = pending + line;
      pending = '';
    } else if (COMMENT_OR_BLANK.test(line)) {
      pending += line;
    } else {
      raw += pending + line;
      pending = '';
    }
  }
  flush();
  if (pending !== '') entries.push({ key: undefined, raw: pending });
  return entries;
}

function keyOf(line: string): string | undefined {
  const quoted = QUOTED_KEY.exec(line);
  if (quoted !== null) return quoted[1] ?? quoted[2];
  const colon = line.search(/:(?=\s|$)/);
  if (colon < 1 || !PLAIN_KEY_START.test(line)) return undefined;
  const key = line.slice(0, colon).trimEnd();
  return key.includes(' #') ? undefined : key;
}

/** `doc` with `key` set, made or replaced; every byte that is not part of that key's lines stays. */
export function setFrontmatterValue(doc: MarkdownDocument, key: string, value: FrontmatterValue): MarkdownDocument {
  const current = doc.frontmatter ?? makeFrontmatter(`---${doc.eol}`, [], `---${doc.eol}`);
  const values = editableValues(current, key);
  if (Object.hasOwn(values, key) && isDeepStrictEqual(values[key], value)) return doc;
  const at = current.entries.findIndex((entry) => entry.key === key);
  const old = current.entries[at];
  const raw = withEol(old === undefined ? renderEntry(key, value) : rerenderEntry(old.raw, key, value), doc.eol);
  const entries =
    old === undefined
      ? [...current.entries, { key, raw }]
      : current.entries.map((entry, index) => (index === at ? { key, raw } : entry));
  return withEntries(doc, current, entries, { ...values, [key]: value }, key);
}

/** `doc` without `key`. Comments above the key stay: they may speak of more than this key. */
export function deleteFrontmatterValue(doc: MarkdownDocument, key: string): MarkdownDocument {
  const current = doc.frontmatter;
  if (current === undefined) return doc;
  const values = editableValues(current, key);
  if (!Object.hasOwn(values, key)) return doc;
  const { [key]: _removed, ...rest } = values;
  const entries = current.entries.map((entry) =>
    entry.key === key ? { key: undefined, raw: splitLeadingComments(entry.raw).comments } : entry,
  );
  return withEntries(doc, current, entries, rest, key);
}

function editableValues(frontmatter: Frontmatter, key: string): Readonly<Record<string, unknown>> {
  if (frontmatter.values !== undefined) return frontmatter.values;
  throw new MnemeError(
    'conflict',
    `Cannot change "${key}": the frontmatter is broken YAML. ${frontmatter.error ?? ''}`,
    {
      hint: 'Repair the lines between the --- markers by hand; Mneme does not overwrite what it cannot read.',
    },
  );
}

/** Accepts the new entries only if they say exactly what was intended, whatever oddity the YAML around them contains. */
function withEntries(
  doc: MarkdownDocument,
  current: Frontmatter,
  entries: readonly FrontmatterEntry[],
  intended: Readonly<Record<string, unknown>>,
  key: string,
): MarkdownDocument {
  const lines = serializeEntries(entries).match(/[^\n]*\n/g) ?? [];
  const frontmatter = makeFrontmatter(current.open, splitEntries(lines), current.close);
  if (isDeepStrictEqual(frontmatter.values, intended)) return { ...doc, frontmatter };
  throw new MnemeError('conflict', `Cannot change "${key}" without touching other lines of the frontmatter.`, {
    hint: 'The key is written in a form Mneme does not edit, or an alias refers to it; change it by hand.',
  });
}

function renderEntry(key: string, value: unknown, style = {}): string {
  return stringify({ [key]: value }, { ...YAML_OPTIONS, ...YAML_STYLE, ...style });
}

/** The entry with a new value, in the manner the old one was written: quotes, flow or block, comment behind it. */
function rerenderEntry(raw: string, key: string, value: FrontmatterValue): string {
  const { comments, lines } = splitLeadingComments(raw);
  const yaml = parseYaml(lines, YAML_OPTIONS);
  const old = isMap(yaml.contents) ? yaml.contents.items[0]?.value : undefined;
  const node = yaml.createNode(value);
  const quotes = isScalar(old) && (old.type === 'QUOTE_DOUBLE' || old.type === 'QUOTE_SINGLE') ? old.type : undefined;
  if (isScalar(node) && typeof value === 'string' && quotes !== undefined) node.type = quotes;
  if (isCollection(node) && isCollection(old) && old.flow === true) node.flow = true;
  const inPlace = isNode(old) ? replaceInLine(lines, old, renderEntry('k', node)) : undefined;
  return comments + (inPlace ?? renderEntry(key, node, { indentSeq: !/^- /m.test(lines) }));
}

/** Puts a value that fits one line where the old one stood; undefined when either needs more than a line. */
function replaceInLine(lines: string, old: Node, rendered: string): string | undefined {
  const [start, end] = old.range ?? [];
  const inline = /^k: (?<text>[^\n]+)\n$/.exec(rendered)?.groups?.['text'];
  if (start === undefined || end === undefined || inline === undefined) return undefined;
  if (lines.slice(0, end).includes('\n')) return undefined;
  const before = lines.slice(0, start);
  const after = lines.slice(end);
  return before + (/\s$/.test(before) ? '' : ' ') + inline + (after.startsWith('#') ? ' ' : '') + after;
}

/** The comments and blank lines an entry begins with, and the lines of its key. */
export function splitLeadingComments(raw: string): { comments: string; lines: string } {
  let at = 0;
  while (at < raw.length) {
    const end = raw.indexOf('\n', at) + 1 || raw.length;
    if (!COMMENT_OR_BLANK.test(raw.slice(at, end))) break;
    at = end;
  }
  return { comments: raw.slice(0, at), lines: raw.slice(at) };
}

/** A new file's frontmatter as a person would type it: short lists on one line, nothing folded. */
export function renderFrontmatter(values: Readonly<Record<string, unknown>>): string {
  const document = new Document(values);
  visit(document, {
    Seq: (_key, node) => {
      if (isSeq(node) && node.items.every(isScalar)) node.flow = true;
    },
  });
  return `---\n${document.toString({ lineWidth: 0, flowCollectionPadding: false })}---\n`;
}
