import { ENTRY_NAME } from '../client.ts';
import { parseTomlStatements } from '../toml/statements.ts';

/** The placeholder for a value. The redactor of texts knows this form and leaves it alone. */
const MASK = '[redacted:setting]';

/** As the end of a name, whatever stands before it: API_TOKEN, apikey, X-Client-Secret. */
const SECRET_END =
  /(?:token|key|secret|password|passwd|passphrase|pwd|credential|cred|bearer|cookie|oauth|authorization|authentication)s?$/u;
/** As a word of its own: an "author" is none, and neither is the event SessionStart. */
const SECRET_WORDS: ReadonlySet<string> = new Set(['auth', 'pass', 'jwt', 'pat', 'pin']);
const SESSION = /session(?:id)?s?$/u;

/** Whether what is called so is nobody else's business. */
export function namesSecret(name: string): boolean {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/u)
    .filter((word) => word !== '');
  return (
    words.some((word) => SECRET_END.test(word) || SECRET_WORDS.has(word)) || SESSION.test(words.join('').toLowerCase())
  );
}

/** Bounded on both sides: settings hold texts of many thousand characters. */
const NAME = String.raw`(?<![\w.-])[\w.-]{1,80}`;
/** `?key=…`, `TOKEN=…`, `--token=…` */
const ASSIGNED = new RegExp(String.raw`(${NAME})=([^&\s"'#;]+)`, 'gu');
/** `X-Api-Key: …`: a header's value may hold spaces. */
const HEADER = new RegExp(String.raw`(${NAME}):\s*([^\s/][^"']*)`, 'gu');
/** `--token …` inside the words of one command. */
const OPTION = new RegExp(String.raw`(?<=^|\s)(?=-)(${NAME})\s+(?!-)([^\s"']+)`, 'gu');
const SCHEME = /\b(Bearer|Basic)\s+([^\s"']+)/giu;
/** `https://user:password@host` */
const USER_INFO = /(?<=:\/\/)()([^\s/?#@"']+)(?=@)/gu;

/** A text without the secrets that it names itself. */
function maskInside(text: string): string {
  const maskNamed = (all: string, name: string, value: string): string =>
    namesSecret(name) ? all.slice(0, all.length - value.length) + MASK : all;
  const maskAny = (all: string, _name: string, value: string): string => all.slice(0, all.length - value.length) + MASK;
  return text
    .replaceAll(USER_INFO, maskAny)
    .replaceAll(HEADER, maskNamed)
    .replaceAll(ASSIGNED, maskNamed)
    .replaceAll(OPTION, maskNamed)
    .replaceAll(SCHEME, maskAny);
}

/** An argument, by the one before it: `--token`, `…`; `-e`, `NAME=…`; `-H`, `Name: …`. */
function maskArgument(text: string, before: string | undefined): string {
  if (before !== undefined && /^--?[A-Za-z][\w.-]*$/u.test(before)) {
    if (namesSecret(before)) return MASK;
    const given = /^(?:-e|--env|-H|--headers?)$/u.test(before) ? /^([^=:]+[=:]\s*).+$/su.exec(text)?.[1] : undefined;
    if (given !== undefined) return given + MASK;
  }
  return maskInside(text);
}

const IN_COMMENT =
  /^(.*?(?:token|key|secret|passw|pwd|auth|credential|bearer|cookie|session|env|headers).*?[:=,\s]).+$/isu;

/** Comments hold entries that somebody took out for a while. What comes after a telling word is not worth the risk. */
function maskComment(comment: string): string {
  return comment
    .split('\n')
    .map((line) => line.replace(IN_COMMENT, `$1${MASK}`))
    .join('\n');
}

type Format = 'json' | 'toml';

/** Whatever a server gets to know this way is meant for it alone. */
const PRIVATE_TABLE = /^(?:env|environment|envvars|.*headers)$/iu;

/**
 * Settings as they may be shown: keys of other services and all that other servers are given as environment or headers
 * are masked. Lines stay lines, so that two masked texts differ where the texts did.
 */
export function maskSettings(text: string, format: Format): string {
  if (format === 'json') return new ValueMasker(text, format).run([]);
  let shown = '';
  let at = 0;
  for (const statement of parseTomlStatements(text)) {
    if (statement.kind !== 'pair') continue;
    shown += maskComments(text.slice(at, statement.valueStart));
    shown += new ValueMasker(text.slice(statement.valueStart, statement.end), format).run(statement.path);
    at = statement.end;
  }
  return shown + maskComments(text.slice(at));
}

/** Masks the text between the values of a TOML text: headers, keys and comments. */
function maskComments(between: string): string {
  return between.replaceAll(/(?<=^|\s)#[^\n]*/gu, maskComment);
}

function isPrivate(path: readonly string[]): boolean {
  return path.some((key, index) => namesSecret(key) || (PRIVATE_TABLE.test(key) && path[index - 1] !== ENTRY_NAME));
}

const STRING: Readonly<Record<Format, RegExp>> = {
  json: /"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'/uy,
  toml: /"""(?:\\[\s\S]|(?!""")[\s\S])*"{3,5}|'''(?:(?!''')[\s\S])*'{3,5}|"(?:\\[\s\S]|[^"\\])*"|'[^']*'/uy,
};
const COMMENT: Readonly<Record<Format, RegExp>> = { json: /\/\/[^\n]*|\/\*[\s\S]*?\*\//uy, toml: /#[^\n]*/uy };
const WORD = /[^\s{}[\]:=,"'#/]+/uy;

interface Place {
  readonly path: readonly string[];
  /** The text before it in a list. */
  readonly before: string | undefined;
}

/** Copies a value, masked on the way. What it does not understand it passes on: the text was parsed before. */
class ValueMasker {
  readonly #text: string;
  readonly #format: Format;
  #at = 0;
  #shown = '';

  constructor(text: string, format: Format) {
    this.#text = text;
    this.#format = format;
  }

  run(path: readonly string[]): string {
    while (this.#at < this.#text.length) this.#value({ path, before: undefined });
    return this.#shown;
  }

  /** Returns the text of a plain value. */
  #value(place: Place): string | undefined {
    this.#passTrivia();
    const next = this.#text[this.#at];
    if (next === undefined) return undefined;
    if (next === '{') return this.#object(place.path);
    if (next === '[') return this.#array(place.path);
    const string = this.#match(STRING[this.#format]);
    if (string !== undefined) {
      const [open, raw] = unquote(string);
      this.#shown += open + maskText(raw, place) + open;
      return raw;
    }
    const word = this.#match(WORD);
    if (word === undefined) this.#copy(1);
    else this.#shown += /\d/u.test(word) && isPrivate(place.path) ? MASK : word;
    return word;
  }

  #object(path: readonly string[]): undefined {
    this.#copy(1);
    while (!this.#isAtEnd('}')) {
      const key = this.#key();
      if (key.length === 0) this.#copy(1);
      else if (this.#isAt(/[:=]/u)) {
        this.#copy(1);
        this.#value({ path: [...path, ...key], before: undefined });
      }
    }
    this.#copy(1);
    return undefined;
  }

  #array(path: readonly string[]): undefined {
    this.#copy(1);
    let before: string | undefined;
    while (!this.#isAtEnd(']')) {
      if (this.#isAt(/,/u)) this.#copy(1);
      else before = this.#value({ path, before });
    }
    this.#copy(1);
    return undefined;
  }

  /** In TOML it may have several parts. */
  #key(): string[] {
    const parts: string[] = [];
    for (;;) {
      this.#passTrivia();
      const string = this.#match(STRING[this.#format]);
      const word = string === undefined ? this.#match(WORD) : undefined;
      this.#shown += string ?? word ?? '';
      if (string !== undefined) parts.push(unquote(string)[1]);
      else if (word === undefined) return parts.filter((part) => part !== '');
      else parts.push(...word.split('.'));
    }
  }

  #isAtEnd(close: string): boolean {
    this.#passTrivia();
    return this.#at >= this.#text.length || this.#text[this.#at] === close;
  }

  #isAt(pattern: RegExp): boolean {
    this.#passTrivia();
    return pattern.test(this.#text[this.#at] ?? '');
  }

  #passTrivia(): void {
    for (;;) {
      const comment = this.#match(COMMENT[this.#format]);
      if (comment !== undefined) this.#shown += maskComment(comment);
      else if (/[\s\uFEFF]/u.test(this.#text[this.#at] ?? '')) this.#copy(1);
      else return;
    }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #copy(length: number): void {
    this.#shown += this.#text.slice(this.#at, this.#at + length);
    this.#at += length;
  }
}

/** The mark it opens with, and what stands between. */
function unquote(string: string): readonly [string, string] {
  const open = /^(?:"""|''')(?=.{3})/su.exec(string)?.[0] ?? string.slice(0, 1);
  return [open, string.slice(open.length, -open.length)];
}

function maskText(raw: string, { path, before }: Place): string {
  if (raw === '') return raw;
  if (isPrivate(path)) return MASK;
  return before === undefined ? maskInside(raw) : maskArgument(raw, before);
}
