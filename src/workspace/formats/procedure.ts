import { readFrontmatter } from '../../model/schemas/index.ts';
import {
  ON_ERROR,
  type OnError,
  type ProcedureFrontmatter,
  type ProcedureKind,
} from '../../model/schemas/procedure.ts';
import type { MarkdownDocument } from '../markdown/document.ts';
import { renderFrontmatter } from '../markdown/frontmatter.ts';
import { type LocatedItem, itemText, parseDetails, parseItems } from './item.ts';
import { visibleText } from './metadata.ts';
import { fileStem } from './layout.ts';
import { type ItemNode, type Section, documentTitle, findSection, itemTree, sectionsOf, textOf } from './sections.ts';
import { oneLine } from '../../model/text.ts';
import { given } from '../../model/records.ts';

/** One step of a procedure: `1. What to do`, with its action, expectation and error handling as bullets below. */
export interface Step {
  readonly order: number;
  readonly description: string;
  /** The host action to run; a step without one is done by the agent. */
  readonly action?: string | undefined;
  readonly expected?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly condition?: string | undefined;
  readonly onError?: OnError | undefined;
  /** The number of tries of `retry`, or the action of `fallback`. */
  readonly onErrorDetail?: string | undefined;
  /** Doing it twice does no more than doing it once. */
  readonly isIdempotent?: boolean | undefined;
  /** The name under which later steps see the answer. */
  readonly saveAs?: string | undefined;
  /** For how long the answer to the same call may be used again. */
  readonly cacheMs?: number | undefined;
  /** Where it stands in its file. */
  readonly line?: number | undefined;
  /** Parts that cannot be understood. */
  readonly problems?: readonly string[] | undefined;
}

export interface Procedure {
  readonly name: string;
  readonly kind: ProcedureKind;
  readonly frontmatter: Partial<ProcedureFrontmatter>;
  readonly trigger: string;
  readonly preconditions: readonly LocatedItem[];
  readonly steps: readonly Step[];
  readonly postconditions: readonly LocatedItem[];
  readonly errorHandling: readonly LocatedItem[];
  readonly notes: readonly LocatedItem[];
  readonly learnedFrom: readonly LocatedItem[];
  /** For a decision tree; undefined otherwise. */
  readonly tree: DecisionNode | undefined;
  /** For a learned pattern. */
  readonly observation: string;
  readonly adaptation: string;
  /** Lines that look like steps and are part of a paragraph; 1-based. */
  readonly strayLines?: readonly number[] | undefined;
}

/** The sections of a procedure in their order, each with what else people call it. */
export const PROCEDURE_SECTIONS = {
  Trigger: ['Triggers', 'When to use'],
  Preconditions: [],
  Steps: ['Procedure'],
  Postconditions: [],
  'Error handling': ['Errors'],
  Notes: [],
  'Learned From': [],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type ProcedureSection = keyof typeof PROCEDURE_SECTIONS;

export function parseProcedure(document: MarkdownDocument, path: string): Procedure {
  const frontmatter = readFrontmatter('procedure', document.frontmatter?.values);
  const sections = sectionsOf(document);
  const section = (name: ProcedureSection) => findSection(sections, name, ...PROCEDURE_SECTIONS[name]);
  const text = (found: Section | undefined) => visibleText(textOf(found?.blocks ?? [])).trim();
  const items = (name: ProcedureSection) => parseItems(section(name));
  const tree = parseDecisionTree(itemTree(findSection(sections, 'Tree', 'Decision Tree', 'Decision')?.blocks ?? []));
  return {
    name: frontmatter.name ?? documentTitle(document) ?? fileStem(path),
    kind: frontmatter.kind ?? (tree === undefined ? 'skill' : 'decision-tree'),
    frontmatter,
    trigger: text(section('Trigger')),
    preconditions: items('Preconditions'),
    steps: itemTree(section('Steps')?.blocks ?? []).map(parseStep),
    postconditions: items('Postconditions'),
    errorHandling: items('Error handling'),
    notes: items('Notes'),
    learnedFrom: items('Learned From'),
    tree,
    observation: text(findSection(sections, 'Observation')),
    adaptation: text(findSection(sections, 'Adaptation')),
    ...given('strayLines', findStrayLines(section('Steps'))),
  };
}

/** `2. b` right below a remark is part of the remark; a step that nobody sees must not go unnoticed. */
function findStrayLines(steps: Section | undefined): number[] | undefined {
  const found = (steps?.blocks ?? []).flatMap(({ block, startLine }) =>
    block.kind !== 'paragraph'
      ? []
      : block.raw.split('\n').flatMap((line, index) => (/^\s{0,3}\d+[.)]\s+\S/u.test(line) ? [startLine + index] : [])),
  );
  return found.length === 0 ? undefined : found;
}

function parseStep(node: ItemNode, index: number): Step {
  const details = parseDetails(node.children);
  const onError = /^(\w+)\s*(?:[:×x]\s*|\s)?([\s\S]*)$/u.exec(details.get('on_error') ?? '');
  const reaction = ON_ERROR.find((known) => known === onError?.[1]?.toLowerCase());
  const problems = stepProblems(details, reaction);
  return {
    order: index + 1,
    description: visibleText(itemText(node.block)),
    ...given('action', details.get('action')?.replace(/^`([^`]*)`$/u, '$1')),
    ...given('expected', details.get('expect') ?? details.get('expected') ?? details.get('expected_outcome')),
    ...given('timeoutMs', parseDurationMs(details.get('timeout'))),
    ...given('condition', details.get('if') ?? details.get('condition')),
    ...given('onError', reaction),
    ...given('onErrorDetail', reaction === undefined || onError?.[2] === '' ? undefined : onError?.[2]),
    ...given('isIdempotent', yesOrNo(details.get('idempotent'))),
    ...given('saveAs', details.get('save_as')?.replace(/^`([^`]*)`$/u, '$1')),
    ...given('cacheMs', parseDurationMs(details.get('cache'))),
    line: node.startLine,
    ...given('problems', problems.length === 0 ? undefined : problems),
  };
}

function stepProblems(details: ReadonlyMap<string, string>, reaction: OnError | undefined): string[] {
  const problems: string[] = [];
  const onError = details.get('on_error');
  if (onError !== undefined && reaction === undefined) {
    problems.push(`"on error: ${onError}" is none of ${ON_ERROR.join(', ')}`);
  }
  for (const key of ['timeout', 'cache']) {
    const value = details.get(key);
    if (value !== undefined && (parseDurationMs(value) ?? 0) === 0) {
      problems.push(`"${key}: ${value}" is not a time such as 30s, 5m or 1h`);
    }
  }
  const idempotent = details.get('idempotent');
  if (idempotent !== undefined && yesOrNo(idempotent) === undefined) {
    problems.push(`"idempotent: ${idempotent}" is neither yes nor no`);
  }
  return problems;
}

function yesOrNo(text: string | undefined): boolean | undefined {
  const word = text?.trim().toLowerCase();
  if (word === 'yes' || word === 'true') return true;
  return word === 'no' || word === 'false' ? false : undefined;
}

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };

/** `90s`, `5 min`, `1h`; a bare number is seconds. */
export function parseDurationMs(text: string | undefined): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|min|m|h)?/u.exec(text ?? '');
  return match === null ? undefined : Number(match[1]) * (UNITS_MS[match[2] ?? 's'] ?? 1000);
}

export interface NewProcedure {
  readonly frontmatter: ProcedureFrontmatter & { readonly name: string };
  readonly trigger: string;
  readonly steps: readonly Step[];
  readonly sections?: Readonly<
    Partial<Record<'Preconditions' | 'Postconditions' | 'Error handling' | 'Notes' | 'Learned From', readonly string[]>>
  >;
}

export function newProcedureFile(procedure: NewProcedure): string {
  const { frontmatter, trigger, steps, sections = {} } = procedure;
  const list = (title: keyof typeof sections): string[] => {
    const lines = sections[title] ?? [];
    return lines.length === 0 ? [] : [`## ${title}`, lines.map((line) => `- ${oneLine(line)}`).join('\n')];
  };
  const parts = [
    `${renderFrontmatter({ type: 'procedure', ...frontmatter })}\n# ${oneLine(frontmatter.name)}`,
    ...(trigger === '' ? [] : ['## Trigger', trigger.trim()]),
    ...list('Preconditions'),
    ...(steps.length === 0 ? [] : ['## Steps', steps.map(renderStep).join('\n')]),
    ...list('Postconditions'),
    ...list('Error handling'),
    ...list('Notes'),
    ...list('Learned From'),
  ];
  return `${parts.join('\n\n')}\n`;
}

export function renderStep(step: Step): string {
  const details = [
    ['action', step.action],
    ['expect', step.expected],
    ['timeout', step.timeoutMs === undefined ? undefined : renderDuration(step.timeoutMs)],
    ['if', step.condition],
    ['on error', [step.onError, step.onErrorDetail].filter((part) => part !== undefined).join(' ')],
    ['idempotent', step.isIdempotent === undefined ? undefined : step.isIdempotent ? 'yes' : 'no'],
    ['save as', step.saveAs],
    ['cache', step.cacheMs === undefined ? undefined : renderDuration(step.cacheMs)],
  ].filter(([, value]) => value !== undefined && value !== '');
  const lines = details.map(([key, value]) => `   - ${key}: ${oneLine(value ?? '')}`);
  return [`${step.order}. ${oneLine(step.description)}`, ...lines].join('\n');
}

export function renderDuration(milliseconds: number): string {
  if (milliseconds % 60_000 === 0) return `${milliseconds / 60_000}m`;
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000}s` : `${milliseconds}ms`;
}

/**
 * A decision tree as nested bullets: a question, and below it one bullet per answer, `yes → what to do` or `no → the
 * next question?` with its own answers below. A code span at a question's end names the context field that answers it,
 * so that a tree can be walked without asking anyone: "Is it urgent? `urgent`".
 */
export interface DecisionNode {
  readonly question: string;
  readonly field: string | undefined;
  readonly branches: readonly DecisionBranch[];
}

export interface DecisionBranch {
  readonly answer: string;
  /** The answer, or the question to go on with. */
  readonly next: string | DecisionNode;
}

function parseDecisionTree(roots: readonly ItemNode[]): DecisionNode | undefined {
  const root = roots[0];
  return root === undefined || root.children.length === 0 ? undefined : parseNode(textOfItem(root), root.children);
}

function parseNode(question: string, answers: readonly ItemNode[]): DecisionNode {
  const field = /`([^`]+)`$/u.exec(question);
  return {
    question: field === null ? question : question.slice(0, field.index).trimEnd(),
    field: field?.[1],
    branches: answers.map(parseBranch),
  };
}

function parseBranch(node: ItemNode): DecisionBranch {
  const [answer = '', ...rest] = textOfItem(node)
    .split(/→|->/u)
    .map((part) => part.trim());
  const outcome = rest.join(' → ');
  return { answer, next: node.children.length === 0 ? outcome : parseNode(outcome, node.children) };
}

function textOfItem(node: ItemNode): string {
  return visibleText(itemText(node.block)).trim();
}

export function renderDecisionTree(node: DecisionNode): string {
  return `- ${renderQuestion(node)}\n${renderBranches(node, 1)}`.trimEnd();
}

function renderBranches(node: DecisionNode, depth: number): string {
  const indent = '  '.repeat(depth);
  return node.branches
    .map(({ answer, next }) => {
      if (typeof next === 'string') return `${indent}- ${answer} → ${next}\n`;
      return `${indent}- ${answer} → ${renderQuestion(next)}\n${renderBranches(next, depth + 1)}`;
    })
    .join('');
}

function renderQuestion(node: DecisionNode): string {
  return node.field === undefined ? node.question : `${node.question} \`${node.field}\``;
}
