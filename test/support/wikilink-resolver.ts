import fs from 'node:fs';
import path from 'node:path';

/** Wikilinks as `@portaljs/remark-wiki-link` resolves them: Obsidian's short paths, by a program that knows nothing of ours. */
export type Load = (name: string) => Promise<unknown>;

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly data?: { readonly exists?: boolean; readonly permalink?: string };
  readonly children?: readonly Node[];
}

interface Processor {
  use(plugin: unknown, options?: unknown): Processor;
  parse(text: string): Node;
}

export interface ResolvedLink {
  readonly file: string;
  readonly link: string;
  readonly exists: boolean;
}

const PACKAGES = ['unified', 'remark-parse', '@portaljs/remark-wiki-link'] as const;

/** Undefined when the packages are not installed. */
export async function openResolver(load: Load): Promise<((root: string) => ResolvedLink[]) | undefined> {
  const loaded = await Promise.allSettled(PACKAGES.map((name) => load(name)));
  if (loaded.some(({ status }) => status === 'rejected')) return undefined;
  const [unified, parse, wikiLink] = loaded.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
  const { unified: create } = unified as { readonly unified: () => Processor };
  const plugins = [parse, wikiLink].map((module) => (module as { readonly default: unknown }).default);
  return (root) => {
    const files = markdownFiles(root);
    const permalinks = files.map((file) => `/${file.replace(/\.md$/u, '')}`);
    const options = { pathFormat: 'obsidian-short', permalinks };
    const processor = create().use(plugins[0]).use(plugins[1], options);
    return files.flatMap((file) =>
      linksIn(processor.parse(fs.readFileSync(path.join(root, file), 'utf8'))).map(({ value, data }) => ({
        file,
        link: data?.permalink ?? value ?? '',
        exists: data?.exists === true,
      })),
    );
  };
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
