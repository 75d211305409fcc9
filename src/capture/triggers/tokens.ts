import { fold } from './fold.ts';
import type { Shield } from './shield.ts';
import type { Work } from './work.ts';

export interface Token {
  /** Folded word, or the character of a mark; empty for what must not match: names, paths, code, quotations. */
  readonly word: string;
  readonly isMark: boolean;
  readonly start: number;
  readonly end: number;
}

export interface Sentence {
  readonly tokens: readonly Token[];
  readonly start: number;
  readonly end: number;
  /** What ended it: `.`, `!`, `?`, `…`, a line break, or nothing at the end of the text. */
  readonly terminator: string;
  readonly paragraph: number;
}

const LETTER = /[\p{L}\p{N}\p{M}]/u;
const ONLY_LETTER = /\p{L}/u;
const LOWER = /\p{Ll}/u;
const MARKS = new Set(',;:()[]—–-¿¡|"“”„«»‹›');
const SENTENCE_ENDS = new Set(['.', '!', '?', '…']);
const MAY_FOLLOW_END = /[\s"'”’»)\]*_]/;
const ABBREVIATIONS = new Set(
  'dr mr mrs ms st prof nr no vs etc approx ca bzw usw vgl str hr fr sr sra dra pag p lun mar mer jeu ven sam dim lundi feb fev fevr janv jan mar apr avr jun jul juil aug sep sept oct okt nov dec dez m mm inc ltd'.split(
    ' ',
  ),
);
const MONTHS = /^(jan|feb|mar|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez)/i;
/** Words cut off a hyphen: French puts pronouns there, elsewhere a hyphen makes one word. */
const HYPHEN_PRONOUNS = new Set([
  'toi',
  'moi',
  'vous',
  'nous',
  'tu',
  'le',
  'la',
  'les',
  'ca',
  'ce',
  'je',
  'en',
  'y',
  'on',
  't',
]);
const ELISIONS = new Set(['d', 'l', 'n', 'j', 'qu', 's', 't', 'm', 'c', 'jusqu', 'lorsqu', 'puisqu']);
const LONGEST_ELISION = 7;
const LONGEST_NAME = 200;
/** A line at least this long that goes on in lower case was wrapped by a program, not ended by a person. */
const WRAPPED_LINE_CHARS = 60;

function isLetterAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code < 128) return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return index < text.length && LETTER.test(text.charAt(index));
}

function isSpaceAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || (code >= 0x2000 && /\s/.test(text.charAt(index)));
}

/** Characters that only names contain; a chunk without them needs no closer look. */
const IN_NAMES = new Set('_/\\@=:.(#$<{-');

/** Paths, addresses, identifiers, calls, options, tags: words in them are names. */
function isName(chunk: string): boolean {
  if (/^(--[a-z]|-[a-z]$|[/\\@$<{][\p{L}\w]|#[\p{L}\w]|\.[a-z])/iu.test(chunk)) return true;
  if (/[\p{L}\d][_/\\@=][\p{L}\d]|:\/\/|::|=>|->/u.test(chunk)) return true;
  return /\p{L}\([^)\s]|\p{L}\(\)|\p{L}\.\p{L}|\p{L}\.\(/u.test(chunk);
}

class Cutter {
  readonly #text: string;
  readonly #shield: Shield;
  readonly #work: Work;
  readonly #sentences: Sentence[] = [];
  #tokens: Token[] = [];
  #paragraph = 0;
  #lineStart = 0;
  #mayBeName = false;

  constructor(text: string, shield: Shield, work: Work) {
    this.#text = text;
    this.#shield = shield;
    this.#work = work;
  }

  cut(): readonly Sentence[] {
    const text = this.#text;
    let at = 0;
    let chunkEnd = 0;
    while (at < text.length) {
      this.#work.steps += 1;
      const character = text.charAt(at);
      if (character === '\n') {
        at = this.#lineBreak(at);
        chunkEnd = at;
      } else if (isSpaceAt(text, at)) {
        at += 1;
      } else if (at >= chunkEnd) {
        chunkEnd = this.#endOfChunk(at);
        if (this.#mayBeName && isName(text.slice(at, Math.min(chunkEnd, at + LONGEST_NAME)))) {
          const end = this.#withoutTrailingMarks(at, chunkEnd);
          this.#tokens.push({ word: '', isMark: false, start: at, end });
          at = end;
        }
      } else if (isLetterAt(text, at)) {
        at = this.#word(at);
      } else {
        at = this.#mark(at);
      }
    }
    this.#close('', text.length);
    return this.#sentences;
  }

  #endOfChunk(start: number): number {
    let end = start;
    this.#mayBeName = false;
    while (end < this.#text.length && !isSpaceAt(this.#text, end)) {
      this.#mayBeName ||= end - start < LONGEST_NAME && IN_NAMES.has(this.#text.charAt(end));
      end += 1;
    }
    this.#work.steps += end - start;
    return end;
  }

  #withoutTrailingMarks(start: number, chunkEnd: number): number {
    let end = chunkEnd;
    while (end > start + 1 && /[.,;:!?)\]"'”’»*…]/.test(this.#text.charAt(end - 1))) end -= 1;
    return end;
  }

  #word(start: number): number {
    const text = this.#text;
    let end = start;
    let partStart = start;
    while (end < text.length) {
      if (isLetterAt(text, end)) {
        end += 1;
        continue;
      }
      const character = text.charAt(end);
      const goesOn = end > partStart && isLetterAt(text, end + 1);
      if (goesOn && (character === "'" || character === '’')) {
        if (end - partStart <= LONGEST_ELISION && ELISIONS.has(fold(text.slice(partStart, end)))) {
          this.#push(partStart, end);
          partStart = end + 1;
        }
        end += 1;
      } else if (goesOn && (character === '-' || character === '‑')) {
        let partEnd = end + 1;
        while (partEnd < text.length && isLetterAt(text, partEnd)) partEnd += 1;
        if (HYPHEN_PRONOUNS.has(fold(text.slice(end + 1, partEnd)))) {
          this.#push(partStart, end);
          partStart = end + 1;
        }
        end = partEnd;
      } else break;
    }
    this.#work.steps += end - start;
    if (end > partStart) this.#push(partStart, end);
    return end;
  }

  #push(start: number, end: number): void {
    const word = this.#shield.covers(start) ? '' : fold(this.#text.slice(start, end));
    this.#tokens.push({ word, isMark: false, start, end });
  }

  #mark(at: number): number {
    const text = this.#text;
    const character = text.charAt(at);
    if (SENTENCE_ENDS.has(character)) return this.#maybeEnd(at, character);
    if (MARKS.has(character)) this.#tokens.push({ word: character, isMark: true, start: at, end: at + 1 });
    return at + 1;
  }

  #maybeEnd(at: number, character: string): number {
    const text = this.#text;
    let end = at;
    let terminator = character;
    while (end < text.length && SENTENCE_ENDS.has(text.charAt(end))) {
      if (text.charAt(end) === '?') terminator = '?';
      end += 1;
    }
    this.#work.steps += end - at;
    if (this.#shield.covers(at)) return end;
    const next = text.charAt(end);
    if (next !== '' && !MAY_FOLLOW_END.test(next)) return end;
    if (terminator === '.' && end - at === 1 && this.#isAbbreviation(end)) return end;
    this.#close(terminator, at);
    return end;
  }

  /** "Mr. Okafor", "am 3. Februar", "Nr. 5"; and "1." before an item of a list. */
  #isAbbreviation(afterDot: number): boolean {
    const last = this.#tokens.at(-1);
    if (last === undefined || last.end !== afterDot - 1) return false;
    const raw = this.#text.slice(last.start, last.end);
    const following = this.#text.slice(afterDot + 1, afterDot + 10);
    if (/^\d{1,2}$/.test(raw)) {
      if (this.#tokens.length === 1) this.#tokens.pop();
      return MONTHS.test(following) || this.#tokens.length === 0;
    }
    if (raw.length === 1 && ONLY_LETTER.test(raw)) return true;
    return ABBREVIATIONS.has(last.word) && following !== '';
  }

  #lineBreak(at: number): number {
    const text = this.#text;
    let end = at;
    let breaks = 0;
    while (end < text.length && isSpaceAt(text, end)) {
      if (text.charAt(end) === '\n') breaks += 1;
      end += 1;
    }
    this.#work.steps += end - at;
    const wrapped = breaks === 1 && at - this.#lineStart >= WRAPPED_LINE_CHARS && LOWER.test(text.charAt(end));
    if (!wrapped) this.#close('\n', at);
    if (breaks > 1) this.#paragraph += 1;
    this.#lineStart = end;
    return end;
  }

  #close(terminator: string, end: number): void {
    const first = this.#tokens[0];
    if (first === undefined) return;
    this.#sentences.push({
      tokens: this.#tokens,
      start: first.start,
      end,
      terminator,
      paragraph: this.#paragraph,
    });
    this.#tokens = [];
  }
}

export function cutIntoSentences(text: string, shield: Shield, work: Work): readonly Sentence[] {
  return new Cutter(text, shield, work).cut();
}
