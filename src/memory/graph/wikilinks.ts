import {
  type Block,
  type MarkdownDocument,
  parseDocument,
  serializeDocument,
} from '../../workspace/markdown/document.ts';

/*
 * Links as Obsidian understands them: a file is named without its ending, in any case, with its folder only where that is
 * needed; a heading or block follows `#`, other words for it follow `|`. What stands in code is no link.
 */

export interface Wikilink {
  /** As written, without brackets: `memory/graph/entities/person--ada`. */
  readonly target: string;
  /** `#Facts`, `#^7k2m9x0q4t1za`, or ''. */
  readonly place: string;
  readonly alias: string | undefined;
  readonly isEmbed: boolean;
  /** 1-based. */
  readonly line: number;
}

const LINK = /(!?)\[\[([^[\]|#\n\\]*)(#[^[\]|\n\\]*)?(\\?\|[^[\]\n]*)?\]\]/gu;
/** Code spans and comments, which hold no links; `~~~` and fences are blocks of their own. */
const NOT_TEXT = /(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|<!--[\s\S]*?-->/gu;

/** Every link of a file, those of the frontmatter too. */
export function findWikilinks(text: string): Wikilink[] {
  const links: Wikilink[] = [];
  rewriteParts(parseDocument(text), (part, line) => {
    for (const match of part.matchAll(LINK)) {
      const [, bang, target = '', place = '', alias] = match;
      if (target.trim() === '' && place === '') continue;
      links.push({
        target: target.trim(),
        place,
        alias: alias?.replace(/^\\?\|/u, ''),
        isEmbed: bang === '!',
        line: line + countNewlines(part.slice(0, match.index)),
      });
    }
    return part;
  });
  return links;
}

export interface Relink {
  /** Whether a link as written leads to the file that is renamed. */
  readonly leadsThere: (target: string) => boolean;
  /** The new name of the file, without folder and ending. */
  readonly stem: string;
  /** The id as it was and as it will be: plain values of the frontmatter that give it follow too. */
  readonly ids?: { readonly old: string; readonly new: string } | undefined;
}

/** The text with every link to a file following its new name; what the link shows, and everything else, stays. */
export function relink(text: string, change: Relink): string {
  const { leadsThere, stem, ids } = change;
  const document = parseDocument(text);
  return rewriteParts(document, (part, _line, isHead) => {
    const linked = part.replaceAll(LINK, (whole, bang: string, target: string, place = '', alias = '') => {
      if (target.trim() === '' || !leadsThere(target.trim())) return whole;
      return `${bang}[[${renamed(target, stem)}${place}${alias}]]`;
    });
    if (isHead) return ids === undefined ? linked : withId(linked, ids);
    return linked.replaceAll(MARKDOWN_LINK, (whole, open: string, target: string, rest: string) => {
      const decoded = decode(target);
      if (!/\.md$/iu.test(decoded) || !leadsThere(decoded)) return whole;
      return `${open}${renamed(target, encodeURI(stem))}${rest}`;
    });
  });
}

const MARKDOWN_LINK = /(\]\(<?)([^()<>\s#]+)((?:#[^()<>\s]*)?>?(?:\s+"[^"]*")?\))/gu;

/** `entities/Person--Ada.md` keeps its folder and ending. */
function renamed(target: string, stem: string): string {
  const [, before = '', folder = '', , ending = '', after = ''] =
    /^(\s*)((?:.*\/)?)([^/]*?)(\.md)?(\s*)$/iu.exec(target) ?? [];
  return `${before}${folder}${stem}${ending}${after}`;
}

/** Keys that speak of the file itself, or of names; every other value that is the id, whole, means the entity. */
const OWN_KEYS = /^(?:id|name|title|aliases|type):/u;

const SYNTAX = /[\\^$.*+?()[\]{}|/]/gu;

function withId(head: string, ids: { readonly old: string; readonly new: string }): string {
  if (OWN_KEYS.test(head)) return head;
  const whole = new RegExp(
    String.raw`(?<![\p{L}\p{N}._/-])${ids.old.replaceAll(SYNTAX, String.raw`\$&`)}(?![\p{L}\p{N}_/-]|\.\p{L})`,
    'gu',
  );
  return head.replaceAll(whole, ids.new);
}

function decode(target: string): string {
  try {
    return decodeURI(target);
  } catch (error) {
    if (error instanceof URIError) return target;
    throw error;
  }
}

/** Applies `change` to every piece of text that is neither code nor comment, and puts the file together again. */
function rewriteParts(
  document: MarkdownDocument,
  change: (part: string, line: number, isHead: boolean) => string,
): string {
  let line = 1;
  const entries = document.frontmatter?.entries.map((entry) => {
    const raw = change(entry.raw, line + 1, true);
    line += countNewlines(entry.raw);
    return { ...entry, raw };
  });
  if (document.frontmatter !== undefined) {
    line += countNewlines(document.frontmatter.open) + countNewlines(document.frontmatter.close);
  }
  const blocks = document.blocks.map((block) => {
    const raw = block.kind === 'fence' ? block.raw : rewriteText(block, line, change);
    line += countNewlines(block.raw);
    return raw === block.raw ? block : Object.assign({}, block, { raw });
  });
  const frontmatter =
    document.frontmatter === undefined ? undefined : { ...document.frontmatter, entries: entries ?? [] };
  return serializeDocument({ ...document, frontmatter, blocks });
}

function rewriteText(
  { raw }: Block,
  line: number,
  change: (part: string, line: number, isHead: boolean) => string,
): string {
  let result = '';
  let at = 0;
  const text = (end: number): string => {
    const part = raw.slice(at, end);
    return part === '' ? '' : change(part, line + countNewlines(raw.slice(0, at)), false);
  };
  for (const match of raw.matchAll(NOT_TEXT)) {
    result += text(match.index) + match[0];
    at = match.index + match[0].length;
  }
  return result + text(raw.length);
}

function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
