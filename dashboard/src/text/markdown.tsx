import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { linkTo } from '../app/route.ts';
import { isCheapToParse } from './parse-cost.ts';
import { decodePercents } from '../../../src/model/text.ts';

/**
 * Memory is written by agents, and agents read the web: nothing in it may act on this page. micromark escapes raw HTML
 * and drops links of dangerous kinds; what is left is taken apart once more before it is shown.
 */
export function Markdown({
  text,
  isCompact = false,
  line,
}: {
  readonly text: string;
  readonly isCompact?: boolean;
  /** Of the text, counted from 1: what stands there is marked and brought into sight. */
  readonly line?: number | undefined;
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    box.current?.replaceChildren(renderInert(text));
    const marked = line === undefined ? undefined : findBlock(box.current, text.split('\n')[line - 1] ?? '');
    marked?.classList.add('target');
    marked?.scrollIntoView({ block: 'center' });
  }, [text, line]);
  return <div ref={box} class={isCompact ? 'prose small' : 'prose'} />;
}

/** The smallest block that says what a line of the source says. */
function findBlock(box: HTMLElement | null, source: string): Element | undefined {
  const words = wordsIn(source.replaceAll(/<!--.*?(?:-->|$)|\s\^[0-9a-z]+\s*$/gu, ''));
  if (box === null || words === '') return undefined;
  const blocks = [...box.querySelectorAll('p, li, h3, h4, h5, h6, tr, pre')];
  return blocks
    .filter((block) => wordsIn(block.textContent).includes(words))
    .toSorted((one, other) => one.textContent.length - other.textContent.length)[0];
}

function wordsIn(text: string): string {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}

export function renderInert(text: string): DocumentFragment {
  if (!isCheapToParse(text)) return plain(text);
  const template = document.createElement('template');
  template.innerHTML = micromark(withoutFrontmatter(text), { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  const { content } = template;
  for (const image of content.querySelectorAll('img')) image.replaceWith(imageAsText(image));
  lowerHeadings(content);
  for (const link of content.querySelectorAll('a')) makeSafeLink(link);
  for (const box of content.querySelectorAll('input'))
    box.setAttribute('aria-label', box.checked ? 'done' : 'not done');
  // Ids of footnotes would clash between two texts on one page.
  for (const named of content.querySelectorAll('[id]')) named.removeAttribute('id');
  markReferences(content);
  // Each for itself: one memory in Hebrew does not turn the English one above it.
  for (const block of content.querySelectorAll('p, li, ul, ol, blockquote, h3, h4, h5, h6, td, th'))
    block.setAttribute('dir', 'auto');
  return content;
}

function plain(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const block = document.createElement('pre');
  block.textContent = text;
  fragment.append(block);
  return fragment;
}

/** Settings of a file are not prose; they are shown as a block of their own. */
function withoutFrontmatter(text: string): string {
  const match = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/u.exec(text);
  if (match === null) return text;
  return `\`\`\`\`yaml\n${match[1] ?? ''}\n\`\`\`\`\n\n${text.slice(match[0].length)}`;
}

const PAGE_LEVELS = 2;
const LOWEST = 6;

/** The page has headings of its own; a text's stand below them, and none is skipped on the way down. */
function lowerHeadings(content: DocumentFragment): void {
  const headings = [...content.querySelectorAll('h1, h2, h3, h4, h5, h6')];
  const levels = [...new Set(headings.map(({ tagName }) => tagName))].toSorted();
  let before = PAGE_LEVELS;
  for (const heading of headings) {
    const level = Math.min(LOWEST, before + 1, PAGE_LEVELS + 1 + levels.indexOf(heading.tagName));
    const made = document.createElement(`h${level}`);
    made.append(...heading.childNodes);
    heading.replaceWith(made);
    before = level;
  }
}

/** Loading a picture would tell its server that this memory was read. */
function imageAsText(image: HTMLImageElement): Node {
  const words = document.createElement('span');
  const { alt } = image;
  words.textContent = `[picture${alt === '' ? '' : `: ${alt}`}]`;
  return words;
}

const SAFE_LINK = /^(?:https?:|mailto:)/iu;

function makeSafeLink(link: HTMLAnchorElement): void {
  const target = link.getAttribute('href') ?? '';
  if (SAFE_LINK.test(target)) {
    link.rel = 'noopener noreferrer nofollow';
    link.target = '_blank';
    return;
  }
  const isFile = /^[\w./ %-]+\.md(?:#.*)?$/iu.test(target);
  if (isFile)
    link.setAttribute(
      'href',
      linkTo('memory/files', decodePercents(target.replace(/^\.?\//u, '').replace(/#.*$/u, ''))),
    );
  else link.replaceWith(...link.childNodes);
}

const REFERENCES =
  /\[\[([^\]|\n]{1,200})(?:\|([^\]\n]{1,200}))?\]\]|(?:^|(?<=\s))\^[0-9a-z]{6,26}(?=\s|$)|<!--[\s\S]*?-->/gu;

/** `[[Anna]]` leads to her file, `^7k2m9x0q4t1za` is what an item is called, comments are set back. */
function markReferences(content: DocumentFragment): void {
  const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode() !== null) {
    const node = walker.currentNode;
    // A comment between paragraphs has no element around it.
    if (node instanceof Text && (node.parentElement?.closest('code, pre, a') ?? null) === null) texts.push(node);
  }
  for (const node of texts) {
    const pieces = splitReferences(node.data);
    if (pieces.length > 0) node.replaceWith(...pieces);
  }
}

function splitReferences(text: string): (string | Node)[] {
  const pieces: (string | Node)[] = [];
  let at = 0;
  for (const match of text.matchAll(REFERENCES)) {
    pieces.push(text.slice(at, match.index), reference(match));
    at = match.index + match[0].length;
  }
  return pieces.length === 0 ? [] : [...pieces, text.slice(at)];
}

function reference([whole, name, label]: RegExpMatchArray): Node {
  if (name === undefined) {
    const aside = document.createElement('span');
    aside.className = whole.startsWith('^') ? 'anchor' : 'comment';
    aside.textContent = whole.replace(/^<!--\s*|\s*-->$/gu, '');
    return aside;
  }
  const link = document.createElement('a');
  link.href = linkTo('memory/about', name.split('/').at(-1) ?? '');
  link.textContent = label ?? name.split('/').at(-1) ?? name;
  return link;
}
