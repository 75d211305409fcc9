import { isMnemeError } from '../../../model/errors.ts';
import type { DecisionBranch, DecisionNode } from '../../../workspace/formats/decision-tree.ts';
import { foldName } from '../../stores/registry/names.ts';
import { evaluateText } from '../expression/evaluate.ts';
import type { Json, Variables } from '../expression/json.ts';
import { jsonText } from '../expression/json.ts';
import { answerFits, isOtherwise } from './answers.ts';

/** One question on the way to a decision. */
export interface DecisionStep {
  readonly question: string;
  /** The source of the answer: the name or expression behind the question, null when it was answered by its words. */
  readonly field: string | null;
  readonly value: Json;
  /** The branch that was taken. */
  readonly answer: string;
}

/** A question that nobody has answered yet. */
export interface OpenQuestion {
  readonly question: string;
  readonly field: string | null;
  readonly answers: readonly string[];
  /** Why what was given does not answer it. */
  readonly problem: string | null;
}

/** The result of a tree, and the way to it. */
export interface Decision {
  readonly path: readonly DecisionStep[];
  /** null while a question is open. */
  readonly outcome: string | null;
  readonly open: OpenQuestion | null;
}

/** Walks a decision tree with what is known; questions are answered by their field, or by name in `facts`. */
export function decide(tree: DecisionNode, facts: Variables): Decision {
  const path: DecisionStep[] = [];
  let node = tree;
  for (;;) {
    const { value, problem } = valueFor(node, facts);
    const branch = value === null ? undefined : findBranch(node.branches, value);
    if (value === null || branch === undefined) {
      const noSuch = value === null ? problem : `${jsonText(value)} is none of the answers`;
      return { path, outcome: null, open: openQuestion(node, noSuch) };
    }
    path.push({ question: node.question, field: node.field ?? null, value, answer: branch.answer });
    if (typeof branch.next === 'string') return { path, outcome: branch.next, open: null };
    node = branch.next;
  }
}

function openQuestion({ question, field, branches }: DecisionNode, problem: string | null): OpenQuestion {
  return { question, field: field ?? null, answers: branches.map(({ answer }) => answer), problem };
}

interface Found {
  readonly value: Json;
  readonly problem: string | null;
}

function valueFor({ question, field }: DecisionNode, facts: Variables): Found {
  const wanted = foldName(question);
  const said = Object.entries(facts).find(([name]) => foldName(name) === wanted)?.[1];
  if (said !== undefined) return { value: said, problem: null };
  if (field === undefined) return { value: null, problem: null };
  try {
    return { value: evaluateText(field, facts), problem: null };
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    return { value: null, problem: error.message };
  }
}

function findBranch(branches: readonly DecisionBranch[], value: Json): DecisionBranch | undefined {
  return (
    branches.find(({ answer }) => !isOtherwise(answer) && answerFits(answer, value)) ??
    branches.find(({ answer }) => isOtherwise(answer))
  );
}
