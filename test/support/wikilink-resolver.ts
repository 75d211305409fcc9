/**
 * Wikilinks as `@portaljs/remark-wiki-link` resolves them (Obsidian's short paths), by a program that knows nothing of ours.
 * Prints one JSON list of every link below a folder. A process of its own: inside the test runner the packages load their
 * development builds, whose assertions the plugin does not meet.
 *
 *   node test/support/wikilink-resolver.ts FOLDER
 */
import fs from 'node:fs';
import path from 'node:path';
import wikiLinks from '@portaljs/remark-wiki-link';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

export interface ResolvedLink {
  readonly file: string;
  readonly link: string;
  readonly exists: boolean;
}

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly data?: { readonly exists?: boolean; readonly permalink?: string };
  readonly children?: readonly Node[];
}

function linksIn(node: Node): Node[] {
  return [...(node.type === 'wikiLink' ? [node] : []), ...(node.children ?? []).flatMap(linksIn)];
}

/** Proposals hold diffs, not links; nobody opens them in Obsidian as notes. */
function markdownFiles(root: string): string[] {
  return fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.md') && !file.startsWith('.') && !file.startsWith('memory/meta/'));
}

const root = process.argv[2] ?? '.';
const files = markdownFiles(root);
const permalinks = files.map((file) => `/${file.replace(/\.md$/u, '')}`);
const processor = unified().use(remarkParse).use(wikiLinks, { pathFormat: 'obsidian-short', permalinks });
const links: ResolvedLink[] = files.flatMap((file) =>
  linksIn(processor.parse(fs.readFileSync(path.join(root, file), 'utf8')) as Node).map(({ value, data }) => ({
    file,
    link: data?.permalink ?? value ?? '',
    exists: data?.exists === true,
  })),
);
process.stdout.write(JSON.stringify(links));
