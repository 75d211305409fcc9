import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { DAY_MS, addDays, localTime } from '../../model/time.ts';
import { storeOfPath } from '../../workspace/formats/layout.ts';
import { listEntries } from '../../workspace/own-folders.ts';
import { defineVerb } from '../verb.ts';

const input = z.strictObject({
  days: z.number().int().min(1).max(366).default(30).describe('How many days of changes.'),
});

export type GrowthInput = z.input<typeof input>;

export interface Growth {
  readonly stores: readonly { readonly store: string; readonly files: number; readonly bytes: number }[];
  /** Every day of the period, the oldest first. */
  readonly days: readonly { readonly date: string; readonly changes: number }[];
  /** Bytes on the disk. */
  readonly places: {
    readonly workspace: number;
    readonly history: number;
    readonly transcripts: number;
    readonly journal: number;
    readonly state: number;
    readonly backups: number;
  };
}

/** More changes than this in the period are not told apart by day any better. */
const MAX_LINES = 200_000;

export const growth = defineVerb({
  name: 'growth',
  summary: 'Show how large the memory is, store by store, and how much changed each day.',
  input,
  effect: 'read',
  async run(context, { days }): Promise<Growth> {
    const { clock, config, workspace, layout } = context;
    const { paths } = workspace;
    const zone = config.time_zone;
    const nowMs = clock.now();
    await context.audit.sync();
    const lines = context.audit.query({ sinceMs: nowMs - days * DAY_MS, limit: MAX_LINES });
    const perDay = Map.groupBy(lines, ({ timeMs }) => localTime(timeMs, zone).date);
    const today = localTime(nowMs, zone).date;
    const files = context.homeIndex.files.list(() => true, ['workspace']);
    const stores = Map.groupBy(files, (file) => storeOfPath(file.path, layout));
    const { workspace: own, raw } = paths.repositories;
    const all = sizeOf(own.workTree);
    const isInside = own.gitDir.startsWith(own.workTree + path.sep);
    const history = sizeOf(own.gitDir);
    return {
      stores: [...stores]
        .map(([store, members]) => ({
          store,
          files: members.length,
          bytes: members.reduce((sum, { size }) => sum + size, 0),
        }))
        .toSorted((one, other) => (one.store < other.store ? -1 : 1)),
      days: Array.from({ length: days }, (_, at) => addDays(today, at - days + 1)).map((date) => ({
        date,
        changes: perDay.get(date)?.length ?? 0,
      })),
      places: {
        workspace: isInside ? all - history : all,
        history,
        transcripts: sizeOf(raw.workTree),
        journal: sizeOf(paths.journal),
        state: sizeOf(paths.state),
        backups: sizeOf(paths.backups),
      },
    };
  },
  cli: { path: 'memory growth', formerly: ['growth'] },
  render: async (view, grown) => (await import('./render.ts')).renderGrowth(view, grown),
});

function sizeOf(folder: string): number {
  let bytes = 0;
  for (const entry of listEntries(folder)) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) bytes += sizeOf(full);
    else if (entry.isFile()) bytes += fs.lstatSync(full, { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}
