import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { HOME_LAYOUT, OPENCLAW_LAYOUT, VAULT_LAYOUT, type Layout } from '../../workspace/formats/layout.ts';
import type { IndexedDocument, Passage } from '../passage.ts';
import { chunkFile } from './chunk-file.ts';

/** The passages of files as people and agents really have them; a difference is a bug or a decision. */
const FOLDER = fileURLToPath(new URL('../../../test/golden/', import.meta.url));

const LAYOUTS: readonly [string, Layout][] = [
  ['home', HOME_LAYOUT],
  ['openclaw', OPENCLAW_LAYOUT],
  ['vault', VAULT_LAYOUT],
];

function chunkGolden(file: string, layout: Layout): IndexedDocument | undefined {
  const relative = file.replace(/^[^/]+\//, '');
  const isRaw = relative.startsWith('raw/');
  const chunking = { max_tokens: 400, overlap_tokens: 80, respect_headings: true };
  const key = isRaw
    ? ({ source: 'raw', path: relative.slice('raw/'.length) } as const)
    : ({ source: 'workspace', path: relative } as const);
  return chunkFile(
    { ...key, text: readFileSync(FOLDER + file, 'utf8'), hash: 'h' },
    { layout, chunking, timeZone: 'Europe/Vienna' },
  );
}

function describeDocument(file: string, document: IndexedDocument | undefined): string {
  if (document === undefined) return `# ${file}: not searched\n`;
  const { store, scope, title, session, entity, passages } = document;
  const head = `# ${file}: ${[store, scope, title, session ?? ''].join(' | ')}`;
  const lines = entity === undefined ? [head] : [head, `  ${JSON.stringify(entity)}`];
  return [...lines, ...passages.map(describePassage), ''].join('\n');
}

function describePassage(passage: Passage): string {
  const { id, type, startLine, endLine, timeMs, source, trust, importance, confidence, turn, tags, entities } = passage;
  const time = timeMs === undefined ? '–' : new Date(timeMs).toISOString().slice(0, 16);
  const facts = [
    `${source}/${trust}`,
    `${importance ?? '–'}/${confidence ?? '–'}`,
    [passage.session, turn].filter((part) => part !== undefined).join('#'),
    tags.length === 0 ? '' : `[${tags.join(', ')}]`,
    entities.length === 0 ? '' : `{${entities.join(', ')}}`,
  ];
  const head = [id, type, `${startLine}–${endLine}`, time, ...facts].filter((part) => part !== '').join(' ');
  return `  ${head}\n    ${passage.lead} (${passage.day}) ${JSON.stringify(passage.text)}`;
}

it.each(LAYOUTS)('the files of %s become the passages written beside this test', async (name, layout) => {
  const files = globSync('**/*.md', { cwd: FOLDER + name }).map((path) => `${name}/${path.replaceAll('\\', '/')}`);
  const described = files.sort().map((file) => describeDocument(file, chunkGolden(file, layout)));
  await expect(described.join('\n')).toMatchFileSnapshot(`./golden/${name}.txt`);
});
