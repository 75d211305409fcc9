import { z } from 'zod';
import { must, MnemeError } from '../model/errors.ts';
import { roleOf } from '../model/mutation.ts';
import { detectSource } from '../exchange/import/detect.ts';
import { IMPORT_SOURCES, type Detected, type ImportControls, type ImportResult } from '../exchange/import/request.ts';
import { importFrom } from '../exchange/import/run.ts';
import { readEnvironment } from '../platform/environment.ts';
import { collectSooner } from '../platform/memory.ts';
import { parseMoment } from '../workspace/git/moment.ts';
import type { OperationContext } from './context.ts';
import { createKnowledgeSink } from './import-knowledge.ts';
import { assertMayWrite, defineOperation } from './operation.ts';

const input = z.object({
  from: z
    .enum(IMPORT_SOURCES)
    .optional()
    .describe('The program or format to import from; told by what the path holds when not given.'),
  path: z.string().min(1).optional().describe('A file or folder; where the program keeps its logs when not given.'),
  since: z.string().min(1).optional().describe('Leave out what ended before, such as 2026-02-16 or "30 days ago".'),
  project: z.string().min(1).optional().describe('Only sessions of this project: its folder, or its name.'),
  dryRun: z.boolean().optional().describe('Only say what would be imported.'),
  mine: z.boolean().optional().describe('These notes are the user’s own words; only a person can say so.'),
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
  collectSooner('reading');
  const { workspace, clock, random, actor, config } = context;
  const home = {
    workspace,
    clock,
    random,
    actor,
    timeZone: config.time_zone,
    maxFileBytes: config.limits.max_file_bytes,
    knowledge: createKnowledgeSink(context),
  };
  const { path, project, dryRun, since, mine } = given;
  if (mine === true) assertPerson(context.actor);
  const places = controls.places ?? readEnvironment().logPlaces;
  const detected = given.from === undefined ? await detect(path) : undefined;
  const from = given.from ?? must(detected, 'what a source is').from;
  if (detected !== undefined) controls.onDetected?.(detected);
  const request = { from, path, project, dryRun, mine, sinceMs: parseSince(context, since) };
  const imported = await importFrom(home, request, { ...controls, places });
  return detected === undefined ? imported : { ...imported, detected };
}

/** What the source is, by what it holds. */
async function detect(path: string | undefined): Promise<Detected> {
  if (path === undefined || path === '-') {
    throw new MnemeError('usage', 'There is nothing to tell the kind of import by.', {
      hint: `Name a path, or one of: ${IMPORT_SOURCES.join(', ')}.`,
    });
  }
  const detected = await detectSource(path);
  if (detected !== undefined) return detected;
  throw new MnemeError('usage', `${path} is nothing that is known here.`, {
    hint: `Say what it is with --from: ${IMPORT_SOURCES.join(', ')}.`,
  });
}

function assertPerson(actor: string): void {
  if (roleOf(actor) === 'human') return;
  throw new MnemeError('refused', `${actor} cannot say whose words these are: only a person can.`, {
    hint: 'Leave out --mine, or run it yourself.',
  });
}

function parseSince({ clock, config }: OperationContext, since: string | undefined): number | undefined {
  if (since === undefined) return undefined;
  const sinceMs = parseMoment(since, clock.now(), config.time_zone, 'start');
  if (sinceMs !== undefined) return sinceMs;
  throw new MnemeError('usage', `"${since}" is no time.`, {
    hint: 'Write a day (2026-02-16), a time, or "30 days ago".',
  });
}
