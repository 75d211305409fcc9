import path from 'node:path';
import type { Clock } from '../../../platform/clock.ts';
import type { FileSystem } from '../../../platform/fs.ts';
import type { Json } from '../expression/json.ts';
import type { AnswerCache } from './drive.ts';

interface Kept {
  readonly atMs: number;
  readonly answer: Json;
}

/** Answers of steps that say `cache: 1h`, a file each under `state/`, which an erasure drops as a whole. */
export function openAnswerCache(fs: FileSystem, stateFolder: string, clock: Clock): AnswerCache {
  const folder = path.join(stateFolder, 'step-answers');
  const fileOf = (call: string): string => path.join(folder, `${call}.json`);
  return {
    find(call, maxAgeMs) {
      const bytes = fs.read(fileOf(call));
      const kept = bytes === undefined ? undefined : parseKept(bytes.toString('utf8'));
      return kept === undefined || clock.now() - kept.atMs >= maxAgeMs ? undefined : kept.answer;
    },
    keep(call, answer) {
      fs.makeDirectory(folder);
      fs.write(fileOf(call), Buffer.from(JSON.stringify({ atMs: clock.now(), answer } satisfies Kept), 'utf8'));
    },
  };
}

/** Written in one go and unsynced: after a crash it may be cut short, and then the action is simply called. */
function parseKept(text: string): Kept | undefined {
  return text.endsWith('}') ? (JSON.parse(text) as Kept) : undefined;
}
