/** The few nodes of a page that text needs; whatever parser made them. */
interface PageNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<PageNode>;
  readonly getAttribute?: (name: string) => string | null;
}

const TEXT = 3;
const ELEMENT = 1;
/** A page can be nested as deep as somebody likes; nobody reads beyond this. */
const MAX_DEPTH = 200;

const IGNORED = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'IFRAME', 'SVG', 'HEAD', 'NAV', 'BUTTON', 'FORM']);
const HEADINGS: Readonly<Record<string, string>> = {
  H1: '#',
  H2: '##',
  H3: '###',
  H4: '####',
  H5: '#####',
  H6: '######',
};
const BLOCKS = new Set([
  'P',
  'DIV',
  'SECTION',
  'ARTICLE',
  'MAIN',
  'HEADER',
  'FOOTER',
  'FIGURE',
  'TABLE',
  'UL',
  'OL',
  'DL',
  'BODY',
]);

/** The text of a page as Markdown: headings, paragraphs, lists, quotes, code and tables; addresses of links are left out. */
export function toMarkdown(root: unknown): string {
  return blocksOf(root as PageNode, 0)
    .map((block) => block.replaceAll(/[ \t]+\n/gu, '\n').trimEnd())
    .filter((block) => block.trim() !== '')
    .join('\n\n');
}

function blocksOf(node: PageNode, depth: number): string[] {
  const blocks: string[] = [];
  let line = '';
  const end = (): void => {
    if (line.trim() !== '') blocks.push(escapeStart(collapse(line)));
    line = '';
  };
  for (const child of node.childNodes) {
    if (child.nodeType === TEXT) line += child.textContent ?? '';
    if (child.nodeType !== ELEMENT) continue;
    const name = child.nodeName.toUpperCase();
    if (IGNORED.has(name)) continue;
    const own = depth >= MAX_DEPTH ? undefined : blockOf(child, name, depth);
    if (own === undefined) line += name === 'BR' ? '\n' : inline(child, depth);
    else {
      end();
      blocks.push(...own);
    }
  }
  end();
  return blocks;
}

/** An element that stands by itself; undefined for one within a line. */
function blockOf(node: PageNode, name: string, depth: number): string[] | undefined {
  const heading = HEADINGS[name];
  if (heading !== undefined) return [`${heading} ${collapse(node.textContent ?? '').replaceAll('\n', ' ')}`];
  switch (name) {
    case 'PRE':
      return [`\`\`\`\n${(node.textContent ?? '').replaceAll('```', "'''").trimEnd()}\n\`\`\``];
    case 'BLOCKQUOTE':
      return [
        blocksOf(node, depth + 1)
          .join('\n\n')
          .replaceAll(/^/gmu, '> '),
      ];
    case 'UL':
    case 'OL':
      return [itemsOf(node, name === 'OL', depth)];
    case 'TABLE':
      return [rowsOf(node)];
    case 'HR':
      return [];
    default:
      return BLOCKS.has(name) || hasBlocks(node) ? blocksOf(node, depth + 1) : undefined;
  }
}

function hasBlocks(node: PageNode): boolean {
  for (const child of node.childNodes) {
    const name = child.nodeName.toUpperCase();
    if (child.nodeType === ELEMENT && (BLOCKS.has(name) || HEADINGS[name] !== undefined || name === 'PRE')) return true;
  }
  return false;
}

function itemsOf(list: PageNode, isOrdered: boolean, depth: number): string {
  const lines: string[] = [];
  for (const item of list.childNodes) {
    if (item.nodeType !== ELEMENT || item.nodeName.toUpperCase() !== 'LI') continue;
    const mark = isOrdered ? `${lines.length + 1}. ` : '- ';
    const indent = ' '.repeat(mark.length);
    lines.push(
      `${mark}${blocksOf(item, depth + 1)
        .join('\n')
        .replaceAll('\n', `\n${indent}`)}`,
    );
  }
  return lines.join('\n');
}

/** A row a line: what a table says matters here, not how it looks. */
function rowsOf(table: PageNode): string {
  const rows: string[] = [];
  const visit = (node: PageNode, depth: number): void => {
    for (const child of node.childNodes) {
      if (child.nodeType !== ELEMENT) continue;
      if (child.nodeName.toUpperCase() === 'TR') {
        const cells = [...child.childNodes].filter(({ nodeType }) => nodeType === ELEMENT);
        rows.push(`- ${cells.map((cell) => collapse(cell.textContent ?? '').replaceAll('\n', ' ')).join(' | ')}`);
      } else if (depth < MAX_DEPTH) visit(child, depth + 1);
    }
  };
  visit(table, 0);
  return rows.join('\n');
}

function inline(node: PageNode, depth: number): string {
  const name = node.nodeName.toUpperCase();
  if (name === 'IMG') return node.getAttribute?.('alt') ?? '';
  if (name === 'CODE') return `\`${(node.textContent ?? '').replaceAll('`', "'")}\``;
  if (depth >= MAX_DEPTH) return node.textContent ?? '';
  let text = '';
  for (const child of node.childNodes) {
    if (child.nodeType === TEXT) text += child.textContent ?? '';
    else if (child.nodeType === ELEMENT && !IGNORED.has(child.nodeName.toUpperCase())) text += inline(child, depth + 1);
  }
  return text;
}

function collapse(text: string): string {
  return text
    .replaceAll(/[^\S\n]+/gu, ' ')
    .replaceAll(/ ?\n[\s\n]*/gu, '\n')
    .trim();
}

/** Words must not be taken for Markdown that nobody wrote. */
function escapeStart(text: string): string {
  return text.replaceAll(/^(?:#|>|[-*+](?=\s)|\d+[.)](?=\s)|```|---)/gmu, '\\$&');
}
