import type { DocumentSource } from '../../search-index/passage.ts';
import type { StoredPassage } from '../../search-index/port.ts';
import { parseTranscript, type TurnPart } from '../../workspace/formats/transcript.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { OperationContext } from '../context.ts';

export interface ReadTurn {
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
