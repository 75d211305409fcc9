import type { DocumentContent } from '../documents.ts';
import { toMarkdown } from './html-markdown.ts';

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
