import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../model/errors.ts';
import type { Change } from '../../workspace/door/request.ts';
import { sectionRange } from '../../workspace/markdown/blocks.ts';
import { slugify } from '../../workspace/safety/paths.ts';
import { type MarkdownDocument, parseDocument } from '../../workspace/markdown/document.ts';
import { insertBlocks, replaceBlock } from '../../workspace/markdown/edit.ts';
import { renderFrontmatter, setFrontmatterValue } from '../../workspace/markdown/frontmatter.ts';
import { type StoreParts, editText, newId, timestamp } from '../stores/plan.ts';
import { describeAdaptation, describeCounts, describePattern, sortOf } from './describe.ts';
import type { Pattern } from './occurrence.ts';

const FOLDER = 'memory/procedures';
const PREFIX = 'pattern--';

/** A pattern's file: a person may change all of it; a machine changes only the figures and the observation. */
export interface PatternFile {
  readonly path: string;
  readonly key: string;
  readonly isRetired: boolean;
}

export function listPatternFiles(root: string): PatternFile[] {
  return namesIn(root).flatMap((name) => {
    const values = parseDocument(fs.readFileSync(path.join(root, FOLDER, name), 'utf8')).frontmatter?.values;
    const key = values?.['pattern_key'];
    if (typeof key !== 'string') return [];
    return [{ path: `${FOLDER}/${name}`, key, isRetired: values?.['status'] === 'retired' }];
  });
}

function namesIn(root: string): string[] {
  try {
    return fs.readdirSync(path.join(root, FOLDER)).filter((name) => name.startsWith(PREFIX) && name.endsWith('.md'));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** The file of a new pattern, or the new figures of a known one. */
export function planPattern(parts: StoreParts, pattern: Pattern, known: PatternFile | undefined): Change {
  const file = known?.path ?? pathFor(pattern);
  return {
    path: file,
    edit: (current) =>
      current === undefined
        ? renderPattern(parts, pattern)
        : editText(file, current, timestamp(parts), (document) => withFigures(document, pattern)),
  };
}

/** A pattern that is no longer found keeps its file and says that it ended. */
export function planRetirement(parts: StoreParts, { path: file }: PatternFile): Change {
  return {
    path: file,
    edit: (current) =>
      current === undefined
        ? undefined
        : editText(file, current, timestamp(parts), (document) => setFrontmatterValue(document, 'status', 'retired')),
  };
}

/** Two labels of one slug are kept apart by a few letters of the key's hash. */
function pathFor({ key }: Pattern): string {
  return `${FOLDER}/${PREFIX}${slugify(key.replaceAll('>', ' ')).slice(0, 60)}-${hash('sha256', key).slice(0, 4)}.md`;
}

function renderPattern(parts: StoreParts, pattern: Pattern): string {
  const { shape, confidence, tried, key, isRetired } = pattern;
  const frontmatter = renderFrontmatter({
    type: 'procedure',
    kind: 'pattern',
    id: newId(parts),
    name: titleOf(pattern),
    pattern: sortOf(shape),
    pattern_key: key,
    status: isRetired ? 'retired' : 'active',
    confidence: rounded(confidence),
    observations: tried,
    source: 'inferred',
    trust: pattern.trust ?? 'agent',
    learned: timestamp(parts),
    updated: timestamp(parts),
  });
  return [
    `${frontmatter}\n# ${titleOf(pattern)}\n`,
    `## Observation\n\n${observationOf(pattern)}\n`,
    `## Adaptation\n\n${describeAdaptation(shape)}\n`,
    `## Learned From\n\n${pattern.evidence.map((id) => `- ${id}`).join('\n')}\n`,
  ].join('\n');
}

function withFigures(document: MarkdownDocument, pattern: Pattern): MarkdownDocument {
  const values = {
    confidence: rounded(pattern.confidence),
    observations: pattern.tried,
    status: pattern.isRetired ? 'retired' : 'active',
    trust: pattern.trust ?? 'agent',
  };
  const figured = Object.entries(values).reduce(
    (changed, [key, value]) =>
      changed.frontmatter?.values?.[key] === value ? changed : setFrontmatterValue(changed, key, value),
    document,
  );
  const range = sectionRange(figured, 'Observation');
  if (range === undefined) return figured;
  const place = figured.blocks.findIndex(
    ({ kind }, index) => index > range.start && index < range.end && kind === 'paragraph',
  );
  const text = observationOf(pattern);
  if (place === -1) return insertBlocks(figured, range.start + 1, [text]);
  return figured.blocks[place]?.raw.trim() === text ? figured : replaceBlock(figured, place, text);
}

function titleOf({ shape }: Pattern): string {
  return describePattern(shape).replace(/\.$/u, '').replaceAll('"', '');
}

function observationOf(pattern: Pattern): string {
  return `${describePattern(pattern.shape)} ${describeCounts(pattern)}`;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
