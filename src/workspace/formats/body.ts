import type { Trust } from '../../model/provenance.ts';
import type { VaultFrontmatter } from '../../model/schemas/frontmatter.ts';
import { cutAnchor } from '../markdown/anchor.ts';
import { canCarryAnchor, withAnchor } from '../markdown/edit.ts';
import { renderFrontmatter } from '../markdown/frontmatter.ts';
import { findMissingCloser, scanBlocks } from '../markdown/scan.ts';

/**
 * Free text as the body of an entry under a heading. Whatever the text is, it must not end the entry early: headings
 * of the entry's level or above get a backslash (which Markdown hides), open fences and comments get closed.
 */

const HEADING_LINE = /^( {0,3})(\\*#{1,2}(?=[ \t]|$)|\\*#{3,6}[ \t]+\d{1,2}:\d{2}\b)/u;
const ESCAPED_HEADING_LINE = /^( {0,3})\\(\\*#{1,2}(?=[ \t]|$)|\\*#{3,6}[ \t]+\d{1,2}:\d{2}\b)/u;

export function renderBody(text: string, id: string | undefined): string {
  const normal = text
    .replaceAll(/\r\n?/gu, '\n')
    .replace(/^(?:[ \t]*\n)+/u, '')
    .trimEnd();
  const escaped = closeOpenBlock(mapProseLines(normal, (line) => line.replace(HEADING_LINE, String.raw`$1\$2`)));
  const guarded = escaped.replace(/^\\*<!--/u, String.raw`\$&`);
  return id === undefined ? guarded : anchorBody(guarded, id);
}

/** The text back from a body; `hasAnchor` says whether its last block carries the entry's id. */
export function parseBody(raw: string, hasAnchor: boolean): string {
  const anchored = raw.replaceAll('\r\n', '\n').trimEnd();
  const body = hasAnchor ? cutAnchor(anchored).trimEnd() : anchored;
  const unguarded = body.replace(/^\\(\\*<!--)/u, '$1');
  return mapProseLines(unguarded, (line) => line.replace(ESCAPED_HEADING_LINE, '$1$2'));
}

/** Code keeps its `# comments`: only lines outside fences and HTML can be taken for headings. */
function mapProseLines(text: string, change: (line: string) => string): string {
  return scanBlocks(text)
    .map(({ kind, raw }) => (kind === 'fence' || kind === 'html' ? raw : raw.split('\n').map(change).join('\n')))
    .join('');
}

function closeOpenBlock(text: string): string {
  const last = scanBlocks(text).at(-1);
  const closer = last === undefined ? undefined : findMissingCloser(last);
  return closer === undefined || closer === '' ? text : `${text}\n${closer}`;
}

/** An anchor ends a paragraph or item; behind code and tables it gets a line of its own, as Obsidian does. */
function anchorBody(text: string, id: string): string {
  const last = scanBlocks(text).at(-1);
  if (last === undefined) return `^${id}`;
  return canCarryAnchor(last) ? withAnchor(`${text} ^${id}`, id) : `${text}\n\n^${id}`;
}

interface VaultNote {
  readonly id: string;
  readonly date: string;
  readonly text: string;
  readonly tags: readonly string[];
  /** The source's trust; the user's when not given. */
  readonly trust?: Trust | undefined;
}

/** A note that never fades and that only a person changes. */
export function newVaultNote({ id, date, text, tags, trust = 'user' }: VaultNote): string {
  const frontmatter = {
    type: 'vault',
    created: date,
    pinned: true,
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
    ...(trust === 'user' ? {} : { trust }),
  };
  return `${renderFrontmatter(frontmatter satisfies VaultFrontmatter)}\n${renderBody(text, id)}\n`;
}
