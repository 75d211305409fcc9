import { lowestTrust, type Trust } from '../model/provenance.ts';
import type { IndexView, StoredPassage } from '../search-index/port.ts';
import type { HomeFiles } from '../search-index/sync/home-files.ts';
import { itemDefaults } from '../workspace/formats/defaults.ts';
import { placeOf, type Layout } from '../workspace/formats/layout.ts';
import { visibleText } from '../workspace/formats/metadata.ts';
import { locateBlocks, sectionsOf, textOf, type LocatedBlock } from '../workspace/formats/sections.ts';
import { parseDocument } from '../workspace/markdown/document.ts';
import { attributedText } from './attribute.ts';
import { quoteText } from './fence.ts';
import type { Piece } from './piece.ts';

const CORE_FILE = 'MEMORY.md';
const IDENTITY_FILES = ['SOUL.md', 'IDENTITY.md', 'USER.md', 'AGENTS.md', 'TOOLS.md'];

export interface FileSources {
  readonly files: HomeFiles;
  readonly layout: Layout;
  /** Knows how far single items of a file are trusted: it may hold what others than its owner said. */
  readonly view: IndexView;
}

/** P0: who the agent and its user are, as written. */
export async function identityPieces({ files, layout, view }: FileSources): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for (const [position, path] of IDENTITY_FILES.entries()) {
    const file = placeOf(path, layout).kind === 'identity' ? files.read({ source: 'workspace', path }) : undefined;
    const { said, text } = file === undefined ? NOTHING : visibleMarkdown(file.text);
    if (text === '') continue;
    const trust = trustOf(await view.readDocument({ source: 'workspace', path }));
    const forms = [`# ${path}\n${text}`] as const;
    pieces.push(filePiece({ slot: 'P0', tag: 'identity', id: path, path, position, forms, said, trust }));
  }
  return pieces;
}

/** P1: core memory by its sections, each shorter by lines where it does not fit. */
export async function corePieces({ files, view }: FileSources): Promise<Piece[]> {
  const file = files.read({ source: 'workspace', path: CORE_FILE });
  if (file === undefined) return [];
  const document = parseDocument(withoutMark(file.text));
  const defaults = itemDefaults('memory', document.frontmatter?.values);
  const passages = await view.readDocument({ source: 'workspace', path: CORE_FILE });
  return sectionsOf(document).flatMap(({ title, blocks }, position) => {
    const said = visibleText(textOf(blocks)).trim();
    const quoted = attributedText(blocks, defaults);
    if (quoted === '') return [];
    const heading = title === '' ? '' : `## ${quoteText(title)}\n`;
    const id = title === '' ? CORE_FILE : `${CORE_FILE}#${title}`;
    const forms = nonEmpty(
      shorterByLines(quoted).map((text) => heading + text),
      quoted,
    );
    const trust = trustOf(passages.filter((passage) => isWithin(passage, blocks)));
    return [filePiece({ slot: 'P1', tag: 'core', id, path: CORE_FILE, position, forms, said, trust })];
  });
}

/** A file nobody has indexed yet is as its owner wrote it. */
function trustOf(passages: readonly StoredPassage[]): Trust {
  return passages.length === 0 ? 'user' : lowestTrust(passages.map(({ trust }) => trust));
}

function isWithin({ startLine }: StoredPassage, blocks: readonly LocatedBlock[]): boolean {
  return blocks.some((block) => startLine >= block.startLine && startLine <= block.endLine);
}

function filePiece(
  part: Pick<Piece, 'slot' | 'tag' | 'forms' | 'said' | 'position'> & {
    readonly id: string;
    readonly path: string;
    readonly trust: Trust;
  },
): Piece {
  const { id, path, trust, ...rest } = part;
  const origin = { id, path, source: null, session: null, turn: null, trust, scope: 'shared', time: null } as const;
  return { ...rest, origin, score: null, scores: null, evidence: null };
}

const NOTHING = { said: '', text: '' };

/** The words of an identity file, and how they are told. */
function visibleMarkdown(source: string): { readonly said: string; readonly text: string } {
  const document = parseDocument(withoutMark(source));
  const blocks = locateBlocks(document);
  const text = attributedText(blocks, itemDefaults('identity', document.frontmatter?.values));
  return { said: quoteText(visibleText(textOf(blocks))).trim(), text };
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF+/u, '');
}

/** The whole, then without its last quarter, half and three quarters of lines. */
function shorterByLines(text: string): string[] {
  const lines = text.split('\n');
  const counts = [1, 0.75, 0.5, 0.25].map((share) => Math.ceil(lines.length * share));
  return [...new Set(counts)].map((count) => {
    const kept = lines.slice(0, count).join('\n');
    return count === lines.length ? kept : `${kept}\n…`;
  });
}

function nonEmpty(forms: readonly string[], fallback: string): readonly [string, ...string[]] {
  const [first = fallback, ...rest] = forms;
  return [first, ...rest];
}
