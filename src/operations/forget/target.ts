import { isMnemeError } from '../../model/errors.ts';
import type { Store } from '../../model/provenance.ts';
import { locateMemory } from '../../memory/archive/locate.ts';
import { memoryHash } from '../../memory/archive/plan-archive.ts';
import { isArchivePath, readRecord } from '../../memory/archive/record.ts';
import type { DocumentSource } from '../../search-index/passage.ts';
import type { StoredPassage } from '../../search-index/port.ts';
import { placeOf, type FileKind } from '../../workspace/formats/layout.ts';
import { visibleText } from '../../workspace/formats/metadata.ts';
import { parseTranscript, type TurnPart } from '../../workspace/formats/transcript.ts';
import { isPackedName } from '../../workspace/packed.ts';
import { blockText } from '../../workspace/markdown/blocks.ts';
import { type MarkdownDocument, parseDocument } from '../../workspace/markdown/document.ts';
import type { OperationContext } from '../context.ts';
import { readWorkspaceText } from '../workspace-files.ts';

/** One memory as it can be forgotten: an item of a file, a whole file, or a turn of a conversation. */
export interface Target {
  readonly kind: 'item' | 'file' | 'turn';
  readonly id: string;
  readonly source: DocumentSource;
  readonly path: string;
  readonly store: Store;
  /** As a person reads it. */
  readonly text: string;
  readonly time: string | null;
  /** Where in the file, to tell what lies inside what. */
  readonly lines: readonly [number, number];
  /** Of what was shown; what differs from it later is left alone. */
  readonly hash: string;
  /** The pieces of text that must go when the words themselves must. */
  readonly pieces: readonly string[];
  /** Pinned, of the vault or of who somebody is: only for a person who names it. */
  readonly protection: string | undefined;
}

/** Why something cannot be forgotten, as the end of a sentence. */
export interface Unforgettable {
  readonly obstacle: string;
}

/** A procedure or a note of the vault is one memory however many bullets it has. */
const WHOLE_FILES: ReadonlySet<FileKind> = new Set(['procedure', 'vault']);
/** Files that Mneme writes beside the memories, from them or about them. */
export const NO_MEMORIES: ReadonlySet<FileKind> = new Set([
  'generated',
  'meta',
  'config',
  'proposal',
  'relations',
  'asset',
  'transcript',
]);
/** Their titles are their own. Somebody's name is not for the one file about them to take out of every other. */
const TITLED: ReadonlySet<FileKind> = new Set(['procedure', 'reference', 'vault']);
/** A title this long is a sentence of its own, and files are called by it. */
const MIN_TITLE = 10;
/** Never as a whole: what they hold is forgotten item by item. */
const NEVER_WHOLE: ReadonlySet<FileKind> = new Set(['memory', 'identity']);

/** The name a person would use for this memory, from the passages that search found of it. */
export async function targetOf(
  context: OperationContext,
  passages: readonly StoredPassage[],
  wanted: 'item' | 'file' = 'item',
): Promise<Target | Unforgettable> {
  const [first] = passages;
  if (first === undefined) return { obstacle: 'is not there any more' };
  const { source, path } = first.document;
  if (source !== 'workspace') return turnTarget(context, first);
  const { kind } = placeOf(path, context.layout);
  if (NO_MEMORIES.has(kind)) return { obstacle: `stands in ${path}, which holds no memories of its own` };
  const text = await findText(context, path);
  if (text === undefined) return { obstacle: `was in ${path}, which is gone or no longer text` };
  const document = parseDocument(text);
  const isArchivedItem = isArchivePath(path) && readRecord(document)?.item !== undefined;
  if (wanted === 'file' && NEVER_WHOLE.has(kind)) return { obstacle: `is all of ${path}; name what in it is meant` };
  if (wanted === 'file' || WHOLE_FILES.has(kind) || isArchivedItem) {
    return fileTarget(first, { kind, document, text, said: isArchivedItem ? undefined : first.text });
  }
  const memory = locateMemory(path, text, first.id, kind);
  if (memory === undefined) {
    return { obstacle: `stands in the frontmatter of ${path} or has moved; \`mneme edit ${path}\` changes it` };
  }
  return {
    ...common(first),
    kind: 'item',
    text: memory.text,
    lines: [memory.startLine, memory.endLine],
    hash: memoryHash(memory.raw),
    pieces: memory.pieces,
    protection: protectionOf(kind, document, memory.isPinned),
  };
}

function fileTarget(
  first: StoredPassage,
  file: {
    readonly kind: FileKind;
    readonly document: MarkdownDocument;
    readonly text: string;
    /** The part of it that was found; all of it when undefined. */
    readonly said: string | undefined;
  },
): Target {
  const pieces = piecesOf(file.document);
  const { title } = first.document;
  return {
    ...common(first),
    kind: 'file',
    text: file.said === undefined ? pieces.join('\n') : `${title}: ${file.said}`,
    lines: [1, Infinity],
    hash: memoryHash(file.text),
    pieces: file.said === undefined || !TITLED.has(file.kind) || title.length < MIN_TITLE ? pieces : [...pieces, title],
    protection: protectionOf(file.kind, file.document, false),
  };
}

function turnTarget(context: OperationContext, first: StoredPassage): Target | Unforgettable {
  const turn = readTurn(context, first);
  if (turn === undefined) return { obstacle: `was said in ${first.document.path}, which is gone` };
  return {
    ...common(first),
    kind: 'turn',
    text: turn.text,
    lines: [first.startLine, first.endLine],
    hash: memoryHash(turn.text),
    pieces: turn.pieces,
    protection: undefined,
  };
}

function common({ id, document, timeMs }: StoredPassage): Pick<Target, 'id' | 'source' | 'path' | 'store' | 'time'> {
  const { source, path, store } = document;
  return { id, source, path, store, time: timeMs === undefined ? null : new Date(timeMs).toISOString() };
}

function protectionOf(kind: FileKind, document: MarkdownDocument, isPinned: boolean): string | undefined {
  if (kind === 'vault') return 'it is in the vault';
  if (kind === 'identity') return 'it says who somebody is';
  const isFilePinned = document.frontmatter?.values?.['pinned'] === true;
  return isPinned || isFilePinned ? 'it is pinned' : undefined;
}

function piecesOf(document: MarkdownDocument): string[] {
  const said = document.blocks.filter(({ kind }) => kind !== 'blank' && kind !== 'html' && kind !== 'heading');
  return said.map((block) => visibleText(blockText(block)).trim()).filter((text) => text !== '');
}

async function findText(context: OperationContext, path: string): Promise<string | undefined> {
  if (isPackedName(path)) return context.homeIndex.files.read({ source: 'workspace', path })?.text;
  try {
    return await readWorkspaceText(context, path);
  } catch (error) {
    if (isMnemeError(error)) return undefined;
    throw error;
  }
}

interface ReadTurn {
  readonly text: string;
  /** Everything it says that could be repeated elsewhere, the longest first. */
  readonly pieces: readonly string[];
}

/** A tool's arguments are often a word or two that half the home says as well. */
const MIN_TOOL_CHARS = 24;

/** A turn as it was said, from its transcript or from the log of a session that is going on. */
export function readTurn({ homeIndex }: OperationContext, passage: StoredPassage): ReadTurn | undefined {
  const { source, path } = passage.document;
  const file = homeIndex.files.read({ source, path });
  if (file === undefined) return undefined;
  return source === 'live' ? fromLog(file.text, passage) : fromTranscript(file.text, passage);
}

/** Every turn of a conversation, with the line it begins in. */
export function listTurns(
  source: Exclude<DocumentSource, 'workspace'>,
  text: string,
): readonly { readonly text: string; readonly startLine: number }[] {
  if (source === 'raw') {
    const { turns } = parseTranscript(parseDocument(text));
    return turns.map(({ parts, startLine }) => ({ text: describe(parts, []).text, startLine }));
  }
  return text.split('\n').flatMap((line, index) => {
    const parts = line === '' ? undefined : partsOf(line);
    return parts === undefined ? [] : [{ text: describe(parts, []).text, startLine: index + 1 }];
  });
}

function fromTranscript(text: string, { turn: id }: StoredPassage): ReadTurn | undefined {
  const turn = parseTranscript(parseDocument(text)).turns.find((candidate) => candidate.id === id);
  if (turn === undefined) return undefined;
  // As it stands in the file, where lines that look like headings are escaped.
  const lines = text.split('\n').slice(turn.startLine, turn.endLine).join('\n').trim();
  return describe(turn.parts, [lines]);
}

function fromLog(text: string, { startLine }: StoredPassage): ReadTurn | undefined {
  const line = text.split('\n')[startLine - 1] ?? '';
  const parts = partsOf(line);
  return parts === undefined ? undefined : describe(parts, []);
}

function describe(parts: readonly TurnPart[], asWritten: readonly string[]): ReadTurn {
  const said = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  const done = parts.flatMap((part) => (part.kind === 'tool' ? [part.args, part.result ?? ''] : []));
  const written = said.length === 1 ? asWritten : [];
  const pieces = [...said, ...written, ...done.filter((text) => text.length >= MIN_TOOL_CHARS)];
  const text = (said.length === 0 ? done : said).join('\n').trim();
  return { text, pieces: [...new Set(pieces.map((piece) => piece.trim()))] };
}

function partsOf(line: string): readonly TurnPart[] | undefined {
  try {
    const turn: unknown = JSON.parse(line);
    const parts = typeof turn === 'object' && turn !== null && 'parts' in turn ? turn.parts : undefined;
    return Array.isArray(parts) ? parts.filter(isPart) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isPart(part: unknown): part is TurnPart {
  if (typeof part !== 'object' || part === null || !('kind' in part)) return false;
  if (part.kind === 'text') return 'text' in part && typeof part.text === 'string';
  if (part.kind !== 'tool') return false;
  const hasArgs = 'args' in part && typeof part.args === 'string';
  return hasArgs && (!('result' in part) || part.result === undefined || typeof part.result === 'string');
}
