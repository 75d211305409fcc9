import fs from 'node:fs';
import path from 'node:path';
import { MnemeError, systemCode } from '../model/errors.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { assertOwnPlace } from '../workspace/safety/paths.ts';

const LINE_END = 0x0a;

/**
 * A file of lines that several processes append to at once and that is now and then rewritten, all without a lock. A
 * line may end up in it twice when both happen in the same instant, never not at all; reading leaves out repetitions.
 */
export class LogFile {
  readonly path: string;
  readonly #root: string;

  /** No link below `root` is followed out of it. */
  constructor(file: string, root = path.dirname(file)) {
    this.path = file;
    this.#root = root;
  }

  /** Every line once, in the order of first appearance. */
  read(): string[] {
    return [...new Set(splitLines(nodeFileSystem.read(this.path)))];
  }

  append(lines: readonly string[]): void {
    if (lines.length === 0) return;
    // A rewrite may have put a new file in place between opening and writing; what was written then went nowhere.
    while (!this.#appendOnce(Buffer.from(`${lines.join('\n')}\n`, 'utf8'))) continue;
  }

  /** Replaces the lines. What others append meanwhile stays. */
  async rewrite(change: (lines: readonly string[]) => readonly string[]): Promise<void> {
    const descriptor = this.#open();
    try {
      const before = wholeLines(readFrom(descriptor, 0));
      const lines = change([...new Set(splitLines(before))]);
      const temporary = `${this.path}.${process.pid}.tmp`;
      // A new file: a link of that name, in a home from elsewhere, would lead the lines to another one.
      fs.rmSync(temporary, { force: true });
      fs.writeFileSync(temporary, lines.map((line) => `${line}\n`).join(''), { mode: 0o600, flag: 'wx' });
      await nodeFileSystem.rename(temporary, this.path);
      this.append(splitLines(wholeLines(readFrom(descriptor, before.length))));
    } finally {
      fs.closeSync(descriptor);
    }
  }

  #open(): number {
    assertOwnPlace(this.#root, path.relative(this.#root, this.path).replaceAll(path.sep, '/'));
    nodeFileSystem.makeDirectory(path.dirname(this.path));
    return fs.openSync(this.path, 'a+', 0o600);
  }

  /** One write, so that the lines of two processes never mix. False when the file has been replaced meanwhile. */
  #appendOnce(bytes: Buffer): boolean {
    const descriptor = this.#open();
    try {
      const whole = endsInLine(descriptor) ? bytes : Buffer.concat([Buffer.from('\n'), bytes]);
      const written = fs.writeSync(descriptor, whole);
      if (written < whole.length) {
        throw new MnemeError('failure', `Only ${written} of ${whole.length} bytes could be added to ${this.path}.`, {
          hint: 'Make room on the disk; `mneme audit rebuild` then restores the log from git.',
        });
      }
      return isSameFile(descriptor, this.path);
    } finally {
      fs.closeSync(descriptor);
    }
  }
}

function splitLines(bytes: Buffer | undefined): string[] {
  return bytes === undefined
    ? []
    : bytes
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '');
}

/**
 * Without a line that has no end: it is being written at this moment, and whoever writes it finds the file replaced and
 * writes it again; or a crash cut it short, and it says nothing.
 */
function wholeLines(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.lastIndexOf(LINE_END) + 1);
}

/** A crash in the middle of a write leaves half a line; the next one must not continue it. */
function endsInLine(descriptor: number): boolean {
  const { size } = fs.fstatSync(descriptor);
  return size === 0 || readFrom(descriptor, size - 1)[0] === LINE_END;
}

function readFrom(descriptor: number, start: number): Buffer {
  const pieces: Buffer[] = [];
  let position = start;
  for (;;) {
    const piece = Buffer.allocUnsafe(64 * 1024);
    const count = fs.readSync(descriptor, piece, 0, piece.length, position);
    if (count === 0) return Buffer.concat(pieces);
    pieces.push(piece.subarray(0, count));
    position += count;
  }
}

function isSameFile(descriptor: number, file: string): boolean {
  try {
    return fs.fstatSync(descriptor, { bigint: true }).ino === fs.statSync(file, { bigint: true }).ino;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
