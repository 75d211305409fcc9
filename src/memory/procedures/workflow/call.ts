import { MnemeError } from '../../../model/errors.ts';
import { type Json, type Variables, evaluateText, jsonText } from '../expression/evaluate.ts';
import { parseExpression, unquote } from '../expression/parse.ts';
import { ACTION_NAME } from './actions.ts';

/** An action and what it is given; texts may hold `{{holes}}`. */
export interface ActionCall {
  readonly name: string;
  readonly given: Readonly<Record<string, Json>>;
}

const PAIR = /\s*([\p{L}_][\p{L}\p{N}_-]*)\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\{\{[\s\S]*?\}\}|[^\s,]+)\s*,?/uy;

/**
 * `say text="Good morning"`, `wait seconds=5`, `shell npm test`: a name, then pairs; what is no pair is one text for
 * the action's `text`.
 */
export function parseCall(source: string): ActionCall {
  const match = /^([^\s(:]+):?\s*([\s\S]*)$/u.exec(source.trim());
  const name = match?.[1] ?? '';
  if (!ACTION_NAME.test(name)) {
    throw new MnemeError('usage', `"${source}" does not begin with the name of an action.`, {
      hint: 'Write it as `say text="Good morning"`.',
    });
  }
  const rest = (match?.[2] ?? '').trim();
  const given = rest === '' ? {} : (parsePairs(rest) ?? { text: unquoted(rest) });
  checkHoles(given);
  return { name, given };
}

function parsePairs(source: string): Record<string, Json> | undefined {
  const given: Record<string, Json> = {};
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < source.length) {
    const match = PAIR.exec(source);
    if (match === null) return undefined;
    refuseOpenQuote(match[2] ?? '', source);
    given[match[1] ?? ''] = valueOf(match[2] ?? '');
  }
  return given;
}

/** Its first and last character would be lost for quotes. */
function refuseOpenQuote(value: string, source: string): void {
  if (!/^["']/u.test(value) || QUOTED_WHOLE.test(value)) return;
  throw new MnemeError('usage', `"${source}" has a quote that is never closed.`, {
    hint: 'Write it as `say text="Good morning"`.',
  });
}

const QUOTED_WHOLE = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')$/su;

function valueOf(source: string): Json {
  if (/^["']/u.test(source)) return unquote(source);
  if (/^-?\d+(?:\.\d+)?$/u.test(source)) return Number(source);
  if (source === 'true' || source === 'yes') return true;
  if (source === 'false' || source === 'no') return false;
  return source === 'null' ? null : source;
}

function unquoted(source: string): string {
  return QUOTED_WHOLE.test(source) ? unquote(source) : source;
}

function checkHoles(given: ActionCall['given']): void {
  for (const value of Object.values(given)) if (typeof value === 'string') checkTemplate(value);
}

/** Returns the input that the action really gets. */
export function fillCall({ given }: ActionCall, variables: Variables): Record<string, Json> {
  const filled: Record<string, Json> = {};
  for (const [key, value] of Object.entries(given)) {
    filled[key] = typeof value === 'string' ? fillTemplate(value, variables) : value;
  }
  return filled;
}

const HOLE = /\{\{([\s\S]*?)\}\}/gu;
const ONLY_HOLE = /^\{\{([\s\S]*?)\}\}$/u;

/** `Good morning, {{user.name}}` with its holes filled; a text that is one hole keeps the type of what fills it. */
export function fillTemplate(template: string, variables: Variables): Json {
  const only = ONLY_HOLE.exec(template)?.[1];
  if (only !== undefined && !only.includes('{{')) return evaluateText(only.trim(), variables);
  return template.replaceAll(HOLE, (_whole, inner: string) => {
    const value = evaluateText(inner.trim(), variables);
    return value === null ? '' : jsonText(value);
  });
}

/** Throws for the first hole that cannot be read. */
function checkTemplate(template: string): void {
  for (const [, inner = ''] of template.matchAll(HOLE)) parseExpression(inner.trim());
}
