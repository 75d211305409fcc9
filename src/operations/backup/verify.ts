import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { makeScratchFolder } from '../../platform/private-folder.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { findIdentities } from '../history/sealed/key.ts';
import { readBackups } from './list.ts';
import { unpackHome, type UnpackControls } from './unpack.ts';

export interface VerifiedBackup {
  readonly file: string;
  readonly made: string;
  readonly files: number;
  readonly bytes: number;
  readonly hasTranscripts: boolean;
  readonly repositories: readonly string[];
}

export const checkBackup = defineVerb({
  name: 'backup verify',
  summary: 'Restore a backup into a scratch folder and compare everything.',
  input: z.object({
    file: z.string().min(1).optional().describe('Which one; the newest when not given.'),
    onlyOwn: z.boolean().default(false).describe('Take only a backup of this home, by its path or name.'),
  }),
  effect: 'read',
  run: (context, { file, onlyOwn }, controls?: UnpackControls): Promise<VerifiedBackup> =>
    verifyBackup(chooseBackup(context, file, onlyOwn), { identities: findIdentities(context), ...controls }),
  // Over HTTP by name only: a caller must not open any file of this machine.
  http: { method: 'POST', needs: 'own', isLong: true, fixed: { onlyOwn: true } },
  library: { args: ['file'] },
  // A program: a file that is named needs no home, which may be lost.
  cli: false,
});

function chooseBackup(context: OperationContext, file: string | undefined, onlyOwn: boolean): string {
  if (file === undefined) return newestBackup(context);
  if (!onlyOwn) return file;
  const own = readBackups(context).find((backup) => backup.file === file || path.basename(backup.file) === file);
  if (own !== undefined) return own.file;
  throw new MnemeError('not-found', 'The home has no backup of this name.', {
    hint: '`mneme backup list` shows the backups there are.',
  });
}

function newestBackup(context: OperationContext): string {
  const [newest] = readBackups(context);
  if (newest !== undefined) return newest.file;
  throw new MnemeError('not-found', `There is no backup of ${context.home} yet.`, {
    hint: 'Make one: `mneme backup create`.',
  });
}

/** Restores a backup into a scratch folder and compares everything; throws when something is wrong with it. */
export async function verifyBackup(given: string, controls: UnpackControls = {}): Promise<VerifiedBackup> {
  const file = path.resolve(given);
  assertArchive(file);
  const scratch = makeScratchFolder('mneme-verify-');
  try {
    const { manifest } = await unpackHome(file, scratch, controls);
    return {
      file,
      made: manifest.made,
      files: manifest.files.length,
      bytes: manifest.files.reduce((sum, { size }) => sum + size, 0),
      hasTranscripts: manifest.hasTranscripts,
      repositories: manifest.repositories.map(({ name }) => name),
    };
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

export function assertArchive(file: string): void {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() === true) return;
  throw new MnemeError('not-found', `There is no backup ${file}.`, {
    hint: '`mneme backup list` shows the backups there are.',
  });
}
