import { MnemeError } from '../../model/errors.ts';

export interface ConfigEntry {
  readonly file: string;
  /** `section.subsection.name`; section and name in lower case, the subsection as it is written. */
  readonly key: string;
  /** Empty for a name without a value, which git takes for true. */
  readonly value: string;
  readonly line: number;
}

/** As git counts them; any other blank is a letter out of place. */
const SPACE = /[ \t\n\r]/u;
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\', '\n': '' };

/**
 * Reads git's settings file by git's own rules. Anything that git would call an error is one here, too: a text that two
 * readers understand differently could hide a setting from the one that checks it.
 */
export function parseConfig(text: string, file: string): ConfigEntry[] {
  return new ConfigReader(text, file).readAll();
}

class ConfigReader {
  readonly #text: string;
  readonly #file: string;
  #at = 0;
  #line = 1;

  constructor(text: string, file: string) {
    this.#text = text.replaceAll('\r\n', '\n');
    this.#file = file;
  }

  readAll(): ConfigEntry[] {
    const entries: ConfigEntry[] = [];
    let section: string | undefined;
    for (let letter = this.#next(); letter !== undefined; letter = this.#next()) {
      if (SPACE.test(letter)) continue;
      if (letter === '#' || letter === ';') this.#skipLine();
      else if (letter === '[') section = this.#readSection();
      else if (section !== undefined && /[a-z]/iu.test(letter)) entries.push(this.#readEntry(section, letter));
      else throw this.#error();
    }
    return entries;
  }

  #next(): string | undefined {
    const letter = this.#text[this.#at];
    this.#at += 1;
    if (letter === '\n') this.#line += 1;
    return letter;
  }

  #peek(): string | undefined {
    return this.#text[this.#at];
  }

  #skipLine(): void {
    while (this.#peek() !== undefined && this.#peek() !== '\n') this.#next();
  }

  /** `[name]`, `[name "subsection"]`, or the old `[name.subsection]`. */
  #readSection(): string {
    let name = '';
    for (let letter = this.#next(); letter !== ']'; letter = this.#next()) {
      if (letter !== undefined && /[ \t]/u.test(letter)) return `${name}.${this.#readSubsection()}`;
      if (letter === undefined || !/[a-z0-9.-]/iu.test(letter)) throw this.#error();
      name += letter.toLowerCase();
    }
    if (name === '') throw this.#error();
    return name;
  }

  #readSubsection(): string {
    while (/[ \t]/u.test(this.#peek() ?? '')) this.#next();
    if (this.#next() !== '"') throw this.#error();
    let name = '';
    for (let letter = this.#next(); letter !== '"'; letter = this.#next()) {
      if (letter === '\\') letter = this.#next();
      if (letter === undefined || letter === '\n') throw this.#error();
      name += letter;
    }
    if (this.#next() !== ']') throw this.#error();
    return name;
  }

  #readEntry(section: string, first: string): ConfigEntry {
    const line = this.#line;
    let name = first;
    while (/[a-z0-9-]/iu.test(this.#peek() ?? '')) name += this.#next();
    const key = `${section}.${name.toLowerCase()}`;
    while (/[ \t]/u.test(this.#peek() ?? '')) this.#next();
    const letter = this.#next();
    if (letter === undefined || letter === '\n') return { file: this.#file, key, value: '', line };
    if (letter !== '=') throw this.#error();
    return { file: this.#file, key, value: this.#readValue(), line };
  }

  #readValue(): string {
    let value = '';
    let spaces = '';
    let isQuoted = false;
    for (let letter = this.#next(); ; letter = this.#next()) {
      if (letter === undefined || letter === '\n') {
        if (isQuoted) throw this.#error();
        return value;
      }
      if (!isQuoted && SPACE.test(letter)) {
        if (value !== '') spaces += letter;
        continue;
      }
      if (!isQuoted && (letter === ';' || letter === '#')) {
        this.#skipLine();
        continue;
      }
      value += spaces;
      spaces = '';
      if (letter === '"') isQuoted = !isQuoted;
      else value += letter === '\\' ? this.#readEscape() : letter;
    }
  }

  #readEscape(): string {
    // The end of the file counts as the end of a line.
    const written = ESCAPED[this.#next() ?? '\n'];
    if (written === undefined) throw this.#error();
    return written;
  }

  #error(): MnemeError {
    return new MnemeError('refused', `${this.#file} cannot be read as git settings (line ${this.#line}).`, {
      hint: 'Correct that line, or put the file back from a backup; `git config --list` shows whether git can read it.',
    });
  }
}
