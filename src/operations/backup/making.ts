import fs from 'node:fs';
import { isMnemeError } from '../../model/errors.ts';
import { unpackHome, type UnpackControls } from './unpack.ts';

export interface BackupTarget {
  /** Where it is made, not yet under its name. */
  readonly file: string;
  readonly scratch: string;
  readonly homeId: string;
  readonly made: string;
}

/** The report about a finished backup. */
export interface Made {
  readonly files: number;
  readonly bytes: number;
  readonly notes: readonly string[];
  /** The number of parts needed, and of those added since the last clearing; undefined for a whole one. */
  readonly parts: { readonly needed: number; readonly added: number } | undefined;
}

/** Packing old transcripts may take away a file that was just noted; then the snapshot is taken again. */
const MAX_TRIES = 3;

export async function untilStill<T>(
  target: BackupTarget,
  controls: UnpackControls,
  body: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    fs.mkdirSync(target.scratch, { recursive: true });
    try {
      return await body();
    } catch (error) {
      fs.rmSync(target.file, { force: true });
      const isMoved =
        isMnemeError(error, 'conflict') || (error instanceof Error && 'code' in error && error.code === 'ENOENT');
      if (!isMoved || tries >= MAX_TRIES || controls.signal?.aborted === true) throw error;
      fs.rmSync(target.scratch, { recursive: true, force: true });
    }
  }
}

export async function checkPartial(partial: string, home: string, controls: UnpackControls): Promise<void> {
  fs.mkdirSync(home, { recursive: true });
  try {
    await unpackHome(partial, home, controls);
  } catch (error) {
    fs.rmSync(partial, { force: true });
    throw error;
  }
}
