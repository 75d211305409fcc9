import { RE2JS } from 're2js';
import { usableParts } from '../topic-file.ts';
import { LiteralScan } from './literal-scan.ts';
import { requiredLiterals } from './required-literals.ts';

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
