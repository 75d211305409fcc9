import { trustOfBlocks } from '../compile/attribute.ts';
import { SPOKEN_FOR_USER } from '../compile/told-trust.ts';
import { MnemeError } from '../model/errors.ts';
import { roleOf, type Actor } from '../model/mutation.ts';
import { itemDefaults } from '../workspace/formats/defaults.ts';
import { kindOfPath, type FileKind, type Layout } from '../workspace/formats/layout.ts';
import { renderComment, splitTrailingMetadata } from '../workspace/formats/metadata.ts';
import { locateBlocks } from '../workspace/formats/sections.ts';
import { type Block, type MarkdownDocument, parseDocument, serializeHead } from '../workspace/markdown/document.ts';
import { withoutAnchor, withAnchor } from '../workspace/markdown/edit.ts';

const MARK = '<!-- trust:agent -->';

/** Marks an agent's text in files for the user's own words, whatever the agent claims. People's text stays as it is. */
export function markAgentWords(
  { actor, layout, path }: { readonly actor: Actor; readonly layout: Layout; readonly path: string },
  before: string | undefined,
  after: string,
): string {
  const kind = kindOfPath(path, layout);
  if (roleOf(actor) === 'human' || !SPOKEN_FOR_USER.has(kind)) return after;
  const known = countUserBlocks(before ?? '', kind);
  const document = parseDocument(after);
  const trusts = trustsOf(document, kind);
  const raws = document.blocks.map((block, at) => {
    if (trusts[at] !== 'user' || !isWords(block)) return block.raw;
    const left = known.get(block.raw.trim()) ?? 0;
    known.set(block.raw.trim(), left - 1);
    return left > 0 ? block.raw : markBlock(block, document.eol);
  });
  const marked = serializeHead(document) + raws.join('');
  return marked === after ? after : assertMarked(marked, before ?? '', { kind, path });
}

/** Counts the user's blocks, by their words. */
function countUserBlocks(text: string, kind: FileKind): Map<string, number> {
  const document = parseDocument(text);
  const trusts = trustsOf(document, kind);
  const counts = new Map<string, number>();
  for (const [at, block] of document.blocks.entries()) {
    if (trusts[at] !== 'user' || !isWords(block)) continue;
    counts.set(block.raw.trim(), (counts.get(block.raw.trim()) ?? 0) + 1);
  }
  return counts;
}

function trustsOf(document: MarkdownDocument, kind: FileKind) {
  return trustOfBlocks(locateBlocks(document), itemDefaults(kind, document.frontmatter?.values));
}

function isWords({ kind, raw }: Block): boolean {
  return kind !== 'blank' && kind !== 'rule' && raw.replaceAll(/<!--[\s\S]*?-->/gu, '').trim() !== '';
}

function markBlock(block: Block, eol: string): string {
  if (block.kind !== 'item' && block.kind !== 'paragraph') return `${MARK}${eol}${block.raw}`;
  const end = /\r?\n$/u.exec(block.raw)?.[0] ?? '';
  const { text, fields } = splitTrailingMetadata(withoutAnchor(block.raw));
  const comment = fields === undefined ? MARK : renderComment(new Map([...fields, ['trust', 'agent']]), text);
  // A fence or table inside an item has to end on a line of its own.
  const isOneLine = !text.trimEnd().includes('\n');
  const indentation = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?/u.exec(text)?.[0].replaceAll(/\S/gu, ' ') ?? '';
  const marked = `${text.trimEnd()}${isOneLine || block.kind === 'paragraph' ? ' ' : `${eol}${indentation}`}${comment}`;
  return (block.id === undefined ? marked : withAnchor(marked, block.id)) + end;
}

/** Text that swallows the mark, such as a fence that is never closed, would pass for the user's. */
function assertMarked(
  marked: string,
  before: string,
  { kind, path }: { readonly kind: FileKind; readonly path: string },
): string {
  const known = countUserBlocks(before, kind);
  for (const [raw, count] of countUserBlocks(marked, kind)) {
    if (count <= (known.get(raw) ?? 0)) continue;
    throw new MnemeError(
      'refused',
      `Part of the text for ${path} cannot be marked as an agent’s: ${raw.slice(0, 60)}`,
      {
        hint: 'Close every code fence and comment, or write plain lines.',
      },
    );
  }
  return marked;
}
