import { errorMessage } from '../model/errors.ts';
import { cutAnchor } from '../workspace/markdown/anchor.ts';
import { parseDocument, serializeDocument } from '../workspace/markdown/document.ts';
import { removeBlock, replaceBlock } from '../workspace/markdown/edit.ts';
import { withEol, withoutFinalEol } from '../workspace/markdown/lines.ts';
import type { ConflictKind, MergeConflict } from '../workspace/markdown/merge.ts';
import { type MarkdownDocument } from '../workspace/markdown/document.ts';
import type { ConflictReport } from '../workspace/registries.ts';
import type { ProposalRequest } from './request.ts';
import type { Texts } from './texts.ts';

/**
 * The proposal that settles what a merge could not. The file keeps what could be kept; each conflict is offered the one
 * outcome that it does not show already. undefined when the file no longer shows any of the conflicts.
 */
export function conflictRequest(report: ConflictReport, current: string): ProposalRequest | undefined {
  const settled: MergeConflict[] = [];
  let after = current;
  for (const conflict of report.conflicts) {
    const next = settleConflict(after, conflict);
    if (next === undefined) continue;
    settled.push(conflict);
    after = next;
  }
  if (after === current) return undefined;
  return {
    kind: 'conflict',
    title: `Two versions in ${report.path}`,
    why: [
      `${report.path} was changed in two ways at once. Reject this to leave the file as it is.`,
      ...settled.map(describeSides),
    ].join('\n\n'),
    evidence: [`mutation ${report.mutation}`],
    actor: 'system:merge',
    trust: 'agent',
    trigger: `conflict in mutation ${report.mutation}`,
    changes: [{ path: report.path, before: current, after }],
  };
}

function settleConflict(text: string, conflict: MergeConflict): string | undefined {
  const settled = conflict.key === undefined ? settleBlock(text, conflict) : settleKey(text, conflict);
  return settled === text ? undefined : settled;
}

function settleBlock(text: string, { kind, ours, theirs }: MergeConflict): string | undefined {
  const document = parseDocument(text);
  const ourCopy = findBlock(document, ours);
  const theirCopy = findBlock(document, theirs);
  if (kind === 'ours-deleted') return theirCopy === undefined ? undefined : without(document, theirCopy);
  if (kind === 'theirs-deleted') return ourCopy === undefined ? undefined : without(document, ourCopy);
  if (ours === undefined || ourCopy === undefined || theirCopy === undefined) return undefined;
  // Our copy lost its anchor to theirs; in their place it has it back.
  return without(replaceBlock(document, theirCopy, ours), ourCopy);
}

function without(document: MarkdownDocument, index: number): string {
  return serializeDocument(removeBlock(document, index));
}

function findBlock(document: MarkdownDocument, source: string | undefined): number | undefined {
  if (source === undefined) return undefined;
  const normal = (raw: string): string => withEol(withoutFinalEol(raw), '\n');
  const wanted = normal(source);
  const texts = document.blocks.map((block) => normal(block.raw));
  const unnamed = cutAnchor(wanted);
  // The second copy of an anchored block lost its anchor, or was given one of its own.
  const exact = texts.indexOf(wanted);
  const index = exact === -1 ? texts.findIndex((text) => cutAnchor(text) === unnamed) : exact;
  return index === -1 ? undefined : index;
}

/** A key stands once: theirs, or ours where they removed it. */
function settleKey(text: string, { kind, ours, theirs }: MergeConflict): string | undefined {
  const shown = kind === 'theirs-deleted' ? ours : theirs;
  const wanted = kind === 'theirs-deleted' ? undefined : ours;
  const document = parseDocument(text);
  const { frontmatter } = document;
  if (frontmatter === undefined || shown === undefined) return undefined;
  const entries = frontmatter.entries.flatMap((entry) => {
    if (withEol(entry.raw, '\n') !== withEol(shown, '\n')) return [entry];
    return wanted === undefined ? [] : [{ ...entry, raw: withEol(wanted, document.eol) }];
  });
  return serializeDocument({ ...document, frontmatter: { ...frontmatter, entries } });
}

const OUTCOMES: Readonly<Record<ConflictKind, string>> = {
  'both-edited': 'Approving keeps only the later one',
  'both-added': 'Approving keeps only the later one',
  'ours-deleted': 'The later writing removed it; approving removes it',
  'theirs-deleted': 'It had been removed before; approving removes it',
};

function describeSides({ kind, key, ours, theirs }: MergeConflict): string {
  const place = key === undefined ? '' : `The key ${key}. `;
  const sides = [quote('In the file before', theirs), quote('Written later', ours)].filter((side) => side !== '');
  return [`${place}${OUTCOMES[kind]}:`, ...sides].join('\n\n');
}

function quote(label: string, text: string | undefined): string {
  if (text === undefined) return '';
  const lines = withEol(withoutFinalEol(text), '\n').split('\n');
  return `${label}:\n\n${lines.map((line) => `> ${line}`).join('\n')}`;
}

/**
 * Files a proposal for each conflict that a merge could not settle, one after the other. The write path reports conflicts
 * between two writes, so the proposal is the next write.
 */
export class ReportedConflicts {
  readonly #texts: Texts;
  readonly #propose: (request: ProposalRequest) => Promise<unknown>;
  #background: Promise<void> = Promise.resolve();
  #problems: string[] = [];

  constructor(texts: Texts, propose: (request: ProposalRequest) => Promise<unknown>) {
    this.#texts = texts;
    this.#propose = propose;
  }

  /** Returns at once. */
  add(report: ConflictReport): void {
    this.#background = this.#background.then(async () => {
      try {
        const current = await this.#texts.current(report.path);
        const request = current === undefined ? undefined : conflictRequest(report, current);
        if (request !== undefined) await this.#propose(request);
      } catch (error) {
        this.#problems.push(`The conflict in ${report.path} could not be filed: ${errorMessage(error)}`);
      }
    });
  }

  /** Waits until every one is filed; returns what failed. */
  async settle(): Promise<readonly string[]> {
    await this.#background;
    const problems = this.#problems;
    this.#problems = [];
    return problems;
  }
}
