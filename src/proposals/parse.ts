import { isMutationId, ulidTimeMs } from '../model/ids.ts';
import { checkFrontmatter, readFrontmatter } from '../model/schemas/index.ts';
import { textList } from '../model/schemas/fields.ts';
import { parseBody } from '../workspace/formats/body.ts';
import { documentTitle } from '../workspace/formats/sections.ts';
import { headingText } from '../workspace/markdown/blocks.ts';
import { parseDocument } from '../workspace/markdown/document.ts';
import { withEol } from '../workspace/markdown/lines.ts';
import { type MarkdownDocument } from '../workspace/markdown/document.ts';
import { SUGGESTED_STORES, type ProposedStatement } from './agents/statement.ts';
import {
  CHANGE_ACTIONS,
  CHANGE_STATES,
  type ChangeAction,
  type ChangeState,
  type Proposal,
  type ProposedChange,
} from './proposal.ts';

export interface ParsedProposal {
  /** undefined when the text is not a proposal at all. */
  readonly proposal: Proposal | undefined;
  /** Problems for a person to fix, in sentences without a subject. */
  readonly findings: readonly string[];
}

/**
 * Reads a proposal that a person may have edited. Where the header says something impossible the safe reading counts:
 * not decided yet, not trusted.
 */
export function parseProposal(text: string, id: string): ParsedProposal {
  const document = parseDocument(text);
  const { values, error } = document.frontmatter ?? { values: undefined, error: 'There is no frontmatter.' };
  if (!isMutationId(id)) return { proposal: undefined, findings: ['is not named by an id'] };
  if (values === undefined) return { proposal: undefined, findings: [`has no readable header: ${error ?? ''}`] };
  const header = readFrontmatter('proposal', values);
  const findings = checkFrontmatter('proposal', values).map((problem) => `${problem.at} ${problem.message}`);
  if (header.id !== undefined && header.id !== id) findings.push(`calls itself ${header.id}; its name counts`);
  const { changes, problems } = parseChanges(document, values['files']);
  const proposal: Proposal = {
    id,
    state: header.state ?? 'pending',
    kind: header.kind ?? 'memory',
    title: header.title ?? documentTitle(document) ?? id,
    why: parseWhy(document),
    evidence: parseEvidence(document),
    actor: header.actor ?? 'external',
    trust: header.trust ?? 'external',
    scope: header.scope,
    created: header.created ?? new Date(ulidTimeMs(id)).toISOString(),
    base: header.base,
    confidence: header.confidence,
    expires: typeof values['expires'] === 'string' ? values['expires'] : undefined,
    trigger: header.trigger,
    session: header.session,
    changes,
    statement: parseStatement(document, values),
    conflictsWith: header.conflicts_with ?? [],
    decided: header.decided,
    decidedBy: header.decided_by,
    reason: header.reason,
  };
  return { proposal, findings: [...findings, ...problems] };
}

const MEMORY_HEADING = /^memory:?$/i;
const EVIDENCE_HEADING = /^evidence:?$/i;
const CHANGE_HEADING = /^change (\d+)\b:?\s*(\w*)/i;

function isSection(document: MarkdownDocument, index: number, pattern: RegExp): boolean {
  const block = document.blocks[index];
  return block?.kind === 'heading' && block.level === 2 && pattern.test(headingText(block));
}

function parseWhy(document: MarkdownDocument): string {
  const { blocks } = document;
  const title = blocks.findIndex((block) => block.kind === 'heading' && block.level === 1);
  const end = blocks.findIndex(
    (_, index) =>
      isSection(document, index, EVIDENCE_HEADING) ||
      isSection(document, index, CHANGE_HEADING) ||
      isSection(document, index, MEMORY_HEADING),
  );
  const own = blocks.slice(title + 1, end === -1 ? blocks.length : end).map((block) => block.raw);
  return parseBody(own.join('').replace(/^(?:[ \t]*\r?\n)+/, ''), false);
}

/** Parses the memory an agent proposes; undefined for a proposal that changes files. */
function parseStatement(
  document: MarkdownDocument,
  values: Readonly<Record<string, unknown>>,
): ProposedStatement | undefined {
  const store = SUGGESTED_STORES.find((known) => known === values['store']);
  const { blocks } = document;
  const start = blocks.findIndex((_, index) => isSection(document, index, MEMORY_HEADING));
  if (store === undefined || start === -1 || values['files'] !== undefined) return undefined;
  const length = blocks.slice(start + 1).findIndex((_, at) => isSection(document, start + 1 + at, /./));
  const own = blocks.slice(start + 1, length === -1 ? blocks.length : start + 1 + length);
  const words = (key: string): string | undefined => {
    const value = values[key];
    return typeof value === 'string' ? value : undefined;
  };
  const list = (key: string): string[] => textList.safeParse(values[key]).data ?? [];
  return {
    content: parseBody(
      own
        .map((block) => block.raw)
        .join('')
        .replace(/^(?:[ \t]*\r?\n)+/, ''),
      false,
    ).trim(),
    store,
    entities: list('entities'),
    isCoreWorthy: values['core_worthy'] === true,
    subject: words('subject'),
    attribute: words('attribute'),
    value: words('value'),
    contradicts: list('contradicts'),
  };
}

function parseEvidence(document: MarkdownDocument): string[] {
  const { blocks } = document;
  const start = blocks.findIndex((_, index) => isSection(document, index, EVIDENCE_HEADING));
  if (start === -1) return [];
  const length = blocks.slice(start + 1).findIndex((block) => block.kind === 'heading');
  const own = blocks.slice(start + 1, length === -1 ? blocks.length : start + 1 + length);
  // An anchor at the end of a line is what the line cites, so the raw text counts and not what the block says.
  return own
    .filter((block) => block.kind === 'item')
    .map((block) => block.raw.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').trim())
    .map((line) => line.replace(/^\\(?=\\*[`~*_+-])/, ''));
}

export interface ChangeSection {
  readonly number: number;
  readonly heading: string;
  readonly headingAt: number;
  /** The block with the diff; undefined when there is none. */
  readonly fenceAt: number | undefined;
}

/** Where the body speaks of its changes. */
export function locateSections(document: MarkdownDocument): ChangeSection[] {
  const { blocks } = document;
  return blocks.flatMap((block, headingAt) => {
    if (!isSection(document, headingAt, CHANGE_HEADING)) return [];
    const heading = headingText(block);
    const number = Number(CHANGE_HEADING.exec(heading)?.[1]);
    const next = blocks.findIndex((other, at) => at > headingAt && other.kind === 'heading' && other.level <= 2);
    const fence = blocks.findIndex(
      (other, at) => at > headingAt && (next === -1 || at < next) && /^ {0,3}(?:```+|~~~+)\s*diff\b/.test(other.raw),
    );
    return [{ number, heading, headingAt, fenceAt: fence === -1 ? undefined : fence }];
  });
}

/** The header's entry for a change; any field may be missing. */
interface FileEntry {
  readonly path?: string | undefined;
  readonly action?: ChangeAction | undefined;
  readonly to?: string | undefined;
  readonly base?: string | undefined;
  readonly state: ChangeState;
}

function parseChanges(
  document: MarkdownDocument,
  files: unknown,
): { readonly changes: ProposedChange[]; readonly problems: string[] } {
  const entries = readEntries(files);
  const changes: ProposedChange[] = [];
  const problems: string[] = [];
  for (const section of locateSections(document)) {
    const { number } = section;
    const change = readChange(document, section, entries.get(number) ?? { state: 'waiting' });
    if (changes.some((known) => known.number === number)) problems.push(`has two changes with the number ${number}`);
    else if (change === undefined) problems.push(`does not say which file change ${number} is about`);
    else changes.push(change);
  }
  for (const number of entries.keys()) {
    const isKnown = changes.some((change) => change.number === number);
    if (!isKnown) problems.push(`no longer shows change ${number}, which is therefore left out`);
  }
  return { changes, problems };
}

function readEntries(files: unknown): Map<number, FileEntry> {
  const entries = new Map<number, FileEntry>();
  for (const [index, file] of (Array.isArray(files) ? files : []).entries()) {
    const fields: Record<string, unknown> = typeof file === 'object' && file !== null ? { ...file } : { path: file };
    const text = (key: string): string | undefined => (typeof fields[key] === 'string' ? fields[key] : undefined);
    const { change } = fields;
    entries.set(typeof change === 'number' ? change : index + 1, {
      path: text('path'),
      action: CHANGE_ACTIONS.find((action) => action === fields['action']),
      to: text('to'),
      base: text('base_hash'),
      state: CHANGE_STATES.find((state) => state === fields['state']) ?? 'waiting',
    });
  }
  return entries;
}

/** The heading is what a person reads and edits, so it counts; the header supplies what the heading does not say. */
function readChange(document: MarkdownDocument, section: ChangeSection, entry: FileEntry): ProposedChange | undefined {
  const [shownPath, shownTo] = [...section.heading.matchAll(/`([^`]+)`/g)].map((match) => match[1]);
  const path = shownPath ?? entry.path;
  if (path === undefined) return undefined;
  const diff = section.fenceAt === undefined ? '' : readFence(document, section.fenceAt);
  const word = CHANGE_HEADING.exec(section.heading)?.[2]?.toLowerCase();
  const action = CHANGE_ACTIONS.find((known) => known === word) ?? entry.action ?? impliedAction(diff);
  const renameTo = action === 'rename' ? (shownTo ?? entry.to) : undefined;
  if (action === 'rename' && renameTo === undefined) return undefined;
  return {
    number: section.number,
    action,
    path,
    renameTo,
    // A change that was pointed at another file was not made from that file.
    base: path === entry.path ? entry.base : undefined,
    diff,
    state: entry.state,
  };
}

function impliedAction(diff: string): ChangeAction {
  if (/^--- \/dev\/null$/m.test(diff)) return 'create';
  return /^\+\+\+ \/dev\/null$/m.test(diff) ? 'delete' : 'edit';
}

function readFence(document: MarkdownDocument, index: number): string {
  const raw = document.blocks[index]?.raw ?? '';
  const lines = (document.eol === '\r\n' ? withEol(raw, '\n') : raw).split('\n');
  const marker = /^\s*(`+|~+)/.exec(lines[0] ?? '')?.[1] ?? '```';
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const isClosed = last > 0 && new RegExp(`^ {0,3}${marker}[\`~]*\\s*$`).test(lines[last] ?? '');
  const content = lines.slice(1, isClosed ? last : lines.length);
  return content.length === 0 ? '' : `${content.join('\n').replace(/\n+$/, '')}\n`;
}
