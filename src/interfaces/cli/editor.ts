import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import { assertNoNul } from '../../platform/nul.ts';
import { makeScratchFolder } from '../../platform/private-folder.ts';
import { splitCommand } from '../../platform/programs/start.ts';
import type { Cli } from './cli.ts';

/** Lets a person change a text in their own editor; the copy they work on is theirs alone until they save. */
export async function editByHand(cli: Cli, name: string, text: string, otherWay: string): Promise<string> {
  if (!cli.io.isTerminal) {
    throw new MnemeError('usage', 'There is no terminal to open an editor in.', {
      hint: otherWay,
    });
  }
  const folder = makeScratchFolder('mneme-edit-');
  const file = path.join(folder, plainName(name));
  try {
    fs.writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
    openEditor(cli.environment.editor, file);
    return fs.readFileSync(file, 'utf8');
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** Started without a shell: the name of a file may hold what a shell would run. */
function openEditor(editor: string, file: string): void {
  const { words } = splitCommand(editor);
  const [program = '', ...args] = words;
  if (program === '') {
    throw new MnemeError('usage', `The editor ${JSON.stringify(editor)} names no program; nothing was changed.`, {
      hint: hintFor(program, undefined),
    });
  }
  const { code, error } = runInTerminal(program, [...args, file]);
  if (error === undefined && code === 0) return;
  const happened = error === undefined ? 'ended with an error' : `cannot be started (${error.code ?? error.message})`;
  throw new MnemeError('failure', `The editor ${JSON.stringify(editor)} ${happened}; nothing was changed.`, {
    hint: hintFor(program, error),
    cause: error,
  });
}

function hintFor(program: string, error: Error | undefined): string {
  if (error !== undefined && process.platform === 'win32' && !/\.exe$/iu.test(program)) {
    return 'Set EDITOR to an .exe file: a .cmd or .bat file can be started only through a shell, which Mneme never uses.';
  }
  return 'Set EDITOR (or VISUAL, which comes first) to the command that opens yours, such as `code --wait`. It is started without a shell: write paths out in full.';
}

/** Keeps the ending, by which editors know the format. Editors that are scripts pass the name on to a shell. */
function plainName(name: string): string {
  return path.basename(name).replaceAll(/[^\p{L}\p{N}._-]+/gu, '_');
}

interface ForegroundResult {
  /** null when a signal ended it, or it was not started. */
  readonly code: number | null;
  /** Why it was not started. */
  readonly error: NodeJS.ErrnoException | undefined;
}

/** Runs a program in the user's terminal and waits for its end, as an editor needs. Never through a shell. */
function runInTerminal(program: string, args: readonly string[]): ForegroundResult {
  assertNoNul(args);
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', shell: false });
  return { code: status, error };
}
