import { isDeepStrictEqual } from 'node:util';
import { MnemeError } from '../../../model/errors.ts';
import { parseExpression, type BinaryOperator, type Expression } from './parse.ts';
import { isRecord } from '../../../model/records.ts';

/** The value of an expression. A name nobody gave is null; only sums with something that is no number fail. */
export function evaluate(expression: Expression, variables: Variables): Json {
  switch (expression.kind) {
    case 'value':
      return expression.value;
    case 'list':
      return expression.items.map((item) => evaluate(item, variables));
    case 'name':
      return memberOf(variables, expression.name);
    case 'member':
      return member(evaluate(expression.of, variables), evaluate(expression.key, variables));
    case 'call':
      return call(
        expression.name,
        expression.given.map((given) => evaluate(given, variables)),
      );
    case 'not':
      return !isTrue(evaluate(expression.of, variables));
    case 'minus':
      return -numberOf(evaluate(expression.of, variables), '-');
    case 'binary':
      return binary(expression, variables);
  }
}

export function evaluateText(source: string, variables: Variables): Json {
  return evaluate(parseExpression(source), variables);
}

/** Nothing, no, 0, '' and an empty list or record are not true. */
export function isTrue(value: Json): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isRecord(value)) return Object.keys(value).length > 0;
  return Boolean(value);
}

function member(value: Json, key: Json): Json {
  return typeof key === 'string' || typeof key === 'number' ? memberOf(value, key) : null;
}

function binary({ operator, left, right }: Expression & { readonly kind: 'binary' }, variables: Variables): Json {
  const first = evaluate(left, variables);
  if (operator === 'and') return isTrue(first) && isTrue(evaluate(right, variables));
  if (operator === 'or') return isTrue(first) || isTrue(evaluate(right, variables));
  const second = evaluate(right, variables);
  switch (operator) {
    case '==':
      return isDeepStrictEqual(first, second);
    case '!=':
      return !isDeepStrictEqual(first, second);
    case 'in':
      return contains(second, first);
    case 'contains':
      return contains(first, second);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compare(operator, first, second);
    default:
      return calculate(operator, first, second);
  }
}

function contains(whole: Json, part: Json): boolean {
  if (typeof whole === 'string') return typeof part === 'string' && whole.toLowerCase().includes(part.toLowerCase());
  if (Array.isArray(whole)) return whole.some((item: Json) => isDeepStrictEqual(item, part));
  return isRecord(whole) && typeof part === 'string' && Object.hasOwn(whole, part);
}

/** Numbers with numbers, texts with texts; whatever cannot be compared is neither more nor less. */
function compare(operator: '<' | '<=' | '>' | '>=', left: Json, right: Json): boolean {
  const areComparable =
    (typeof left === 'number' && typeof right === 'number') || (typeof left === 'string' && typeof right === 'string');
  if (!areComparable) return false;
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}

function calculate(operator: Exclude<BinaryOperator, 'and' | 'or'>, left: Json, right: Json): Json {
  if (operator === '+' && (typeof left === 'string' || typeof right === 'string')) {
    return jsonText(left) + jsonText(right);
  }
  const [first, second] = [numberOf(left, operator), numberOf(right, operator)];
  if (operator === '+') return finite(first + second);
  if (operator === '-') return finite(first - second);
  if (operator === '*') return finite(first * second);
  return finite(operator === '/' ? first / second : first % second);
}

/** A division by nothing has no value, and JSON no word for infinity. */
function finite(value: number): Json {
  return Number.isFinite(value) ? value : null;
}

function numberOf(value: Json, operator: string): number {
  if (typeof value === 'number') return value;
  throw new MnemeError('usage', `"${operator}" needs numbers, and ${JSON.stringify(value)} is none.`);
}

function call(name: string, given: readonly Json[]): Json {
  const value = given[0] ?? null;
  switch (name) {
    case 'length':
      if (typeof value === 'string' || Array.isArray(value)) return value.length;
      return isRecord(value) ? Object.keys(value).length : 0;
    case 'lower':
      return jsonText(value).toLowerCase();
    case 'upper':
      return jsonText(value).toUpperCase();
    case 'trim':
      return jsonText(value).trim();
    case 'empty':
      return value === null || value === '' || (typeof value === 'object' && !isTrue(value));
    case 'defined':
      return value !== null;
    case 'number':
      return toNumber(value);
    case 'round':
      return Math.round(numberOf(value, 'round'));
    default:
      return jsonText(value);
  }
}

function toNumber(value: Json): Json {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value === null || jsonText(value).trim() === '' ? null : finite(Number(value));
}

/** Values that actions take and give: anything that survives being written down. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Values that expressions and templates see: the run's input and the answers of earlier steps. */
export type Variables = Readonly<Record<string, Json>>;

/** A value inside another by its name; only what the value itself has, never what it inherits. */
function memberOf(value: Json, key: string | number): Json {
  if (Array.isArray(value)) {
    const list: readonly Json[] = value;
    return typeof key === 'number' && Number.isInteger(key) ? (list.at(key) ?? null) : null;
  }
  if (!isRecord(value)) return null;
  return Object.hasOwn(value, String(key)) ? (value[String(key)] ?? null) : null;
}

/** As text inside a sentence. */
export function jsonText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
