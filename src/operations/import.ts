import { z } from 'zod';
import { MnemeError } from '../model/errors.ts';
import { IMPORT_SOURCES, type ImportControls, type ImportResult } from '../exchange/import/request.ts';
import { importFrom } from '../exchange/import/run.ts';
import { readEnvironment } from '../platform/environment.ts';
import { collectSooner } from '../platform/memory.ts';
import { parseMoment } from '../workspace/git/moment.ts';
import type { OperationContext } from './context.ts';
import { assertMayWrite, defineOperation } from './operation.ts';

const input = z.object({
  from: z.enum(IMPORT_SOURCES).describe('The program or format to import from.'),
  path: z.string().min(1).optional().describe('A file or folder; where the program keeps its logs when not given.'),
  since: z.string().min(1).optional().describe('Leave out what ended before, such as 2026-02-16 or "30 days ago".'),
  project: z.string().min(1).optional().describe('Only sessions of this project: its folder, or its name.'),
  dryRun: z.boolean().optional().describe('Only say what would be imported.'),
});

export type ImportInput = z.input<typeof input>;

export const importOperation = defineOperation({
  name: 'import',
  summary: 'Take over sessions and notes from other programs.',
  input,
  effect: 'write',
  run: (context, given): Promise<ImportResult> => runImport(context, given),
});

/** The same with progress, an input to read from and a way to stop; for interfaces that have them. */
export async function runImport(
  context: OperationContext,
  given: z.output<typeof input>,
  controls: ImportControls = {},
): Promise<ImportResult> {
  assertMayWrite(context.actor, 'import');
  collectSooner();
  const { workspace, clock, random, actor, config } = context;
  const home = {
    workspace,
    clock,
    random,
    actor,
    timeZone: config.time_zone,
    maxFileBytes: config.limits.max_file_bytes,
  };
  const { from, path, project, dryRun, since } = given;
  const places = controls.places ?? readEnvironment().logPlaces;
  const request = { from, path, project, dryRun, sinceMs: parseSince(context, since) };
  const result = await importFrom(home, request, { ...controls, places });
  if (config.extract.imports && dryRun !== true) {
    const [{ learnLater }, { findPending }] = await Promise.all([
      import('./extract/learn-later.ts'),
      import('./extract/find-pending.ts'),
    ]);
    learnLater(context, findPending(context));
  }
  return result;
}

function parseSince({ clock, config }: OperationContext, since: string | undefined): number | undefined {
  if (since === undefined) return undefined;
  const sinceMs = parseMoment(since, clock.now(), config.time_zone, 'start');
  if (sinceMs !== undefined) return sinceMs;
  throw new MnemeError('usage', `"${since}" is no time.`, {
    hint: 'Write a day (2026-02-16), a time, or "30 days ago".',
  });
}
