import type { DocumentContent } from '../documents.ts';
import { toMarkdown } from './html-markdown.ts';
import { asWords } from '../lines.ts';

/** A saved web page: its article without what stands around it, or all of it where none can be told. */
export async function readHtml(bytes: Uint8Array): Promise<DocumentContent> {
  const { Readability, parseHTML } = await import('./html-library.ts');
  const text = new TextDecoder(charsetOf(bytes)).decode(bytes);
  const { document } = parseHTML(/<html[\s>]/iu.test(text) ? text : `<html><body>${text}</body></html>`);
  const url =
    attribute(document, 'link[rel="canonical"]', 'href') ??
    attribute(document, 'meta[property="og:url"]', 'content') ??
    savedFrom(text);
  const fallbackTitle = document.querySelector('title')?.textContent?.trim();
  const date = attribute(document, 'meta[property="article:published_time"]', 'content');
  const whole: unknown = document.body.cloneNode(true);
  const article = new Readability<unknown>(document, { serializer: (node) => node }).parse();
  const body = toMarkdown(article?.content ?? whole).trim();
  if (body === '') return { problem: 'it holds no text' };
  return {
    title: article?.title || fallbackTitle || undefined,
    author: article?.byline || undefined,
    date: /^\d{4}-\d{2}-\d{2}/u.exec(article?.publishedTime ?? date ?? '')?.[0],
    url: url !== undefined && /^https?:\/\//iu.test(url) ? url : undefined,
    body,
  };
}

interface Queryable {
  querySelector(selector: string): { getAttribute(name: string): string | null } | null;
}

function attribute(document: Queryable, selector: string, name: string): string | undefined {
  return document.querySelector(selector)?.getAttribute(name) || undefined;
}

/** Browsers note in a comment where a page was saved from. */
function savedFrom(text: string): string | undefined {
  return /<!--\s*saved from url=\(\d+\)(\S+)/iu.exec(text.slice(0, 4096))?.[1];
}

/** The charset that the page itself declares, within the bytes that browsers look at. */
function charsetOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  const named = /charset=["']?\s*([\w-]+)/iu.exec(head)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(named).encoding;
  } catch (error) {
    if (error instanceof RangeError) return 'utf-8';
    throw error;
  }
}

/** Below this, a page has hardly a word: it is a picture of text, which nobody has read out. */
const MIN_PAGE_CHARACTERS = 20;

/** The text of a PDF, page by page, with what it says of itself. */
export async function readPdf(bytes: Uint8Array): Promise<DocumentContent> {
  const { extractText, getDocumentProxy, getMeta } = await import('./pdf-library.ts');
  // The parser takes the memory over, and the bytes are still needed for their hash.
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  try {
    const { text: pages } = await extractText(document, { mergePages: false });
    const { info } = await getMeta(document);
    const title = asWords(info['Title']);
    const made = /^D:(\d{4})(\d{2})(\d{2})/u.exec(asWords(info['CreationDate']) ?? '');
    const said = pages.filter((page) => page.trim().length >= MIN_PAGE_CHARACTERS).length;
    const body = pages
      .map((page, index) => ({ page: page.trim(), number: index + 1 }))
      .filter(({ page }) => page !== '')
      .map(({ page, number }) => `## Page ${number}\n\n${asParagraphs(page)}`)
      .join('\n\n');
    if (body === '') return { problem: 'it holds no text, only pictures of it' };
    return {
      title,
      author: asWords(info['Author']),
      date: made === null ? undefined : made.slice(1, 4).join('-'),
      body,
      note: said < pages.length / 2 ? 'most pages hold pictures, which were not read' : undefined,
    };
  } finally {
    await document.loadingTask.destroy();
  }
}

/** Text of a page must not be taken for headings or lists that nobody wrote. */
function asParagraphs(page: string): string {
  return page
    .split('\n')
    .map((line) => line.trimEnd().replace(/^(\s*)([#>]|[-*+](?=\s)|\d+[.)](?=\s)|```|~~~|---)/u, '$1\\$2'))
    .join('\n');
}
