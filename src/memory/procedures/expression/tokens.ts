import { MnemeError } from '../../../model/errors.ts';

export interface Token {
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
export function tokenize(source: string): Token[] {
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

export function expressionError(source: string, at: number, problem: string): MnemeError {
  return new MnemeError('usage', `The condition "${source}" cannot be read: ${problem} (at character ${at + 1}).`, {
    hint: 'Conditions look like `count > 0 and not sent` or `status == "open"`.',
  });
}
