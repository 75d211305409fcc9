import { MnemeError } from '../../../model/errors.ts';
import type { JournalPeriod } from '../../../model/schemas/time.ts';
import { consolidate, runConsolidation } from '../../../operations/consolidate/consolidate.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { extract, runExtract } from '../../../operations/extract/extract.ts';
import { dueTrigger } from '../../../operations/reflect/due.ts';
import { reflect } from '../../../operations/reflect/reflect.ts';
import { counted } from '../../../model/counted.ts';
import type { JobControls, JobReport } from '../job.ts';

/** So many turns nobody has learned from are worth a look before the conversation ends. */
const LOOK_EVERY_TURNS = 10;

/** Learns from conversations that go on; most of the time there is nothing. */
export async function runCheckpointJob(
  context: OperationContext,
  { signal, onProgress }: JobControls,
): Promise<JobReport> {
  const sessions = context.parts.sessions();
  const flagged = sessions
    .list()
    .filter((session) => sessions.lastTurnNumber(session) - sessions.processedUpTo(session) >= LOOK_EVERY_TURNS);
  if (flagged.length === 0) return { summary: 'no open session holds enough that is new' };
  const done = await runExtract(context, extract.input.parse({ sessions: [...flagged] }), {
    signal,
    onProgress: ({ done: before, total }) => onProgress(`session ${before + 1} of ${total}`),
  });
  return { summary: `${counted(done.sessions.length, 'open session')} looked at` };
}

export async function runConsolidationJob(
  context: OperationContext,
  period: JournalPeriod,
  { signal, onProgress }: JobControls,
): Promise<JobReport> {
  const { steps } = await runConsolidation(context, consolidate.input.parse({ period }), { signal, onProgress });
  const failed = steps.filter(({ state }) => state === 'failed');
  if (failed.length > 0) {
    throw new MnemeError('failure', `${failed.map(({ name, notes }) => `${name}: ${notes[0] ?? ''}`).join('; ')}`, {
      hint: 'The other steps were done; the next run tries these again.',
    });
  }
  const done = steps.filter(({ state }) => state === 'done');
  const waiting = steps.flatMap(({ proposals }) => proposals).length;
  const summary =
    done.length === 0 ? 'everything was done before' : done.map((step) => `${step.name}: ${step.summary}`).join('; ');
  const notes = waiting === 0 ? [] : [`${counted(waiting, 'proposal')} to look at: mneme proposals`];
  return { summary, notes: [...notes, ...steps.flatMap((step) => step.notes)] };
}

/** Only when enough has happened: somebody has to read it. */
export async function runReflectionJob(context: OperationContext): Promise<JobReport> {
  const trigger = dueTrigger(context);
  if (trigger === undefined) return { summary: 'too little is new' };
  const { outcome, number, notes } = await reflect.run(context, reflect.input.parse({ trigger }));
  if (outcome === 'nothing-new') return { summary: 'nothing is new', notes };
  return { summary: `reflection #${number} waits for a decision: mneme approve reflection`, notes };
}
