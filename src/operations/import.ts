import { z } from 'zod';
import { must, MnemeError } from '../model/errors.ts';
import { roleOf } from '../model/mutation.ts';
import { detectSource } from '../exchange/import/detect.ts';
import { IMPORT_SOURCES, type Detected, type ImportControls, type ImportResult } from '../exchange/import/request.ts';
import { importFrom } from '../exchange/import/run.ts';
import { readEnvironment } from '../platform/environment.ts';
import { collectSooner } from '../platform/machine.ts';
import { parseMoment } from '../workspace/git/revisions.ts';
import type { OperationContext } from './context.ts';
import type { View } from './command-line/style.ts';
import { createKnowledgeSink } from './import-knowledge.ts';
import { importSource, showImporting } from './import-source.ts';
import { afterImport, indexSync, type IndexReport } from './search/index-operations.ts';
import { isFinished } from './search/render-index.ts';
import { assertMayWrite, runOperation } from './operation.ts';
import { defineVerb } from './verb.ts';

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

export interface Imported extends ImportResult {
  /** Set by the command line, which makes what was imported searchable at once. */
  readonly index?: IndexReport | undefined;
}

export const importOperation = defineVerb({
  name: 'import',
  summary: 'Take over sessions and notes from other programs.',
  description: `Take over sessions and notes of other programs. SOURCE is a file, folder or .zip, told by what it holds, or one of ${IMPORT_SOURCES.join(', ')}, with a path behind it where it needs one. Doing it again takes only what is new. \`import transcript -\` reads standard input.`,
  examples: ['mneme import claude-code', 'mneme import ~/notes', 'mneme import chatgpt export.zip'],
  input,
  effect: 'write',
  run: (context, given, controls?: ImportControls): Promise<Imported> => runImport(context, given, controls),
  // It reads files of the machine that a token names: only its owner's business.
  http: { needs: 'own', isLong: true },
  cli: {
    section: 'setup',
    args: ['from', 'path'],
    options: {
      from: { value: 'source', isRequired: true },
      since: { value: 'when' },
      project: { value: 'name' },
    },
    extra: {
      kind: { flags: '--from <kind>', help: 'what the source is, where that cannot be told' },
      yes: { flags: '-y, --yes', help: 'make the home if there is none, without asking' },
    },
    prepare: ({ input: typed, extra }) => importSource(typed, extra['kind']),
    beforeOpening: async ({ input: { dryRun = false }, extra }, place) =>
      (await place.ensure({ yes: extra['yes'] === true, dryRun })) ? {} : undefined,
    controls: showImporting,
    finish: async (context, imported, progress) =>
      imported.dryRun
        ? imported
        : {
            ...imported,
            index: await runOperation(indexSync, context, {}, afterImport(context.worker !== undefined, progress)),
          },
    notes: ({ interrupted, index }) =>
      interrupted || index?.isComplete === false
        ? ['Stopped. What was imported stays; the same command goes on from there.']
        : [],
    exitCode: ({ interrupted, index }) =>
      interrupted || (index !== undefined && !isFinished(index)) ? 'failure' : 'ok',
  },
  render: async ({ style }: View, result) => (await import('./render-import.ts')).renderImported(style, result),
});

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
  const request = { from, path, project, dryRun, mine, sinceMs: parseSince(context, since) };
  const imported = await importFrom(home, request, { ...controls, places });
  return detected === undefined ? imported : { ...imported, detected };
}

/** Detects the kind of source from its contents. */
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
