import { z } from 'zod';
import { assertSessionId } from '../../capture/sessions.ts';
import { MnemeError } from '../../model/errors.ts';
import { chooseExtractors, EXTRACTOR_NAMES } from '../../extract/extractors.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { extractSession, type SessionExtraction } from './extract-session.ts';
import { findPending } from './waiting.ts';

export interface ExtractProgress {
  readonly done: number;
  readonly total: number;
  readonly session: string;
}

export interface ExtractControls {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ExtractProgress) => void) | undefined;
  /** It happens by itself, so `capture` says what is kept. */
  readonly isUnasked?: boolean | undefined;
}

const input = z.object({
  sessions: z
    .array(z.string().min(1))
    .default([])
    .describe('Sessions to process; all that hold something new when none is given.'),
  extractors: z
    .array(z.enum(EXTRACTOR_NAMES as [string, ...string[]]))
    .min(1)
    .optional()
    .describe('Only these extractors.'),
  dryRun: z.boolean().default(false).describe('Show what would be learned and write nothing.'),
  again: z
    .boolean()
    .default(false)
    .describe('Look at turns that were processed before, too; at every conversation that ended, when none is named.'),
  limit: z.number().int().min(1).optional().describe('Sessions to process at most.'),
});

export type ExtractInput = z.input<typeof input>;

export interface ExtractResult {
  readonly sessions: readonly SessionExtraction[];
  readonly isDryRun: boolean;
  /** Sessions that still wait, because the limit was reached or somebody stopped it. */
  readonly waiting: number;
}

export const extract = defineVerb({
  name: 'extract',
  summary: 'Turn conversations into knowledge: decisions, facts, people, preferences, tasks, lessons.',
  description:
    'Turn conversations into knowledge. Without names, every session that holds something new is processed; nothing is processed twice.',
  examples: ['mneme learn extract', 'mneme learn extract --dry-run --limit 5'],
  input,
  args: ['sessions...'],
  effect: 'write',
  run: (context, given, controls?: ExtractControls): Promise<ExtractResult> => runExtract(context, given, controls),
  http: { isLong: true },
  library: { args: [] },
  cli: {
    path: 'learn extract',
    formerly: ['extract'],
    isDefault: true,
    options: { extractors: { flag: 'only', value: 'extractors', list: 'words' } },
    controls: ({ signal, report }) => ({
      signal,
      onProgress: ({ done, total, session }) => report(`learning from ${session}  ${done} of ${total}`),
    }),
    notes: ({ sessions, waiting }, { input: { limit } }) => [
      ...new Set(sessions.flatMap(({ notes }) => notes)),
      ...(waiting > 0 && limit === undefined
        ? ['Stopped. What was learned stays; the same command goes on from there.']
        : []),
    ],
    exitCode: ({ waiting }, { input: { limit } }) => (waiting > 0 && limit === undefined ? 'failure' : 'ok'),
  },
  render: async (view, output) => (await import('./render.ts')).renderExtracted(view, output),
});

export async function runExtract(
  context: OperationContext,
  given: z.output<typeof input>,
  { signal, onProgress, isUnasked }: ExtractControls = {},
): Promise<ExtractResult> {
  const pending = findWanted(context, given);
  const wanted = pending.slice(0, given.limit ?? pending.length);
  const chosen = chooseExtractors(given.extractors, context.extractors);
  const isPartial = given.extractors !== undefined;
  const options = {
    chosen,
    isDryRun: given.dryRun,
    again: given.again,
    isPartial,
    trigger: 'extract',
    isUnasked,
    ask: { signal },
  };
  const done: SessionExtraction[] = [];
  for (const session of wanted) {
    if (signal?.aborted === true) break;
    onProgress?.({ done: done.length, total: wanted.length, session });
    // Held for a session at a time: somebody who remembers something meanwhile need not wait for all of them.
    done.push(await (await context.parts.extraction()).exclusively(() => extractSession(context, session, options)));
  }
  return { sessions: done, isDryRun: given.dryRun, waiting: pending.length - done.length };
}

function findWanted(context: OperationContext, { sessions, again }: z.output<typeof input>): readonly string[] {
  if (sessions.length > 0) return knownSessions(context, sessions);
  return findPending(context, { withImports: true, withProcessed: again });
}

function knownSessions(context: OperationContext, names: readonly string[]): readonly string[] {
  const sessions = context.parts.sessions();
  for (const session of names) {
    assertSessionId(session);
    if (sessions.isOpen(session) || sessions.findEarlier(session) !== undefined) continue;
    throw new MnemeError('not-found', `There is no session ${session}.`, {
      hint: '`mneme session list` shows the open ones; transcripts are under raw/conversations/.',
    });
  }
  return names;
}
