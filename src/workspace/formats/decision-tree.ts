import { itemText } from './item.ts';
import { visibleText } from './metadata.ts';
import type { ItemNode } from './sections.ts';

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

export function parseDecisionTree(roots: readonly ItemNode[]): DecisionNode | undefined {
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
