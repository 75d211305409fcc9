import { errorMessage } from '../../model/errors.ts';
import { checkFrontmatter, FRONTMATTER_SCHEMAS, type FrontmatterKind } from '../../model/schemas/index.ts';
import { blockLineRanges } from '../markdown/blocks.ts';
import { type Frontmatter, type MarkdownDocument, parseDocument } from '../markdown/document.ts';
import { countLines } from '../markdown/lines.ts';
import { coreUsage, parseCore, type CoreCaps } from './core.ts';
import { parseEntity } from './entity.ts';
import { parseEpisodes } from './episode.ts';
import type { Located } from './item.ts';
import { parseProcedure } from './procedure.ts';
import { fileStem, HOME_LAYOUT, placeOf, type FileKind, type Layout } from './layout.ts';

export const FINDING_CODES = [
  'frontmatter-broken',
  'frontmatter-unclosed',
  'frontmatter-missing',
  'frontmatter-invalid',
  'anchor-duplicate',
  'metadata-invalid',
  'core-near-cap',
  'core-over-cap',
  'core-block-over-cap',
  'topic-without-triggers',
  'entity-id-mismatch',
  'procedure-step-invalid',
  'check-failed',
] as const;
export type FindingCode = (typeof FINDING_CODES)[number];

export type Severity = 'error' | 'warning';

/** Something about one file that a person or the write path should know. */
export interface Finding {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly severity: Severity;
  readonly code: FindingCode;
  readonly message: string;
  /** The way to fix it. */
  readonly hint: string;
}

type Report = (code: FindingCode, severity: Severity, line: number, message: string, hint: string) => void;

interface CheckedFile {
  readonly path: string;
  readonly text: string;
  readonly document: MarkdownDocument;
  readonly kind: FileKind;
  /** `error` in our own home; an adopted folder may follow other rules and is only warned. */
  readonly breach: Severity;
  readonly caps: CoreCaps;
}

/** Everything wrong with a Markdown file, without looking at any other file. Never throws. */
export function checkFile(path: string, text: string, layout: Layout = HOME_LAYOUT): Finding[] {
  const findings: Finding[] = [];
  const report: Report = (code, severity, line, message, hint) => {
    findings.push({ path, line, severity, code, message, hint });
  };
  if (!/\.(?:md|markdown)$/iu.test(path)) return findings;
  try {
    const { kind } = placeOf(path, layout);
    const file = {
      path,
      text,
      document: parseDocument(text),
      kind,
      breach: layout.isStrict ? 'error' : 'warning',
      caps: layout.core,
    } as const;
    checkFrontmatterOf(file, report);
    checkAnchors(file, report);
    checkBody(file, report);
  } catch (error) {
    report(
      'check-failed',
      'warning',
      1,
      `The file could not be checked: ${errorMessage(error)}`,
      'Report this as a bug of Mneme.',
    );
  }
  return findings.sort((a, b) => a.line - b.line);
}

function checkFrontmatterOf({ text, document, kind, breach }: CheckedFile, report: Report): void {
  const { frontmatter } = document;
  if (frontmatter === undefined) {
    if (kind === 'transcript' || kind === 'proposal') {
      const hint = `Start the file with --- and the keys a ${kind} needs.`;
      report('frontmatter-missing', breach, 1, `A ${kind} needs frontmatter, and this file has none.`, hint);
    } else if (/^\uFEFF?---[ \t]*\r?\n[\w-]+[ \t]*:/u.test(text)) {
      report(
        'frontmatter-unclosed',
        breach,
        1,
        'The frontmatter is opened with --- and never closed.',
        'Close it with a line ---.',
      );
    }
    return;
  }
  if (frontmatter.values === undefined) {
    const said = frontmatter.error ?? 'it cannot be read';
    const reason = said.replace(/ at line \d+, column \d+:?$/u, '');
    const line = 1 + Number(/at line (\d+)/u.exec(said)?.[1] ?? 0);
    report(
      'frontmatter-broken',
      breach,
      line,
      `The frontmatter is broken YAML: ${reason}.`,
      'Repair the YAML; until then the file is read as plain text.',
    );
    return;
  }
  if (!hasSchema(kind)) return;
  for (const problem of checkFrontmatter(kind, frontmatter.values)) {
    const where = problem.at === '' ? 'The frontmatter' : `"${problem.at}"`;
    const hint = `See schemas/${kind}.schema.json for what a ${kind} file may say.`;
    report('frontmatter-invalid', breach, lineOfKey(frontmatter, problem.key), `${where} ${problem.message}.`, hint);
  }
}

function hasSchema(kind: FileKind): kind is FrontmatterKind {
  return Object.hasOwn(FRONTMATTER_SCHEMAS, kind);
}

function lineOfKey(frontmatter: Frontmatter, key: string | undefined): number {
  let line = 2;
  for (const entry of frontmatter.entries) {
    if (entry.key === key && key !== undefined) {
      const ahead = entry.raw.split('\n').findIndex((text) => text.startsWith(key) || /^["']/u.test(text));
      return line + Math.max(ahead, 0);
    }
    line += countLines(entry.raw);
  }
  return 1;
}

function checkAnchors({ document }: CheckedFile, report: Report): void {
  const firstLines = new Map<string, number>();
  const ranges = blockLineRanges(document);
  for (const [index, block] of document.blocks.entries()) {
    if (block.id === undefined) continue;
    const line = ranges[index]?.endLine ?? 1;
    const first = firstLines.get(block.id);
    if (first === undefined) firstLines.set(block.id, line);
    else {
      const hint = 'Remove one of the two; of copies the oldest keeps the id.';
      report('anchor-duplicate', 'warning', line, `The anchor ^${block.id} already stands on line ${first}.`, hint);
    }
  }
}

function checkBody(file: CheckedFile, report: Report): void {
  const { document, kind, path } = file;
  if (kind === 'memory') {
    checkCaps(file, report);
    reportItems(Object.values(parseCore(document).blocks).flat(), report);
  } else if (kind === 'episode') {
    reportItems(parseEpisodes(document).entries, report);
  } else if (kind === 'procedure') {
    for (const { order, line = 1, problems = [] } of parseProcedure(document, path).steps) {
      for (const problem of problems) {
        const hint = 'Correct the line below the step; `mneme procedure show` tells what was understood.';
        report('procedure-step-invalid', 'warning', line, `Step ${order}: ${problem}.`, hint);
      }
    }
  } else if (kind === 'topic') {
    checkTriggers(document, report);
  } else if (kind === 'entity') {
    const entity = parseEntity(document, path);
    const { facts, timeline, questions, tasks, decisions, relations } = entity;
    reportItems([...facts, ...timeline, ...questions, ...tasks, ...decisions, ...relations], report);
    if (entity.id !== fileStem(path)) {
      const hint = `Rename the file to ${entity.id}.md, or change the id.`;
      report('entity-id-mismatch', 'warning', 1, `The id ${entity.id} is not the name of the file.`, hint);
    }
  }
}

function reportItems(items: readonly Located[], report: Report): void {
  for (const item of items) {
    for (const problem of item.problems) {
      const hint = 'See schemas/item.schema.json; what is not valid is ignored.';
      report('metadata-invalid', 'warning', item.startLine, `In the metadata of this item, ${problem}.`, hint);
    }
  }
}

function checkTriggers(document: MarkdownDocument, report: Report): void {
  if (document.frontmatter?.error !== undefined) return;
  const values = document.frontmatter?.values;
  const triggers = values?.['triggers'];
  if (values?.['activation'] === 'manual' || (Array.isArray(triggers) && triggers.length > 0)) return;
  const hint = 'Add triggers, or say activation: manual.';
  report('topic-without-triggers', 'warning', 1, 'The topic has no triggers, so nothing will activate it.', hint);
}

function checkCaps({ document, breach, caps }: CheckedFile, report: Report): void {
  const { tokens, lines, share, blocks } = coreUsage(document, caps);
  const usage = `MEMORY.md holds ${tokens} of ${caps.max_tokens} tokens in ${lines} of ${caps.max_lines} lines`;
  const hint = 'Move what matters least to its store, by hand or with mneme learn reflect, or raise core.max_tokens.';
  if (share > caps.refuse_share)
    report('core-over-cap', breach, 1, `${usage}: more than can be always in context.`, hint);
  else if (share > 1) report('core-over-cap', 'warning', 1, `${usage}: over the cap.`, hint);
  else if (share >= caps.warn_share) report('core-near-cap', 'warning', 1, `${usage}: nearly full.`, hint);
  for (const block of blocks) {
    if (block.tokens <= block.maxTokens) continue;
    const message = `The block ${block.name} holds ${block.tokens} of ${block.maxTokens} tokens.`;
    report('core-block-over-cap', 'warning', 1, message, 'Shorten it, or move bullets to their stores.');
  }
}
