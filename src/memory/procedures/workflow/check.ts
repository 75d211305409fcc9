import { isMnemeError, errorMessage } from '../../../model/errors.ts';
import { parseExpression } from '../expression/parse.ts';

/** A condition: one that is computed, or one in plain words that somebody has to answer. */
export interface Check {
  /** As it stands in the file. */
  readonly text: string;
  /** undefined: a question for somebody. */
  readonly expression?: string | undefined;
}

export interface ReadCheck {
  readonly check: Check;
  /** Why what looks like an expression is not taken for one. */
  readonly problem?: string | undefined;
}

const CODE_AT_END = /^([\s\S]*?)`([^`]+)`\.?$/u;

/** A bullet: `The tree is clean` is a question; with an expression in code marks at its end it is computed. */
export function readCheck(text: string): ReadCheck {
  const match = CODE_AT_END.exec(text.trim());
  const source = match?.[2]?.trim();
  if (source === undefined) return { check: { text } };
  const problem = problemOf(source);
  return problem === undefined ? { check: { text, expression: source } } : { check: { text }, problem };
}

/** Reads the condition behind `if:`, where an expression needs no marks around it. */
export function readCondition(text: string): ReadCheck {
  const marked = readCheck(text);
  if (marked.check.expression !== undefined || marked.problem !== undefined) return marked;
  const problem = problemOf(text);
  if (problem === undefined) return { check: { text, expression: text.trim() } };
  return LOOKS_COMPUTED.test(text) ? { ...marked, problem } : marked;
}

/** Signs that no sentence has. */
const LOOKS_COMPUTED = /[=!<>]=|[<>+*%]|&&|\|\|/u;

function problemOf(source: string): string | undefined {
  try {
    parseExpression(source);
    return undefined;
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    return errorMessage(error);
  }
}
