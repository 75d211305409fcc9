import fs from 'node:fs';
import path from 'node:path';
import { MnemeError, systemCode } from '../../model/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { systemClock } from '../../platform/clock.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import { installHooks } from '../../workspace/git/hooks.ts';
import { Git } from '../../workspace/git/git.ts';
import { readHome } from '../../workspace/home.ts';
import { daemonLock, homePaths } from '../../workspace/home-paths.ts';
import { findBackupKeys } from './places.ts';
import { unpackHome, type UnpackControls } from './unpack.ts';
import { assertArchive } from './verify.ts';

export interface RestoreInput extends UnpackControls {
  readonly archive: string;
  /** Where the home is to be: missing or empty, or with `force` one that is put aside. */
  readonly home: string;
  readonly force?: boolean | undefined;
  /** A file with the key that opens a sealed one; without it, that of the home or of the environment. */
  readonly key?: string | undefined;
  /** The command with which git hooks start this program; without it none are installed. */
  readonly command?: readonly string[] | undefined;
  readonly clock?: Clock | undefined;
}

export interface RestoredHome {
  readonly home: string;
  readonly made: string;
  readonly files: number;
  /** Where the home that stood there before is now; null when there was none. */
  readonly before: string | null;
  readonly notes: readonly string[];
}

/** Folders kept from the replaced home: copies of it, keys that no backup holds, and data that can only be downloaded again. */
const KEPT_FOLDERS = ['backups', 'models', 'logs', 'keys'] as const;

/** Makes a home of a backup. It is complete and checked before anything that stands there is touched. */
export async function restoreBackup(input: RestoreInput): Promise<RestoredHome> {
  const home = path.resolve(input.home);
  const archive = path.resolve(input.archive);
  assertArchive(archive);
  assertReplaceable(home, input.force === true);
  const stamp = new Date((input.clock ?? systemClock).now()).toISOString().replaceAll(/[-:]|\.\d+/gu, '');
  const fresh = freeSibling(`${home}.restoring-${stamp}`);
  try {
    fs.mkdirSync(fresh, { recursive: true, mode: 0o700 });
    const identities = input.identities ?? findBackupKeys(home, input.key);
    const { manifest, notes } = await unpackHome(archive, fresh, { ...input, identities });
    // Whatever it says of places and times belongs to the scratch folder.
    fs.rmSync(path.join(fresh, 'state'), { recursive: true, force: true });
    const hooks = await addHooks(fresh, input.command);
    const before = putInPlace(fresh, home, freeSibling(`${home}.before-restore-${stamp}`));
    return {
      home,
      made: manifest.made,
      files: manifest.files.length,
      before,
      notes: [...notes, ...hooks, ...(manifest.hasTranscripts ? [] : ['The backup was made without transcripts.'])],
    };
  } catch (error) {
    fs.rmSync(fresh, { recursive: true, force: true });
    throw error;
  }
}

function assertReplaceable(home: string, isForced: boolean): void {
  const stat = fs.statSync(home, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory()) throw new MnemeError('usage', `${home} is a file, not a folder.`);
  if (fs.readdirSync(home).length === 0) return;
  if (!isForced) {
    throw new MnemeError('refused', `${home} is not empty.`, {
      hint: 'Name another place with --home, or add --force: what is there is put aside as a whole, not deleted.',
    });
  }
  const lock = daemonLock(homePaths(home));
  if (!ProcessLock.isHeld(lock)) return;
  throw new MnemeError('locked', `A daemon runs on ${home} (process ${ProcessLock.findHolder(lock) ?? 'unknown'}).`, {
    hint: 'Stop it first: `mneme daemon stop`.',
  });
}

function freeSibling(wanted: string): string {
  let free = wanted;
  for (let number = 2; fs.existsSync(free); number += 1) free = `${wanted}-${number}`;
  return free;
}

async function addHooks(home: string, command: readonly string[] | undefined): Promise<string[]> {
  const { config, paths } = await readHome(home);
  if (!config.git.hooks || command === undefined) return [];
  const { reason } = await installHooks(new Git(paths.repositories.workspace), { command, kind: 'workspace' });
  return reason === undefined ? [] : [reason];
}

/** Returns where the earlier home is. Two renames in a row: between them there is no home for an instant, never half of one. */
function putInPlace(fresh: string, home: string, aside: string): string | null {
  const hadHome = fs.existsSync(home) && fs.readdirSync(home).length > 0;
  try {
    if (hadHome) fs.renameSync(home, aside);
    else fs.rmSync(home, { recursive: true, force: true });
    fs.renameSync(fresh, home);
  } catch (error) {
    throw new MnemeError('failure', `${home} cannot be replaced (${systemCode(error) ?? 'unknown error'}).`, {
      hint:
        hadHome && !fs.existsSync(home) ? `What was there is now ${aside}.` : 'Restore to another place with --home.',
      cause: error,
    });
  }
  if (!hadHome) return null;
  for (const folder of KEPT_FOLDERS) {
    const source = path.join(aside, folder);
    if (fs.existsSync(source)) fs.renameSync(source, path.join(home, folder));
  }
  return aside;
}
