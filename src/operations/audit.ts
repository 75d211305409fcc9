import { z } from 'zod';
import { MnemeError } from '../model/errors.ts';
import { ACTIONS } from '../model/mutation.ts';
import { MANY_FILES, NO_FILE, type AuditLine } from '../audit/line.ts';
import { parseMoment } from '../workspace/git/moment.ts';
import type { OperationContext } from './context.ts';
import { defineOperation } from './operation.ts';
import { seesFile, visibleTo } from './visible-to.ts';

const queryInput = z.object({
  file: z.string().optional().describe('A path, its beginning, or a glob.'),
  actor: z.string().optional().describe('Such as reflection: or bot:trigger-remember.'),
  action: z.enum(ACTIONS).optional(),
  since: z.string().optional(),
  until: z.string().optional(),
  text: z.string().optional(),
  limit: z.number().int().min(1).default(50),
});

export const queryAudit = defineOperation({
  name: 'audit',
  summary: 'Who changed what, when, on whose word.',
  input: queryInput,
  effect: 'read',
  reach: 'filtered',
  async run(context, { since, until, ...query }): Promise<AuditLine[]> {
    await context.audit.sync();
    const lines = context.audit.query({
      ...query,
      sinceMs: momentOf(context, since),
      untilMs: momentOf(context, until),
    });
    return visibleTo(context).seesHome ? lines : lines.filter(({ file }) => isPlace(file) && seesFile(context, file));
  },
});

/** A line about many files, or about none, may tell of any scope. */
function isPlace(file: string): boolean {
  return file !== NO_FILE && file !== MANY_FILES;
}

function momentOf(context: OperationContext, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const moment = parseMoment(text, context.clock.now(), context.config.time_zone);
  if (moment !== undefined) return moment;
  throw new MnemeError('usage', `"${text}" is not a time.`, { hint: 'Write 2026-02-16, yesterday or 3 days ago.' });
}

export interface Acknowledged {
  readonly answered: readonly string[];
  readonly answer: 'mine' | 'not-mine';
}

export const ackAudit = defineOperation({
  name: 'audit ack',
  summary: 'Say whether edits made outside Mneme were yours.',
  input: z.object({
    references: z.array(z.string()).default([]).describe('Mutation ids or files; everything that waits when empty.'),
    isMine: z.boolean().default(true),
  }),
  effect: 'write',
  async run(context, given): Promise<Acknowledged> {
    const answer = given.isMine ? 'mine' : 'not-mine';
    const alerts = await context.alerts.pending();
    const edits = await context.alerts.pendingExternalEdits();
    const waiting = [...alerts, ...edits];
    const named = new Set(given.references);
    const chosen = waiting.filter(
      ({ path, references }) => named.size === 0 || named.has(path) || references.some((one) => named.has(one)),
    );
    if (chosen.length === 0 && named.size > 0) {
      throw new MnemeError('not-found', `Nothing waits for an answer about ${given.references.join(', ')}.`, {
        hint: '`mneme status` lists what does.',
      });
    }
    const references = [...new Set(chosen.flatMap((one) => one.references))];
    for (const request of await context.alerts.ackRequests(references, answer, context.actor)) {
      await context.workspace.commit(request);
    }
    return { answered: [...new Set(chosen.map(({ path }) => path))], answer };
  },
});

export const rebuildAudit = defineOperation({
  name: 'audit rebuild',
  summary: 'Write audit.log anew from the history.',
  input: z.object({}),
  effect: 'write',
  async run(context): Promise<{ readonly lines: number }> {
    return { lines: await context.audit.rebuild() };
  },
});

export const pruneAudit = defineOperation({
  name: 'audit prune',
  summary: 'Condense lines older than the retention time into monthly digests.',
  input: z.object({ isDryRun: z.boolean().default(false) }),
  effect: 'write',
  async run(context, { isDryRun }): Promise<{ readonly months: readonly string[]; readonly dropped: number }> {
    const plan = context.audit.planRetention();
    const result = { months: plan.digests.map(({ month }) => month), dropped: plan.linesToDrop.length };
    if (isDryRun || plan.linesToDrop.length === 0) return result;
    if (plan.changes.length > 0) {
      await context.workspace.commit({
        actor: 'system:audit',
        approval: 'auto',
        trigger: 'audit retention',
        summary: `digest of ${result.months.join(', ')}`,
        changes: plan.changes,
      });
    }
    await context.audit.drop(plan.linesToDrop);
    return result;
  },
});
