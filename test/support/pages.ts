import fs from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** README and every page of docs/, by their paths from the repository's root. */
export function listPages(): string[] {
  const docs = fs.readdirSync(path.join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', 'GLOSSARY.md', ...docs.map((name) => `docs/${name}`)];
}

export function readPage(page: string): string {
  return fs.readFileSync(path.join(ROOT, page), 'utf8');
}

export interface Snippet {
  readonly page: string;
  /** Counted within the page and language, from 1. */
  readonly number: number;
  readonly language: string;
  readonly text: string;
}

export function listSnippets(page: string): Snippet[] {
  const counts = new Map<string, number>();
  return [...readPage(page).matchAll(/^```(\S*)\n([\s\S]*?)^```$/gmu)].map(([, language = '', text = '']) => {
    const number = (counts.get(language) ?? 0) + 1;
    counts.set(language, number);
    return { page, number, language, text };
  });
}
