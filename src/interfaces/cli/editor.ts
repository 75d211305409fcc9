import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import type { Cli } from './cli.ts';

/** Lets a person change a text in their own editor; the copy they work on is theirs alone until they save. */
export async function editByHand(cli: Cli, name: string, text: string, otherWay: string): Promise<string> {
  if (!cli.io.isTerminal) {
    throw new MnemeError('usage', 'There is no terminal to open an editor in.', {
      hint: otherWay,
    });
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-edit-'));
  const file = path.join(folder, path.basename(name));
  try {
    fs.writeFileSync(file, text, { mode: 0o600 });
    const { status, error } = spawnSync(`${cli.environment.editor} "${file}"`, { stdio: 'inherit', shell: true });
    if (error !== undefined || status !== 0) {
      throw new MnemeError(
        'failure',
        `The editor "${cli.environment.editor}" ended with an error; nothing was changed.`,
        {
          hint: 'Set EDITOR to the command that opens yours.',
          cause: error,
        },
      );
    }
    return fs.readFileSync(file, 'utf8');
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
