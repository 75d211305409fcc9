/**
 * Texts of which at least one stands in whatever a pattern matches; undefined when nothing can be said. Read from the
 * pattern itself, so that most patterns need not be run on most messages.
 */
export function requiredLiterals(pattern: string): readonly string[] | undefined {
  const reader = new PatternReader(pattern);
  const needed = reader.readAlternatives();
  if (!reader.isAtEnd || needed === undefined) return undefined;
  return needed.every((literal) => literal.length >= MIN_LITERAL) && needed.length <= MAX_LITERALS ? needed : undefined;
}

/** One letter stands in nearly every message: it would sift nothing. */
const MIN_LITERAL = 2;
const MAX_LITERALS = 64;

/** Letters whose other case is several letters or another one: what is looked for in lower case may not be there. */
const PLAIN = /^[a-z0-9 \-_/@#.:,'"!äöüàáâèéêìíîòóôùúûñç]$/u;

type Needed = readonly string[] | undefined;

/** The literals a part of a pattern needs: `exact` is set while the part is nothing but a literal. */
interface Part {
  readonly exact: string | undefined;
  readonly needed: Needed;
}

const ANYTHING: Part = { exact: undefined, needed: undefined };

/** Reads the parts of a pattern that it knows; everything else counts as "may match anything". */
class PatternReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  /** `a|b|c`: whatever matches has what one of them needs, if all of them need something. */
  readAlternatives(): Needed {
    const branches = [this.#readSequence()];
    while (this.#take('|')) branches.push(this.#readSequence());
    const all: string[] = [];
    for (const branch of branches) {
      if (branch === undefined) return undefined;
      all.push(...branch);
    }
    return [...new Set(all)];
  }

  /** Parts one after the other: the most telling of what they need is enough. */
  #readSequence(): Needed {
    let best: Needed;
    let run = '';
    const offer = (needed: Needed): void => {
      if (needed !== undefined && isMoreTelling(needed, best)) best = needed;
    };
    while (!this.isAtEnd && !this.#isNext('|') && !this.#isNext(')')) {
      const part = this.#readRepeated();
      if (part.exact === undefined) {
        offer(run === '' ? undefined : [run]);
        offer(part.needed);
        run = '';
      } else {
        run += part.exact;
      }
    }
    offer(run === '' ? undefined : [run]);
    return best;
  }

  #readRepeated(): Part {
    const part = this.#readAtom();
    const repeat = /^(?:[*+?]|\{(\d*)(?:,\d*)?\})[?+]?/u.exec(this.#source.slice(this.#at));
    if (repeat === null) return part;
    this.#at += repeat[0].length;
    const [all, least] = repeat;
    const isOptional = all.startsWith('*') || all.startsWith('?') || (least !== undefined && Number(least) === 0);
    if (isOptional) return ANYTHING;
    return { exact: undefined, needed: part.needed ?? (part.exact ? [part.exact] : undefined) };
  }

  #readAtom(): Part {
    const character = this.#source[this.#at] ?? '';
    if (character === '(') return this.#readGroup();
    if (character === '[') return this.#readClass();
    this.#at += 1;
    if (character === '\\') return this.#readEscape();
    if (character === '^' || character === '$') return { exact: '', needed: undefined };
    return character === '.' ? ANYTHING : literal(character);
  }

  #readGroup(): Part {
    const opening = /^\((?:\?(?::|P?<[A-Za-z_]\w*>))?/u.exec(this.#source.slice(this.#at))?.[0] ?? '(';
    this.#at += opening.length;
    // Flags and anything newer: what they do to the rest is not known here.
    if (this.#isNext('?')) this.#at = this.#source.length + 1;
    const needed = this.readAlternatives();
    if (!this.#take(')')) this.#at = this.#source.length + 1;
    return { exact: undefined, needed: this.#at > this.#source.length ? undefined : needed };
  }

  #readClass(): Part {
    const text = /^\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]/u.exec(this.#source.slice(this.#at))?.[0];
    this.#at += text?.length ?? this.#source.length;
    return ANYTHING;
  }

  #readEscape(): Part {
    const character = this.#source[this.#at] ?? '';
    this.#at += 1;
    if (character === 'b' || character === 'B' || character === 'A' || character === 'z') {
      return { exact: '', needed: undefined };
    }
    if (/[pPxQ]/u.test(character)) {
      const rest = /^(?:\{[^}]*\}|[0-9A-Fa-f]{2}|\w)?/u.exec(this.#source.slice(this.#at))?.[0] ?? '';
      this.#at += character === 'Q' ? this.#source.length : rest.length;
      return ANYTHING;
    }
    return /[A-Za-z0-9]/u.test(character) ? ANYTHING : literal(character);
  }

  #isNext(character: string): boolean {
    return this.#source[this.#at] === character;
  }

  #take(character: string): boolean {
    if (!this.#isNext(character)) return false;
    this.#at += 1;
    return true;
  }
}

function literal(character: string): Part {
  const lower = character.toLowerCase();
  return PLAIN.test(lower) ? { exact: lower, needed: undefined } : ANYTHING;
}

/** A longer literal stands in fewer messages. */
function isMoreTelling(needed: readonly string[], best: Needed): boolean {
  if (needed.length === 0) return false;
  const shortest = (literals: readonly string[]): number => Math.min(...literals.map(({ length }) => length));
  return best === undefined || shortest(needed) > shortest(best);
}
