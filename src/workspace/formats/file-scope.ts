import { isScope, type Scope } from '../../model/provenance.ts';
import { parseDocument } from '../markdown/document.ts';
import type { MarkdownDocument } from '../markdown/types.ts';
import { locateBlocks } from './sections.ts';

/** The scope a file belongs to: its folder's, or for a file of the shared tree what its frontmatter says. */
export function scopeOfFile(folderScope: Scope, { frontmatter }: Pick<MarkdownDocument, 'frontmatter'>): Scope {
  if (folderScope !== 'shared' || frontmatter === undefined) return folderScope;
  const { values, entries } = frontmatter;
  // A slip in another line must not open the file to everybody.
  const stated = values === undefined ? scopeInLine(entries.find(({ key }) => key === 'scope')?.raw) : values['scope'];
  return statedScope(stated) ?? folderScope;
}

/** The scope that a value names, in any case; undefined where it means something else. */
export function statedScope(stated: unknown): Scope | undefined {
  const name = typeof stated === 'string' ? stated.trim().toLowerCase() : '';
  return isScope(name) ? name : undefined;
}

function scopeInLine(line: string | undefined): string | undefined {
  return /^scope[ \t]*:[ \t]*["']?([\w.:-]+)/mu.exec(line ?? '')?.[1];
}

/** An item that says it belongs to another scope than its file. */
const SCOPE_MARK = /\bscope:\s*((?:user|project|channel|agent):[\w.-]+)/giu;

type Sees = (owner: Scope) => boolean;

/**
 * The lines, from 1, of items that are marked as belonging to a scope that is not seen: the whole item, with what stands indented
 * below it. All lines where the file says so of itself, as an earlier version of it may.
 */
export function linesOfOthers(text: string, sees: Sees): ReadonlySet<number> {
  const lines = new Set<number>();
  if (!/\bscope\b/iu.test(text)) return lines;
  const document = parseDocument(text);
  if (!sees(scopeOfFile('shared', document))) return new Set(text.split('\n').map((_line, index) => index + 1));
  let hiddenLevel: number | undefined;
  for (const { block, startLine, endLine } of locateBlocks(document)) {
    const isBelow = hiddenLevel !== undefined && block.kind === 'item' && block.level > hiddenLevel;
    if (!isBelow) hiddenLevel = isOthers(block.raw, sees) ? block.level : undefined;
    if (hiddenLevel === undefined) continue;
    for (let line = startLine; line <= endLine; line += 1) lines.add(line);
  }
  return lines;
}

function isOthers(raw: string, sees: Sees): boolean {
  return [...raw.matchAll(SCOPE_MARK)].some(([, stated]) => {
    const owner = statedScope(stated);
    return owner === undefined || !sees(owner);
  });
}

/** The text without them, as if they had never been there. */
export function withoutOthers(text: string, sees: Sees): string {
  const others = linesOfOthers(text, sees);
  if (others.size === 0) return text;
  return text
    .split('\n')
    .filter((_line, index) => !others.has(index + 1))
    .join('\n');
}
