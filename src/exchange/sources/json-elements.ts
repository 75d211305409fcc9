import { errorMessage } from '../../model/errors.ts';
import type { SourceFile } from './open-source.ts';

/** An object of a long JSON list, or what could not be read of one. */
export interface JsonElement {
  /** Where it begins in the file, in bytes. */
  readonly at: number;
  /** undefined when it could not be read. */
  readonly value: unknown;
  readonly problem: string | undefined;
  /** Found by its looks, behind something unreadable: it may be a part of an element. */
  readonly isRecovered: boolean;
}

/** No conversation is this long; what is would fill the memory. */
const MAX_ELEMENT_BYTES = 64 * 1024 * 1024;
/** Each costs reading on from there; a file with more is not damaged but something else. */
const MAX_RECOVERIES = 500;

/**
 * The objects of a JSON list (or of objects one behind the other), one at a time, however long the file is. An object that
 * cannot be read costs only itself: reading goes on where the next one like the others begins.
 */
export async function* readElements(file: SourceFile): AsyncGenerator<JsonElement> {
  let from = 0;
  let firstKey: string | undefined;
  for (let recoveries = 0; ; recoveries += 1) {
    const scanner = new ElementScanner(from, recoveries === 0 ? undefined : firstKey);
    let broken: { readonly at: number; readonly problem: string } | undefined;
    for await (const found of scan(file, from, scanner)) {
      const { at, text } = found;
      if (found.isStray === true) {
        yield { at, value: undefined, problem: 'not JSON', isRecovered: recoveries > 0 };
        continue;
      }
      const parsed = text === undefined ? { problem: `longer than 64 MB` } : parse(text);
      firstKey ??= keyOf(text ?? found.start);
      if (parsed.problem === undefined) {
        yield { at, value: parsed.value, problem: undefined, isRecovered: recoveries > 0 };
        continue;
      }
      broken = { at, problem: parsed.problem };
      break;
    }
    broken ??= scanner.unfinished;
    if (broken === undefined) return;
    yield { at: broken.at, value: undefined, problem: broken.problem, isRecovered: recoveries > 0 };
    firstKey ??= keyOf(scanner.unfinishedStart);
    if (firstKey === undefined || recoveries >= MAX_RECOVERIES || scanner.hasFailed) return;
    from = broken.at + 1;
  }
}

interface FoundElement {
  readonly at: number;
  /** undefined for one that is longer than the limit. */
  readonly text: string | undefined;
  readonly start: string;
  /** Something between elements that is none. */
  readonly isStray?: boolean | undefined;
}

async function* scan(file: SourceFile, from: number, scanner: ElementScanner): AsyncGenerator<FoundElement> {
  try {
    for await (const chunk of file.open(from)) yield* scanner.push(chunk);
    yield* scanner.takeStray();
  } catch (error) {
    // Elements read before the error count; an archive that is cut off still holds some.
    scanner.fail(errorMessage(error));
  }
}

function parse(text: string): { readonly value: unknown; readonly problem?: undefined } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: 'not JSON' };
    throw error;
  }
}

function keyOf(text: string): string | undefined {
  return /^\{\s*"([^"\\]{1,60})"/u.exec(text)?.[1];
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const START_CHARACTERS = 200;

/** Allowed between elements: white space, commas, the list's brackets, and the mark that some files begin with. */
function isBetween(byte: number): boolean {
  const isMark = byte === 0xef || byte === 0xbb || byte === 0xbf;
  return byte <= 0x20 || byte === 0x2c || byte === OPEN_LIST || byte === CLOSE_LIST || isMark;
}

/** Tells where the objects of a list begin and end, byte by byte; whether they are JSON is for the parser to say. */
class ElementScanner {
  hasFailed = false;
  readonly #wanted: Buffer | undefined;
  #position: number;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #startAt = -1;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #failure: string | undefined;
  /** The matched length of `{"key"` in the search for the next element; -1 without a match. */
  #matched = -1;
  #matchAt = -1;
  #matchedBytes: number[] = [];
  #strayAt = -1;

  constructor(position: number, firstKey: string | undefined) {
    this.#position = position;
    this.#wanted = firstKey === undefined ? undefined : Buffer.from(`"${firstKey}"`, 'utf8');
  }

  /** The element that the end of the file came in the middle of, or why reading ended. */
  get unfinished(): { readonly at: number; readonly problem: string } | undefined {
    if (this.#startAt !== -1) return { at: this.#startAt, problem: this.#failure ?? 'cut off or damaged' };
    return this.#failure === undefined ? undefined : { at: this.#position, problem: this.#failure };
  }

  get unfinishedStart(): string {
    return Buffer.concat(this.#kept).subarray(0, START_CHARACTERS).toString('utf8');
  }

  fail(problem: string): void {
    this.hasFailed = true;
    this.#failure = problem;
  }

  *push(chunk: Buffer): Generator<FoundElement> {
    let from = this.#startAt === -1 ? -1 : 0;
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index] ?? 0;
      if (this.#startAt === -1) {
        if (this.#begins(byte, this.#position + index)) {
          yield* this.takeStray();
          from = Math.max(this.#startAt - this.#position, 0);
        }
      } else if (this.#ends(byte)) {
        yield this.#take(chunk.subarray(from, index + 1));
        from = -1;
      } else if (this.#keptBytes + index - from > MAX_ELEMENT_BYTES) {
        yield { at: this.#startAt, text: undefined, start: this.unfinishedStart };
        this.#forget();
        from = -1;
      }
    }
    if (from !== -1) this.#keep(chunk.subarray(from));
    this.#position += chunk.length;
  }

  *takeStray(): Generator<FoundElement> {
    if (this.#strayAt !== -1) yield { at: this.#strayAt, text: undefined, start: '', isStray: true };
    this.#strayAt = -1;
  }

  /** Whether an element begins with this byte, or – behind something unreadable – has begun a few bytes ago. */
  #begins(byte: number, at: number): boolean {
    if (this.#wanted === undefined) {
      if (byte === OPEN_OBJECT) this.#start(at);
      else if (this.#strayAt === -1 && !isBetween(byte)) this.#strayAt = at;
      return byte === OPEN_OBJECT;
    }
    if (byte === OPEN_OBJECT) {
      this.#matched = 0;
      this.#matchAt = at;
      this.#matchedBytes = [byte];
      return false;
    }
    if (this.#matched === -1) return false;
    this.#matchedBytes.push(byte);
    if (this.#matched === 0 && (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09)) return false;
    if (byte !== this.#wanted[this.#matched]) {
      this.#matched = -1;
      return false;
    }
    this.#matched += 1;
    if (this.#matched < this.#wanted.length) return false;
    this.#matched = -1;
    this.#start(this.#matchAt);
    // The brace, and what follows it, may stand in the chunk before.
    const missing = this.#position - this.#matchAt;
    if (missing > 0) this.#keep(Buffer.from(this.#matchedBytes.slice(0, missing)));
    return true;
  }

  #start(at: number): void {
    this.#startAt = at;
    this.#depth = 1;
    this.#isInString = false;
    this.#isEscaped = false;
  }

  #ends(byte: number): boolean {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isInString = false;
      return false;
    }
    if (byte === QUOTE) this.#isInString = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#depth -= 1;
    return this.#depth === 0;
  }

  #keep(bytes: Buffer): void {
    this.#kept.push(bytes);
    this.#keptBytes += bytes.length;
  }

  #take(last: Buffer): FoundElement {
    const at = this.#startAt;
    const text = (this.#kept.length === 0 ? last : Buffer.concat([...this.#kept, last])).toString('utf8');
    this.#forget();
    return { at, text, start: text.slice(0, START_CHARACTERS) };
  }

  #forget(): void {
    this.#startAt = -1;
    this.#kept = [];
    this.#keptBytes = 0;
  }
}
