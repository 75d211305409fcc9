import type { DocumentContent } from '../documents.ts';

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
    const title = textOf(info['Title']);
    const made = /^D:(\d{4})(\d{2})(\d{2})/u.exec(textOf(info['CreationDate']) ?? '');
    const said = pages.filter((page) => page.trim().length >= MIN_PAGE_CHARACTERS).length;
    const body = pages
      .map((page, index) => ({ page: page.trim(), number: index + 1 }))
      .filter(({ page }) => page !== '')
      .map(({ page, number }) => `## Page ${number}\n\n${asParagraphs(page)}`)
      .join('\n\n');
    if (body === '') return { problem: 'it holds no text, only pictures of it' };
    return {
      title,
      author: textOf(info['Author']),
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

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
