import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { IDENTITY_ROLES, type IdentityFrontmatter, type IdentityRole } from '../../model/schemas/frontmatter.ts';
import { readFrontmatter } from '../../model/schemas/index.ts';
import { type MarkdownDocument, parseDocument, serializeDocument } from '../markdown/document.ts';
import { coreUsage, parseCore } from './core.ts';
import { parseEntity } from './entity.ts';
import { parseEpisodes } from './episode.ts';
import { checkFile } from './findings.ts';
import { parseJournal } from './journal.ts';
import {
  type FileKind,
  HOME_LAYOUT,
  type Layout,
  OPENCLAW_LAYOUT,
  VAULT_LAYOUT,
  fileStem,
  placeOf,
  sensitivityOf,
} from './layout.ts';
import { visibleText } from './metadata.ts';
import { parseProcedure } from './procedure.ts';
import { parseOntology } from './relations.ts';
import { documentTitle, sectionsOf, textOf } from './sections.ts';
import { parseTopic } from './topic.ts';
import { parseTranscript } from './transcript.ts';
import { defaultConfig } from '../../model/config/schema.ts';

/**
 * Files as people and agents really have them, each beside the JSON that says what we read in it. The JSON is written
 * and changed by hand: a difference is either a bug or a change of the format that somebody decided.
 */
const FOLDER = fileURLToPath(new URL('../../../test/golden/', import.meta.url));

const LAYOUTS: Readonly<Record<string, Layout>> = { home: HOME_LAYOUT, openclaw: OPENCLAW_LAYOUT, vault: VAULT_LAYOUT };

const CASES = Object.entries(LAYOUTS).flatMap(([name, layout]) =>
  globSync('**/*.md', { cwd: FOLDER + name })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => ({ file: `${name}/${path}`, path, layout })),
);

function parseAs(kind: FileKind, document: MarkdownDocument, path: string): unknown {
  switch (kind) {
    case 'memory':
      return { ...parseCore(document), usage: coreUsage(document, defaultConfig().core) };
    case 'identity':
      return parseIdentity(document, path);
    case 'journal':
      return parseJournal(document, path);
    case 'episode':
      return parseEpisodes(document);
    case 'entity':
      return parseEntity(document, path);
    case 'relations':
      return parseOntology(document);
    case 'procedure':
      return parseProcedure(document, path);
    case 'topic':
      return parseTopic(document, path);
    case 'transcript':
      return parseTranscript(document);
    default:
      return {
        frontmatter: document.frontmatter?.values,
        blocks: document.blocks.map((block) => [block.kind, block.id ?? ''].join(' ').trim()),
      };
  }
}

function describeFile(path: string, text: string, layout: Layout): unknown {
  const place = placeOf(path, layout);
  const findings = checkFile(path, text, layout).map(
    ({ line, severity, code, message }) => `${line}: ${severity} ${code}: ${message}`,
  );
  const parsed = parseAs(place.kind, parseDocument(text), path);
  return JSON.parse(JSON.stringify({ ...place, sensitivity: sensitivityOf(path), findings, parsed }, asJson));
}

function asJson(_key: string, value: unknown): unknown {
  if (value === undefined) return null;
  return value instanceof Map ? Object.fromEntries(value) : value;
}

// SPEC FILE-1
describe('golden files', () => {
  test('there are files for every kind with a typed format', () => {
    const kinds = new Set(CASES.map(({ path, layout }) => placeOf(path, layout).kind));
    expect([...kinds].sort()).toEqual([
      'entity',
      'episode',
      'identity',
      'journal',
      'memory',
      'procedure',
      'proposal',
      'reference',
      'relations',
      'topic',
      'transcript',
      'vault',
    ]);
  });

  test.each(CASES)('$file survives parsing to the byte', ({ file }) => {
    const text = readFileSync(FOLDER + file, 'utf8');
    expect(serializeDocument(parseDocument(text))).toBe(text);
  });

  test.each(CASES)('$file is understood as written beside it', ({ file, path, layout }) => {
    const expected: unknown = JSON.parse(readFileSync(FOLDER + file.replace(/\.md$/, '.json'), 'utf8'));
    expect(describeFile(path, readFileSync(FOLDER + file, 'utf8'), layout)).toEqual(expected);
  });
});

/** SOUL, IDENTITY, USER, AGENTS or TOOLS.md: prose in sections, loaded as it is. */
interface IdentityFile {
  readonly role: IdentityRole | undefined;
  readonly title: string | undefined;
  readonly frontmatter: Partial<IdentityFrontmatter>;
  readonly sections: readonly { readonly title: string; readonly text: string }[];
}

function parseIdentity(document: MarkdownDocument, path: string): IdentityFile {
  const frontmatter = readFrontmatter('identity', document.frontmatter?.values);
  const name = fileStem(path).toLowerCase();
  const sections = sectionsOf(document).map(({ title, blocks }) => ({
    title,
    text: visibleText(textOf(blocks)).trim(),
  }));
  return {
    role: frontmatter.role ?? IDENTITY_ROLES.find((role) => role === name),
    title: documentTitle(document),
    frontmatter,
    sections: sections.filter(({ text }) => text !== ''),
  };
}
