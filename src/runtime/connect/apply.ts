import { hash } from 'node:crypto';
import { MnemeError } from '../../model/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Random } from '../../platform/random.ts';
import { isConnected, type ConnectPlan, type FileChange } from './plan.ts';
import { homesIn } from './hook-entries.ts';
import type { ClientPlaces } from './client.ts';
import { Receipts, type Receipt } from './receipts.ts';
import { missingFolder, readSettings, removeSettings, writeSettings } from './settings-file.ts';

export interface ApplyParts {
  readonly receipts: Receipts;
  readonly places: ClientPlaces;
  readonly clock: Clock;
  readonly random: Random;
}

export interface AppliedFile {
  readonly file: string;
  readonly change: 'created' | 'changed' | 'deleted' | 'none';
  /** Where the file as it was before is kept. */
  readonly backup: string | null;
}

/** Carries out a plan. Either all files are changed or, after a failure, those already changed are put back. */
export async function applyConnectPlan(plan: ConnectPlan, parts: ApplyParts): Promise<AppliedFile[]> {
  const applied: AppliedFile[] = [];
  const done: FileChange[] = [];
  try {
    for (const change of plan.changes) {
      const current = refreshed(change);
      if (current.after === current.before) {
        applied.push({ file: change.file, change: 'none', backup: null });
        continue;
      }
      done.push(current);
      applied.push(await applyChange(plan.action, current, parts));
    }
  } catch (error) {
    for (const change of done.toReversed()) await putBack(change, parts.random);
    throw error;
  }
  return applied;
}

/** The change on top of what the file holds now. */
function refreshed(change: FileChange): FileChange {
  const before = readSettings(change.file);
  return before === change.before ? change : { ...change, before, ...change.again(before) };
}

async function applyChange(action: ConnectPlan['action'], change: FileChange, parts: ApplyParts): Promise<AppliedFile> {
  const { receipts, clock, random } = parts;
  const { file, before, after } = change;
  const backup = before === undefined ? undefined : receipts.backUp(file, before, clock.now());
  // Where nothing of Mneme's stands, a receipt tells of something that was taken out by hand since.
  const isOriginal = change.targets.every((target) => isConnected(before, target) === 'no');
  const earlier = isOriginal ? undefined : findEarlier(change, parts);
  const folder = missingFolder(file);
  if (after === undefined) removeSettings(file, earlier?.folder);
  else await writeSettings(file, after, random);
  verify(change);
  if (action === 'uninstall') receipts.remove(file);
  else {
    const original =
      before === undefined || backup === undefined ? undefined : { file: backup, hash: hash('sha256', before) };
    const isRepeated = earlier !== undefined && hash('sha256', before ?? '') === earlier.hashAfter;
    receipts.write({
      file,
      made: [...(earlier?.made ?? []), ...change.made],
      existed: earlier?.existed ?? before !== undefined,
      folder: earlier?.folder ?? folder,
      // A file that held Mneme's entries already is no original; the copy from before it did may still be.
      backup: isOriginal ? original : isRepeated ? earlier.backup : undefined,
      hashAfter: hash('sha256', after ?? ''),
    });
  }
  return {
    file,
    change: before === undefined ? 'created' : after === undefined ? 'deleted' : 'changed',
    backup: backup === undefined ? null : receipts.pathOf(backup),
  };
}

/**
 * Finds the origin of Mneme's entry. When it names another home, that home knows, and from now on this one does: it is
 * here that somebody will disconnect again.
 */
function findEarlier(
  { file, before, targets }: FileChange,
  { receipts, places, clock }: ApplyParts,
): Receipt | undefined {
  for (const home of targets.flatMap((target) => homesIn(before, target, places))) {
    const others = new Receipts(home);
    if (others.isSame(receipts)) continue;
    const { receipt } = others.find(file);
    if (receipt === undefined) continue;
    const original = others.findOriginal(receipt);
    const backup =
      original === undefined
        ? undefined
        : { file: receipts.backUp(file, original, clock.now()), hash: hash('sha256', original) };
    return { ...receipt, backup };
  }
  return receipts.find(file).receipt;
}

/** Reads again what was written: that the file says what it should, and that doing it again would change nothing. */
function verify({ file, after, again }: FileChange): void {
  const now = readSettings(file);
  if (now === after && again(now).after === now) return;
  throw new MnemeError('conflict', `${file} does not hold what was written to it.`, {
    hint: 'Another program writes it too: close that program, then run this again.',
  });
}

async function putBack({ file, before, after }: FileChange, random: Random): Promise<void> {
  // Later changes by others are kept.
  if (readSettings(file) !== after) return;
  if (before === undefined) removeSettings(file, undefined);
  else await writeSettings(file, before, random);
}
