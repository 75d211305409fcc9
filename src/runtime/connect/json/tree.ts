import { SyntaxTrouble } from '../client.ts';

/** A value of a JSON, JSONC or JSON5 text, with the place where it stands. `end` is behind its last character. */
export type JsonNode = JsonObject | JsonArray | JsonScalar;

interface Placed {
  readonly start: number;
  readonly end: number;
}

export interface JsonObject extends Placed {
  readonly kind: 'object';
  readonly members: readonly JsonMember[];
}

export interface JsonArray extends Placed {
  readonly kind: 'array';
  readonly items: readonly JsonItem[];
}

interface JsonScalar extends Placed {
  readonly kind: 'scalar';
  readonly value: unknown;
}

/** An entry of an object or array: from its key, or its value in an array, to the end of its value. */
export interface JsonItem extends Placed {
  readonly value: JsonNode;
  /** Where the comma behind it is. */
  readonly comma: number | undefined;
}

export interface JsonMember extends JsonItem {
  readonly key: string;
}

/** Reads a text as the most tolerant of the three dialects; every plain JSON text is one of them. */
export function parseJsonTree(text: string): JsonNode {
  return new Scanner(text).document();
}

/** The value alone, without places. */
export function valueOf(node: JsonNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map(({ value }) => valueOf(value));
  return Object.fromEntries(node.members.map(({ key, value }) => [key, valueOf(value)]));
}

/** The member that counts: of two with the same key, readers take the last. */
export function findMember(node: JsonNode | undefined, key: string): JsonMember | undefined {
  return node?.kind === 'object' ? node.members.findLast((member) => member.key === key) : undefined;
}

const SPACE = /[\s\uFEFF]/u;
const BARE_WORD = /[\p{ID_Continue}$\u200C\u200D]/u;
const NUMBER = /^[+-]?(?:Infinity|NaN|0[xX][\dA-Fa-f]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)$/u;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', 0: '\0' };
/** Deeper than any settings, and far from the end of the stack. */
const MAX_DEPTH = 200;

class Scanner {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonNode {
    this.#skipTrivia();
    const node = this.#value();
    this.#skipTrivia();
    if (this.#at < this.#text.length) this.#fail('something stands behind the end');
    return node;
  }

  #value(): JsonNode {
    const next = this.#text[this.#at];
    if (next === '{') return this.#nested(() => this.#object());
    if (next === '[') return this.#nested(() => this.#array());
    const start = this.#at;
    const value = next === '"' || next === "'" ? this.#string() : this.#word();
    return { kind: 'scalar', start, end: this.#at, value };
  }

  #nested<T>(body: () => T): T {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) this.#fail('it is nested too deeply');
    const result = body();
    this.#depth -= 1;
    return result;
  }

  #object(): JsonObject {
    const start = this.#at;
    const members: JsonMember[] = [];
    this.#each('}', () => {
      const keyStart = this.#at;
      const key = this.#key();
      this.#skipTrivia();
      this.#expect(':');
      this.#skipTrivia();
      const value = this.#value();
      return (comma) => members.push({ key, start: keyStart, end: value.end, value, comma });
    });
    return { kind: 'object', start, end: this.#at, members };
  }

  #array(): JsonArray {
    const start = this.#at;
    const items: JsonItem[] = [];
    this.#each(']', () => {
      const value = this.#value();
      return (comma) => items.push({ start: value.start, end: value.end, value, comma });
    });
    return { kind: 'array', start, end: this.#at, items };
  }

  /** Entries up to the closing bracket, a comma between them and maybe behind the last. */
  #each(close: string, entry: () => (comma: number | undefined) => void): void {
    this.#at += 1;
    this.#skipTrivia();
    while (this.#text[this.#at] !== close) {
      const add = entry();
      this.#skipTrivia();
      const hasComma = this.#text[this.#at] === ',';
      add(hasComma ? this.#at : undefined);
      if (hasComma) this.#at += 1;
      else if (this.#text[this.#at] !== close) this.#fail(`a comma or "${close}" is missing`);
      this.#skipTrivia();
    }
    this.#at += 1;
  }

  #key(): string {
    const next = this.#text[this.#at];
    if (next === '"' || next === "'") return this.#string();
    const start = this.#at;
    this.#skipWhile(BARE_WORD);
    if (this.#at === start) this.#fail('a name is missing');
    return this.#text.slice(start, this.#at);
  }

  #string(): string {
    const quote = this.#text[this.#at];
    const start = this.#at;
    let value = '';
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text[this.#at] ?? '';
      if (character === quote) {
        this.#at += 1;
        return value;
      }
      if (character === '\n' || character === '\r') break;
      value += character === '\\' ? this.#escape() : character;
    }
    this.#at = start;
    return this.#fail('a text is not closed');
  }

  #escape(): string {
    this.#at += 1;
    const character = this.#text[this.#at] ?? '';
    const digits = { u: 4, x: 2 }[character];
    if (digits !== undefined) {
      const code = this.#text.slice(this.#at + 1, this.#at + 1 + digits);
      if (!/^[\dA-Fa-f]+$/u.test(code) || code.length < digits) this.#fail('an escape is incomplete');
      this.#at += digits;
      return String.fromCharCode(Number.parseInt(code, 16));
    }
    if (character === '\r' && this.#text[this.#at + 1] === '\n') this.#at += 1;
    if (character === '\r' || character === '\n') return '';
    return ESCAPES[character] ?? character;
  }

  #word(): unknown {
    const start = this.#at;
    this.#skipWhile(/[\w+\-.$]/u);
    const word = this.#text.slice(start, this.#at);
    if (WORDS.has(word)) return WORDS.get(word);
    if (NUMBER.test(word)) return Number(word);
    this.#at = start;
    return this.#fail(word === '' ? 'a value is missing' : `"${word.slice(0, 20)}" is no value`);
  }

  #skipTrivia(): void {
    for (;;) {
      this.#skipWhile(SPACE);
      if (this.#text.startsWith('//', this.#at)) this.#skipWhile(/[^\n\r]/u);
      else if (this.#text.startsWith('/*', this.#at)) {
        const close = this.#text.indexOf('*/', this.#at + 2);
        if (close === -1) this.#fail('a comment is not closed');
        this.#at = close + 2;
      } else return;
    }
  }

  #skipWhile(pattern: RegExp): void {
    while (this.#at < this.#text.length && pattern.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  #expect(character: string): void {
    if (this.#text[this.#at] !== character) this.#fail(`"${character}" is missing`);
    this.#at += 1;
  }

  #fail(what: string): never {
    throw new SyntaxTrouble(this.#text, this.#at, what);
  }
}
