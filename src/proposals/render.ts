import { renderBody } from '../workspace/formats/body.ts';
import { parseDocument, serializeDocument, serializeWithBody } from '../workspace/markdown/document.ts';
import {
  type FrontmatterValue,
  deleteFrontmatterValue,
  renderFrontmatter,
  setFrontmatterValue,
} from '../workspace/markdown/frontmatter.ts';
import { withEol } from '../workspace/markdown/lines.ts';
import { type MarkdownDocument } from '../workspace/markdown/document.ts';
import type { ProposedStatement } from './agents/statement.ts';
import { locateSections } from './parse.ts';
import type { Proposal, ProposedChange } from './proposal.ts';
import { oneLine } from '../model/text.ts';

/** A proposal's file as it is first written. */
export function renderProposal(proposal: Proposal): string {
  const head = renderFrontmatter(headerOf(proposal));
  const evidence = proposal.evidence.map((line) => `- ${escapeItem(oneLine(line))}`);
  const parts = [
    `# ${oneLine(proposal.title)}`,
    renderBody(proposal.why, undefined),
    ...(proposal.statement === undefined ? [] : [MEMORY_HEADING, renderBody(proposal.statement.content, undefined)]),
    ...(evidence.length === 0 ? [] : ['## Evidence', evidence.join('\n')]),
    ...proposal.changes.flatMap((change) => [renderHeading(change), renderDiff(change.diff)]),
  ];
  return `${head}\n${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Keys in the order a reader wants them: what it is, what it does, what became of it. */
function headerOf(proposal: Proposal): Record<string, unknown> {
  const values: Record<string, unknown> = {
    type: 'proposal',
    id: proposal.id,
    state: proposal.state,
    kind: proposal.kind,
    title: oneLine(proposal.title),
    actor: proposal.actor,
    trust: proposal.trust,
    scope: proposal.scope,
    created: proposal.created,
    base: proposal.base,
    confidence: proposal.confidence,
    expires: proposal.expires,
    trigger: proposal.trigger,
    session: proposal.session,
    files: proposal.statement === undefined ? proposal.changes.map(fileEntry) : undefined,
    ...statementHeader(proposal.statement),
    conflicts_with: proposal.conflictsWith.length === 0 ? undefined : [...proposal.conflictsWith],
    decided: proposal.decided,
    decided_by: proposal.decidedBy,
    reason: proposal.reason,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Under it stands what would be remembered, for whoever decides to change. */
const MEMORY_HEADING = '## Memory';

function statementHeader(statement: ProposedStatement | undefined): Record<string, unknown> {
  if (statement === undefined) return {};
  const { store, entities, isCoreWorthy, subject, attribute, value, contradicts } = statement;
  return {
    store,
    entities: [...entities],
    core_worthy: isCoreWorthy,
    subject,
    attribute,
    value,
    contradicts: contradicts.length === 0 ? undefined : [...contradicts],
  };
}

function fileEntry(change: ProposedChange): Record<string, FrontmatterValue> {
  return {
    change: change.number,
    action: change.action,
    path: change.path,
    ...(change.renameTo === undefined ? {} : { to: change.renameTo }),
    ...(change.base === undefined ? {} : { base_hash: change.base }),
    ...(change.state === 'waiting' ? {} : { state: change.state }),
  };
}

/** In a list item, `- ```x` would open a fence that swallows the changes below it, and `- --` is a rule. */
function escapeItem(text: string): string {
  return text.replace(/^\\*(?=[`~*_+-])/, (slashes) => `${slashes}\\`);
}

function renderHeading({ number, action, path, renameTo }: ProposedChange): string {
  const names = renameTo === undefined ? [path] : [path, renameTo];
  // A name with a backtick cannot stand in code; the frontmatter has it anyway.
  const isQuotable = !names.some((name) => name.includes('`'));
  return `## Change ${number}: ${action}${isQuotable ? ` ${names.map((name) => `\`${name}\``).join(' to ')}` : ''}`;
}

function renderDiff(diff: string): string {
  if (diff === '') return '';
  const longestRun = Math.max(0, ...[...diff.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longestRun + 1));
  return `${fence}diff\n${diff.endsWith('\n') ? diff : `${diff}\n`}${fence}`;
}

/** Changes of a step to the file's header: undefined leaves a key as it is, null removes it. */
export interface HeaderUpdate {
  readonly state?: Proposal['state'] | undefined;
  readonly base?: string | undefined;
  readonly changes?: readonly ProposedChange[] | undefined;
  readonly conflictsWith?: readonly string[] | undefined;
  readonly decided?: string | null | undefined;
  readonly decidedBy?: string | null | undefined;
  readonly reason?: string | null | undefined;
}

/** The file with another header; every byte of it that the update does not concern stays. */
export function withHeader(text: string, update: HeaderUpdate): string {
  const values: Record<string, FrontmatterValue | undefined> = {
    state: update.state,
    base: update.base,
    files: update.changes?.map(fileEntry),
    conflicts_with: update.conflictsWith,
    decided: update.decided,
    decided_by: update.decidedBy,
    reason: update.reason,
  };
  let document = parseDocument(text);
  for (const [key, value] of Object.entries(values)) {
    if (value === null) document = deleteFrontmatterValue(document, key);
    else if (value !== undefined) document = setFrontmatterValue(document, key, value);
  }
  return serializeDocument(document);
}

/** The file with other diffs under its changes' headings; what a person wrote around them stays. */
export function withDiffs(text: string, changes: readonly ProposedChange[]): string {
  const document = parseDocument(text);
  const replaced = new Map<number, string>();
  for (const { number, headingAt, fenceAt } of locateSections(document)) {
    const change = changes.find((candidate) => candidate.number === number);
    if (change === undefined) continue;
    const heading = `${renderHeading(change)}\n`;
    const diff = change.diff === '' ? '' : `${renderDiff(change.diff)}\n`;
    replaced.set(headingAt, fenceAt === undefined && diff !== '' ? `${heading}\n${diff}` : heading);
    if (fenceAt !== undefined) replaced.set(fenceAt, diff);
  }
  return serializeWithBody(document, joinBlocks(document, replaced));
}

function joinBlocks(document: MarkdownDocument, replaced: ReadonlyMap<number, string>): string {
  return document.blocks
    .map((block, index) => {
      const replacement = replaced.get(index);
      return replacement === undefined ? block.raw : withEol(replacement, document.eol);
    })
    .join('');
}

/** The file with the body of an edited copy. Its header stays: who proposed and how far that is trusted is no edit. */
export function withEditedBody(text: string, edited: string): string {
  const body = parseDocument(edited)
    .blocks.map((block) => block.raw)
    .join('');
  return serializeWithBody(parseDocument(text), body);
}
