import { isMnemeError } from '../../../model/errors.ts';
import type { DecisionBranch, DecisionNode } from '../../../workspace/formats/procedure.ts';
import { foldName } from '../../stores/registry/names.ts';
import { type Json, type Variables, evaluateText, jsonText } from '../expression/evaluate.ts';

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

const OTHERWISE = new Set(['else', 'otherwise', 'default', 'anything else', 'any other', 'other', '*', 'sonst']);
const YES = new Set(['yes', 'true', 'y', 'ja', 'sí', 'si', 'oui']);
const NO = new Set(['no', 'false', 'n', 'nein', 'non']);

/** Whether a branch is for everything that no other branch is for. */
function isOtherwise(answer: string): boolean {
  return OTHERWISE.has(answer.trim().toLowerCase());
}

const COMPARISON =
  /^(<=|>=|≤|≥|<|>|=|under|below|over|above|at least|at most|more than|less than)\s*(-?\d+(?:\.\d+)?)\s*%?$/iu;
const RANGE = /^(-?\d+(?:\.\d+)?)\s*(?:\.\.|–|-|to)\s*(-?\d+(?:\.\d+)?)$/iu;

/** `yes`, `morning`, `red or blue`, `> 5`, `6–9`: whether a value is what the branch says. */
export function answerFits(answer: string, value: Json): boolean {
  const text = answer.trim();
  if (typeof value === 'boolean') return (value ? YES : NO).has(text.toLowerCase());
  if (typeof value === 'number' && numberFits(text, value)) return true;
  const folded = foldName(jsonText(value));
  return alternatives(text).some((word) => sameWord(foldName(word), folded));
}

function sameWord(word: string, said: string): boolean {
  return word === said || (YES.has(word) && YES.has(said)) || (NO.has(word) && NO.has(said));
}

/** The whole text first: `rock or pop` may be one answer. */
function alternatives(text: string): string[] {
  return [text, ...text.split(/\s*(?:,|\/|\||\bor\b|\boder\b)\s*/iu)].filter((part) => part !== '');
}

function numberFits(text: string, value: number): boolean {
  const range = RANGE.exec(text);
  if (range !== null) return value >= Number(range[1]) && value <= Number(range[2]);
  const [, sign = '', bound] = COMPARISON.exec(text) ?? [];
  if (bound === undefined) return false;
  const limit = Number(bound);
  switch (sign.toLowerCase()) {
    case '<':
    case 'under':
    case 'below':
    case 'less than':
      return value < limit;
    case '<=':
    case '≤':
    case 'at most':
      return value <= limit;
    case '>':
    case 'over':
    case 'above':
    case 'more than':
      return value > limit;
    case '>=':
    case '≥':
    case 'at least':
      return value >= limit;
    default:
      return value === limit;
  }
}
