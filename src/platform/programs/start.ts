import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Writable } from 'node:stream';
import { MnemeError } from '../../model/errors.ts';
import type { StartOrder } from './frames.ts';

export function startProgram({ command, args, cwd, env, timeoutMs }: StartOrder): ChildProcessWithoutNullStreams {
  return spawn(command, args, {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
  });
}

/** Resolves when the stream is ready for more, or closed. */
export async function writeWhenFree(stream: Writable, bytes: Uint8Array): Promise<void> {
  if (!stream.writable || stream.write(bytes)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.on('drain', done);
    stream.on('close', done);
  });
}

const PIECES_POSIX =
  /(?<blank>\s+)|'(?<single>[^']*)'|"(?<double>(?:\\[\s\S]|[^"\\])*)"|\\(?<escaped>[\s\S])|(?<plain>[^\s'"\\]+)|(?<open>['"\\])/gu;
/** A backslash separates folders there, and a single quote inside a word is a letter of it. */
const PIECES_WINDOWS =
  /(?<blank>\s+)|"(?<double>[^"]*)"|(?<=^|\s)'(?<single>[^']*)'(?!\S)|(?<plain>[^\s"]+)|(?<open>")/gu;

/** Characters with a meaning to a POSIX shell: between words, inside them, inside double quotes. */
const SIGNS = { blank: /[\n\r]/u, plain: /[;&|<>()$`*?[\]#~!{}]/u, double: /[$`]/u } as const;

interface CommandWords {
  readonly words: readonly string[];
  /** True where a shell would do something besides starting the program with these arguments. */
  readonly needsShell: boolean;
}

/**
 * Splits a command line such as `code --wait` or `"C:\Program Files\x" -n` into words, so that it can be started
 * without a shell. Quotes are honoured; variables, `~` and wildcards are not expanded.
 */
export function splitCommand(text: string, platform: NodeJS.Platform = process.platform): CommandWords {
  const isWindows = platform === 'win32';
  const words: string[] = [];
  let isInWord = false;
  let needsShell = false;
  for (const { groups = {} } of text.matchAll(isWindows ? PIECES_WINDOWS : PIECES_POSIX)) {
    const { blank, single, double, escaped, plain, open } = groups;
    if (open !== undefined) {
      throw new MnemeError('usage', `The command ${JSON.stringify(text)} opens a quote and does not close it.`);
    }
    needsShell ||= SIGNS.blank.test(blank ?? '') || SIGNS.plain.test(plain ?? '') || SIGNS.double.test(double ?? '');
    if (blank === undefined) {
      const unescaped = isWindows ? double : double?.replaceAll(/\\(["\\$`])/gu, '$1');
      const piece = single ?? unescaped ?? escaped ?? plain ?? '';
      if (isInWord) words.push(`${words.pop() ?? ''}${piece}`);
      else words.push(piece);
    }
    isInWord = blank === undefined;
  }
  return { words, needsShell };
}
