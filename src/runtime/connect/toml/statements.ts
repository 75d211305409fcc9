import { SyntaxTrouble } from '../client.ts';

/** A line of a TOML text that says something: a table's header, or a key with its value. */
export type TomlStatement = TomlHeader | TomlPair;

interface Placed {
  readonly start: number;
  /** Behind its last character; a comment that follows is not part of it. */
  readonly end: number;
}

export interface TomlHeader extends Placed {
  readonly kind: 'header';
  readonly path: readonly string[];
  /** `[[…]]` */
  readonly isArray: boolean;
}

export interface TomlPair extends Placed {
  readonly kind: 'pair';
  /** With the table it stands in. */
  readonly path: readonly string[];
  readonly valueStart: number;
  /** Texts, truth values, lists and inline tables of them; whatever else there is, nobody here asks for. */
  readonly value: TomlValue | undefined;
  readonly isInlineTable: boolean;
}

export type TomlValue = string | boolean | readonly (TomlValue | undefined)[] | TomlInline;
export interface TomlInline {
  readonly [key: string]: TomlValue | undefined;
}

/** Splits a TOML text into its statements. It checks no more than it must to know where each ends. */
export function parseTomlStatements(text: string): TomlStatement[] {
  return new Scanner(text).document();
}

const BARE_KEY = /[\w-]/u;
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', e: '\u001B' };
const CODE_ESCAPE = /\\(?:u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|x[\dA-Fa-f]{2})/uy;
const FOLDED_LINE = /\\[ \t]*\r?\n\s*/uy;
const DATE = /\d{4}-\d\d-\d\d \d\d:[\d:.Z+-]*/uy;
/** Deeper than any settings, and far from the end of the stack. */
const MAX_DEPTH = 100;

/** The table with a value at `a.b.c`. */
export function withValue(
  table: TomlInline,
  [key = '', ...rest]: readonly string[],
  value: TomlValue | undefined,
): TomlInline {
  if (rest.length === 0) return { ...table, [key]: value };
  const inner = table[key];
  return { ...table, [key]: withValue(isInline(inner) ? inner : {}, rest, value) };
}

export function isInline(value: TomlValue | undefined): value is TomlInline {
  return typeof value === 'object' && !Array.isArray(value);
}

class Scanner {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): TomlStatement[] {
    const statements: TomlStatement[] = [];
    let table: readonly string[] = [];
    if (this.#text.startsWith('\uFEFF')) this.#at = 1;
    for (this.#skipLines(); this.#at < this.#text.length; this.#skipLines()) {
      const statement = this.#peek() === '[' ? this.#header() : this.#pair(table);
      if (statement.kind === 'header') table = statement.path;
      statements.push(statement);
      this.#skipComment();
      if (this.#at < this.#text.length && !this.#isNewline()) this.#fail('something stands behind the end');
    }
    return statements;
  }

  #header(): TomlHeader {
    const start = this.#at;
    const isArray = this.#text.startsWith('[[', start);
    this.#at += isArray ? 2 : 1;
    const path = this.#key();
    for (let bracket = isArray ? 2 : 1; bracket > 0; bracket -= 1) this.#expect(']');
    return { kind: 'header', start, end: this.#at, path, isArray };
  }

  #pair(table: readonly string[]): TomlPair {
    const start = this.#at;
    const key = this.#key();
    this.#expect('=');
    this.#skipSpace();
    const valueStart = this.#at;
    const isInlineTable = this.#peek() === '{';
    const value = this.#value();
    return { kind: 'pair', start, end: this.#at, path: [...table, ...key], valueStart, value, isInlineTable };
  }

  /** `a."b c".d`, with the space around it. */
  #key(): string[] {
    const parts: string[] = [];
    do {
      this.#skipSpace();
      const next = this.#peek();
      const start = this.#at;
      if (next === '"' || next === "'") parts.push(this.#string());
      else {
        while (BARE_KEY.test(this.#peek())) this.#at += 1;
        if (this.#at === start) this.#fail('a key is missing');
        parts.push(this.#text.slice(start, this.#at));
      }
      this.#skipSpace();
    } while (this.#take('.'));
    return parts;
  }

  #value(): TomlValue | undefined {
    const next = this.#peek();
    if (next === '"' || next === "'") return this.#string();
    if (next === '[') return this.#array();
    if (next === '{') return this.#inlineTable();
    // TOML allows a space between a date and its time. Dates are skipped: no setting that is read here holds one.
    if (this.#match(DATE) !== undefined) return undefined;
    const start = this.#at;
    while (this.#at < this.#text.length && !/[\s,\]}#]/u.test(this.#peek())) this.#at += 1;
    if (this.#at === start) this.#fail('a value is missing');
    const word = this.#text.slice(start, this.#at);
    return word === 'true' || word === 'false' ? word === 'true' : undefined;
  }

  #array(): (TomlValue | undefined)[] {
    const items: (TomlValue | undefined)[] = [];
    this.#list(']', () => items.push(this.#value()));
    return items;
  }

  #inlineTable(): TomlInline {
    let table: TomlInline = {};
    this.#list('}', () => {
      const key = this.#key();
      this.#expect('=');
      this.#skipSpace();
      table = withValue(table, key, this.#value());
    });
    return table;
  }

  /** Reads the items between two brackets, with commas. */
  #list(close: string, item: () => void): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) this.#fail('it is nested too deeply');
    this.#at += 1;
    this.#skipLines();
    while (!this.#take(close)) {
      item();
      this.#skipLines();
      if (!this.#take(',') && this.#peek() !== close) this.#fail(`a comma or "${close}" is missing`);
      this.#skipLines();
    }
    this.#depth -= 1;
  }

  #string(): string {
    const start = this.#at;
    const quote = this.#peek();
    const isLong = this.#text.startsWith(quote.repeat(3), start);
    const fence = quote.repeat(isLong ? 3 : 1);
    this.#at += fence.length;
    let value = '';
    for (;;) {
      const next = this.#peek();
      if (next === '' || (!isLong && this.#isNewline())) {
        this.#at = start;
        this.#fail('a text is not closed');
      }
      if (this.#text.startsWith(fence, this.#at)) break;
      if (next === '\\' && quote === '"') value += this.#escape();
      else {
        value += next;
        this.#at += 1;
      }
    }
    this.#at += fence.length;
    if (!isLong) return value;
    // Up to two quotes may stand right before the closing three.
    for (let more = 0; more < 2 && this.#take(quote); more += 1) value += quote;
    return value.replace(/^\r?\n/u, '');
  }

  #escape(): string {
    const code = this.#match(CODE_ESCAPE);
    if (code !== undefined) {
      const point = Number.parseInt(code.slice(2), 16);
      return point <= 0x10_ff_ff ? String.fromCodePoint(point) : this.#fail('there is no such character');
    }
    if (this.#match(FOLDED_LINE) !== undefined) return '';
    const character = this.#text[this.#at + 1] ?? '';
    this.#at += 2;
    return ESCAPES[character] ?? character;
  }

  /** The match of a sticky pattern at this position, which is then passed. */
  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  #expect(character: string): void {
    if (!this.#take(character)) this.#fail(`"${character}" is missing`);
  }

  #isNewline(): boolean {
    return this.#peek() === '\n' || this.#text.startsWith('\r\n', this.#at);
  }

  #skipSpace(): void {
    while (this.#peek() === ' ' || this.#peek() === '\t') this.#at += 1;
  }

  #skipComment(): void {
    this.#skipSpace();
    if (this.#peek() === '#') while (this.#at < this.#text.length && !this.#isNewline()) this.#at += 1;
  }

  #skipLines(): void {
    for (this.#skipComment(); this.#isNewline(); this.#skipComment()) this.#at += this.#peek() === '\r' ? 2 : 1;
  }

  #fail(what: string): never {
    throw new SyntaxTrouble(this.#text, this.#at, what);
  }
}
