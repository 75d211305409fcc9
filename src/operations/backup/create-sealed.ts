import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { damaged } from '../../maintain/backup/tar/header.ts';
import type { OperationContext } from '../context.ts';
import { getIdentities } from '../history/sealed/key.ts';
import { allRecipients } from '../history/sealed/recipients.ts';
import { openFile, sealFile } from '../history/sealed/seal.ts';
import type { BackupTarget, Made } from './making.ts';
import type { UnpackControls } from './unpack.ts';

const SCOPES_FOLDER = 'memory/scopes';

/** In the clear below `state/` first, where the home itself lies in the clear: only what leaves it has to be sealed. */
export async function makeSealed(
  context: OperationContext,
  target: BackupTarget,
  { makePlain, onProgress }: UnpackControls & { readonly makePlain: (target: BackupTarget) => Promise<Made> },
): Promise<Made> {
  const recipients = await allRecipients(context);
  const plain = `${target.scratch}.tar.gz`;
  const opened = `${target.scratch}.opened.tar.gz`;
  try {
    const made = await makePlain({ ...target, file: plain });
    onProgress?.('sealing');
    await sealFile(recipients, plain, target.file);
    await openFile(getIdentities(context), target.file, opened);
    if (!isSameFile(plain, opened)) throw damaged('it is another once it was sealed and opened again');
    return { ...made, bytes: fs.statSync(target.file).size };
  } catch (error) {
    fs.rmSync(target.file, { force: true });
    throw error;
  } finally {
    fs.rmSync(plain, { force: true });
    fs.rmSync(opened, { force: true });
  }
}

function isSameFile(one: string, other: string): boolean {
  return hashFile(one) === hashFile(other);
}

function hashFile(file: string): string {
  const digest = createHash('sha256');
  const descriptor = fs.openSync(file, 'r');
  const piece = Buffer.alloc(1024 * 1024);
  try {
    for (let read = fs.readSync(descriptor, piece); read > 0; read = fs.readSync(descriptor, piece)) {
      digest.update(piece.subarray(0, read));
    }
  } finally {
    fs.closeSync(descriptor);
  }
  return digest.digest('hex');
}

/** A backup goes to other disks and other people's; whoever has private scopes should hear that they go along. */
export function tellOfPrivateScopes({ workspace }: OperationContext): string[] {
  const folder = path.join(workspace.root, SCOPES_FOLDER);
  if (!fs.existsSync(folder) || fs.readdirSync(folder).length === 0) return [];
  return [
    `It holds private scopes (${SCOPES_FOLDER}/) in the clear; \`mneme backup create --encrypt\` seals it, and backup.encrypt every one.`,
  ];
}
