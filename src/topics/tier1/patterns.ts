import { RE2JS } from 're2js';
import { usableParts } from '../topic-file.ts';
import { requiredLiterals } from './required-literals.ts';

/** Finds which of many literals stand in a text, in one pass (Aho–Corasick). Literals are compared as they are. */
export class LiteralScan {
  /** Per state: the next state by character code. */
  readonly #next: Map<number, number>[] = [new Map()];
  readonly #fail: number[] = [0];
  /** Per state: the literals that end here, and the nearest shorter state where others end. */
  readonly #ends: number[][] = [[]];
  readonly #shorter: number[] = [0];
  readonly size: number;

  constructor(literals: readonly string[]) {
    this.size = literals.length;
    literals.forEach((literal, id) => {
      let state = 0;
      for (let at = 0; at < literal.length; at += 1) state = this.#child(state, literal.charCodeAt(at));
      this.#ends[state]?.push(id);
    });
    this.#link();
  }

  /** The ids of the literals that stand in the text. */
  find(text: string): Set<number> {
    const found = new Set<number>();
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      state = this.#step(state, text.charCodeAt(at));
      for (let end = state; end !== 0; end = this.#shorter[end] ?? 0) {
        for (const id of this.#ends[end] ?? []) found.add(id);
      }
    }
    return found;
  }

  /** The longest known beginning that goes on with this character. */
  #step(from: number, code: number): number {
    let state = from;
    let next = this.#next[state]?.get(code);
    while (next === undefined && state !== 0) {
      state = this.#fail[state] ?? 0;
      next = this.#next[state]?.get(code);
    }
    return next ?? 0;
  }

  #child(state: number, code: number): number {
    const known = this.#next[state]?.get(code);
    if (known !== undefined) return known;
    const made = this.#next.length;
    this.#next[state]?.set(code, made);
    this.#next.push(new Map());
    this.#fail.push(0);
    this.#ends.push([]);
    this.#shorter.push(0);
    return made;
  }

  /** Breadth first: where a state fails to is shorter, and so was linked before. */
  #link(): void {
    const queue = [...(this.#next[0]?.values() ?? [])];
    for (let head = 0; head < queue.length; head += 1) {
      const state = queue[head] ?? 0;
      for (const [code, child] of this.#next[state] ?? []) {
        const target = this.#step(this.#fail[state] ?? 0, code);
        this.#fail[child] = target;
        this.#shorter[child] = (this.#ends[target]?.length ?? 0) > 0 ? target : (this.#shorter[target] ?? 0);
        queue.push(child);
      }
    }
  }
}

export interface PatternMatch<Value> {
  readonly value: Value;
  readonly found: string;
  readonly start: number;
  readonly end: number;
}

interface Entry<Value> {
  readonly pattern: string;
  readonly value: Value;
  compiled: RE2JS | undefined;
}

/** A longer text is looked at in its first part: linear time is still time. */
const MAX_CHARACTERS = 20_000;
/** Enough to say what a pattern found; how often it did makes no difference. */
const MAX_FOUND = 4;

/**
 * All patterns of all topics. One pass over the text finds which literals stand in it; only patterns that need one of
 * those are run, and they run in linear time whatever they say.
 */
export class PatternSet<Value> {
  readonly #always: Entry<Value>[] = [];
  readonly #byLiteral: Entry<Value>[][] = [];
  readonly #scan: LiteralScan;

  constructor(patterns: readonly { readonly pattern: string; readonly value: Value }[]) {
    const numbers = new Map<string, number>();
    for (const { pattern, value } of patterns) {
      const { usable } = usableParts(pattern);
      if (usable === undefined) continue;
      const entry: Entry<Value> = { pattern: usable, value, compiled: undefined };
      const literals = requiredLiterals(usable);
      if (literals === undefined) this.#always.push(entry);
      for (const literal of literals ?? []) {
        const number = numbers.get(literal) ?? numbers.size;
        numbers.set(literal, number);
        this.#byLiteral[number] ??= [];
        this.#byLiteral[number].push(entry);
      }
    }
    this.#scan = new LiteralScan([...numbers.keys()]);
  }

  find(text: string): PatternMatch<Value>[] {
    const seen = text.slice(0, MAX_CHARACTERS);
    const wanted = new Set(this.#always);
    for (const literal of this.#scan.find(foldForScan(seen))) {
      for (const entry of this.#byLiteral[literal] ?? []) wanted.add(entry);
    }
    return [...wanted].flatMap((entry) => run(entry, seen));
  }
}

/** As patterns compare letters when case does not count: the long s is an s. */
export function foldForScan(text: string): string {
  return text.toLowerCase().replaceAll('ſ', 's').replaceAll('i̇', 'i');
}

function run<Value>(entry: Entry<Value>, text: string): PatternMatch<Value>[] {
  entry.compiled ??= RE2JS.compile(entry.pattern, RE2JS.CASE_INSENSITIVE);
  if (!entry.compiled.test(text)) return [];
  const matcher = entry.compiled.matcher(text);
  const found: PatternMatch<Value>[] = [];
  while (found.length < MAX_FOUND && matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    found.push({ value: entry.value, found: text.slice(start, end), start, end });
  }
  return found;
}
