import { MnemeError } from '../../../model/errors.ts';
import type { Json } from './evaluate.ts';

interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'sign' | 'end';
  readonly value: string;
  /** Where it begins, from 0. */
  readonly at: number;
}

const SIGNS = [
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '<',
  '>',
  '!',
  '(',
  ')',
  '[',
  ']',
  ',',
  '.',
  '+',
  '-',
  '*',
  '/',
  '%',
];
const SPACE = /\s+/uy;
const NUMBER = /\d+(?:\.\d+)?/uy;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/suy;

/** Cuts an expression into tokens; what is none is an error that says where. */
function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  };
  while (at < source.length) {
    const space = take(SPACE);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const token = nextToken(source, at, take);
    if (token === undefined) throw expressionError(source, at, `"${source[at] ?? ''}" means nothing here`);
    tokens.push(token.token);
    at += token.length;
  }
  return [...tokens, { kind: 'end', value: '', at: source.length }];
}

function nextToken(
  source: string,
  at: number,
  take: (pattern: RegExp) => string | undefined,
): { readonly token: Token; readonly length: number } | undefined {
  const number = take(NUMBER);
  if (number !== undefined) return { token: { kind: 'number', value: number, at }, length: number.length };
  const name = take(NAME);
  if (name !== undefined) return { token: { kind: 'name', value: name, at }, length: name.length };
  const quoted = take(QUOTED);
  if (quoted !== undefined) {
    return { token: { kind: 'text', value: unquote(quoted), at }, length: quoted.length };
  }
  const sign = SIGNS.find((known) => source.startsWith(known, at));
  return sign === undefined ? undefined : { token: { kind: 'sign', value: sign, at }, length: sign.length };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** The text between quotes, with `\"`, `\\`, `\n` and `\t` resolved. */
export function unquote(quoted: string): string {
  return quoted.slice(1, -1).replaceAll(/\\(.)/gsu, (_whole, character: string) => ESCAPES[character] ?? character);
}

function expressionError(source: string, at: number, problem: string): MnemeError {
  return new MnemeError('usage', `The condition "${source}" cannot be read: ${problem} (at character ${at + 1}).`, {
    hint: 'Conditions look like `count > 0 and not sent` or `status == "open"`.',
  });
}

export type BinaryOperator =
  | 'or'
  | 'and'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'in'
  | 'contains'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%';

export type Expression =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'member'; readonly of: Expression; readonly key: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly given: readonly Expression[] }
  | { readonly kind: 'not' | 'minus'; readonly of: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    };

/** Functions an expression may call; each answers from its arguments and nothing else. */
export const FUNCTIONS = ['length', 'lower', 'upper', 'trim', 'empty', 'defined', 'number', 'text', 'round'] as const;

/** Deeper than anybody writes; a hostile file must not exhaust the stack. */
const MAX_DEPTH = 60;
const MAX_LENGTH = 2000;

const WORDS: Readonly<Record<string, Json>> = {
  true: true,
  false: false,
  yes: true,
  no: false,
  null: null,
  nothing: null,
};

/** From the loosest to the tightest. */
const LEVELS: readonly Readonly<Record<string, BinaryOperator>>[] = [
  { or: 'or', '||': 'or' },
  { and: 'and', '&&': 'and' },
  {
    '==': '==',
    is: '==',
    '!=': '!=',
    '<': '<',
    '<=': '<=',
    '>': '>',
    '>=': '>=',
    in: 'in',
    contains: 'contains',
  },
  { '+': '+', '-': '-' },
  { '*': '*', '/': '/', '%': '%' },
];
const COMPARISON_LEVEL = 2;

/**
 * The small language of conditions: values, names with `.member` and `[index]`, comparisons, `and`, `or`, `not`,
 * arithmetic and a few functions. It can look at what it is given; it can neither change anything nor reach anything.
 */
export function parseExpression(source: string): Expression {
  if (source.length > MAX_LENGTH) throw expressionError(source.slice(0, 60), MAX_LENGTH, 'it is too long');
  return new Parser(source).parseWhole();
}

class Parser {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = tokenize(source);
  }

  parseWhole(): Expression {
    const expression = this.#parseLevel(0);
    if (this.#peek().kind !== 'end') throw this.#unexpected();
    return expression;
  }

  #parseLevel(level: number): Expression {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#parsePrefix();
    let left = level === COMPARISON_LEVEL ? this.#parseNot(level) : this.#parseLevel(level + 1);
    for (;;) {
      const { kind, value } = this.#peek();
      const operator = kind === 'sign' || kind === 'name' ? operators[value.toLowerCase()] : undefined;
      if (operator === undefined) return left;
      this.#next += 1;
      if (value.toLowerCase() === 'is' && this.#takeName('not')) {
        left = { kind: 'binary', operator: '!=', left, right: this.#parseLevel(level + 1) };
      } else {
        left = { kind: 'binary', operator, left, right: this.#parseLevel(level + 1) };
      }
    }
  }

  /** `not` reaches over a whole comparison: `not a == b` means that they differ. */
  #parseNot(level: number): Expression {
    if (!this.#takeName('not')) return this.#parseLevel(level + 1);
    return this.#deeper(() => ({ kind: 'not', of: this.#parseLevel(level) }));
  }

  #parsePrefix(): Expression {
    return this.#deeper((): Expression => {
      if (this.#takeSign('!')) return { kind: 'not', of: this.#parsePrefix() };
      if (this.#takeSign('-')) return { kind: 'minus', of: this.#parsePrefix() };
      return this.#parseMembers(this.#parsePrimary());
    });
  }

  #parseMembers(start: Expression): Expression {
    let of = start;
    for (;;) {
      if (this.#takeSign('.')) {
        const { kind, value } = this.#peek();
        if (kind !== 'name' && kind !== 'number') throw this.#unexpected();
        this.#next += 1;
        of = { kind: 'member', of, key: { kind: 'value', value: kind === 'number' ? Number(value) : value } };
      } else if (this.#takeSign('[')) {
        of = { kind: 'member', of, key: this.#parseLevel(0) };
        this.#expect(']');
      } else {
        return of;
      }
    }
  }

  #parsePrimary(): Expression {
    const { kind, value } = this.#peek();
    if (kind === 'end') throw this.#unexpected();
    this.#next += 1;
    if (kind === 'number') return { kind: 'value', value: Number(value) };
    if (kind === 'text') return { kind: 'value', value };
    if (kind === 'name') return this.#parseName(value);
    if (value === '(') {
      const inner = this.#parseLevel(0);
      this.#expect(')');
      return inner;
    }
    if (value === '[') return { kind: 'list', items: this.#parseList(']') };
    this.#next -= 1;
    throw this.#unexpected();
  }

  #parseName(name: string): Expression {
    const lower = name.toLowerCase();
    if (Object.hasOwn(WORDS, lower)) return { kind: 'value', value: WORDS[lower] ?? null };
    if (!this.#takeSign('(')) return { kind: 'name', name };
    if (!FUNCTIONS.some((known) => known === lower)) {
      const known = FUNCTIONS.join(', ');
      throw expressionError(this.#source, this.#peek().at, `there is no function ${name}; there are ${known}`);
    }
    return { kind: 'call', name: lower, given: this.#parseList(')') };
  }

  #parseList(close: string): Expression[] {
    const items: Expression[] = [];
    if (this.#takeSign(close)) return items;
    do items.push(this.#parseLevel(0));
    while (this.#takeSign(','));
    this.#expect(close);
    return items;
  }

  #deeper(parse: () => Expression): Expression {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH)
      throw expressionError(this.#source.slice(0, 60), this.#peek().at, 'it is nested too deep');
    const expression = parse();
    this.#depth -= 1;
    return expression;
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { kind: 'end', value: '', at: this.#source.length };
  }

  #takeSign(value: string): boolean {
    const token = this.#peek();
    if (token.kind !== 'sign' || token.value !== value) return false;
    this.#next += 1;
    return true;
  }

  #takeName(value: string): boolean {
    const token = this.#peek();
    if (token.kind !== 'name' || token.value.toLowerCase() !== value) return false;
    this.#next += 1;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#takeSign(sign)) throw expressionError(this.#source, this.#peek().at, `a "${sign}" is missing`);
  }

  #unexpected(): Error {
    const { kind, value, at } = this.#peek();
    return expressionError(this.#source, at, kind === 'end' ? 'it ends too early' : `"${value}" does not belong here`);
  }
}
