import { sleep } from '../../platform/clock.ts';
import type { DoorContext } from './context.ts';
import { readRegular } from './regular-file.ts';

/** An editor that empties a file and writes it anew is done after this; half a save must not be taken for one. */
const SETTLE_MS = 25;
const PAUSE_MS = 5;
const MAX_PAUSES = 40;

export interface SettledFile {
  readonly bytes: Buffer | undefined;
  /** When it was last written, by the file's own word and not later than now. */
  readonly savedAtMs: number;
}

/** Reads a file that somebody else has changed, after they have finished. */
export async function readSettled({ fs, clock }: DoorContext, full: string): Promise<SettledFile> {
  for (let pauses = 0; ; pauses += 1) {
    const stamp = fs.stamp(full);
    const nowMs = clock.now();
    const savedAtMs = stamp === undefined ? nowMs : Math.min(nowMs, Number(stamp.mtimeNs / 1_000_000n));
    if (stamp === undefined || nowMs - savedAtMs > SETTLE_MS || pauses === MAX_PAUSES) {
      return { bytes: readRegular(fs, full), savedAtMs };
    }
    await sleep(PAUSE_MS);
  }
}
