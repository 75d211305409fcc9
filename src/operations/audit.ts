import { z } from 'zod';
import type { Alert, ExternalEdit } from '../audit/alerts.ts';
import { MnemeError } from '../model/errors.ts';
import { ACTIONS } from '../model/mutation.ts';
import { MANY_FILES, NO_FILE, type AuditLine } from '../audit/line.ts';
import { parseMoment } from '../workspace/git/revisions.ts';
import type { OperationContext } from './context.ts';
import { type View, showTime, table } from './command-line/style.ts';
import { defineVerb } from './verb.ts';
import { seesFile, visibleTo } from './visible-to.ts';
import { counted } from '../model/text.ts';

const queryInput = z.object({
  file: z.string().optional().describe('A path, its beginning, or a glob.'),
  actor: z.string().optional().describe('Such as reflection: or bot:trigger-remember.'),
  action: z.enum(ACTIONS).optional().describe('Only this sort of change'),
  since: z.string().optional().describe('From this day or time on: a date, yesterday, 3 days ago.'),
  until: z.string().optional().describe('Up to this day or time.'),
  text: z.string().optional().describe('Anywhere in the line.'),
  limit: z.number().int().min(1).default(50).describe('How many, the newest.'),
});

export const queryAudit = defineVerb({
  name: 'audit',
  summary: 'Show who changed what, when, on whose word.',
  examples: ['mneme audit memory/entities --since yesterday', 'mneme audit --actor reflection:'],
  input: queryInput,
  args: ['file'],
  effect: 'read',
  reach: 'filtered',
  async run(context, { since, until, ...query }): Promise<AuditLine[]> {
    await context.audit.sync();
    const { seesHome } = visibleTo(context);
    return context.audit.query({
      ...query,
      sinceMs: momentOf(context, since),
      untilMs: momentOf(context, until),
      // Before they are counted: how many lines are hidden would show in how many are left.
      ...(seesHome ? {} : { accepts: ({ file }) => isPlace(file) && seesFile(context, file) }),
    });
  },
  library: { args: [] },
  cli: {
    options: {
      actor: { value: 'actor' },
      action: { value: 'action', parse: (typed) => String(typed).toUpperCase() },
      since: { value: 'when' },
      until: { value: 'when' },
      text: { value: 'words' },
    },
  },
  render: renderAudit,
});

function renderAudit({ style, timeZone }: View, lines: readonly AuditLine[]): string {
  if (lines.length === 0) return 'No line matches.\n';
  return table(
    lines.map((line) => [
      style.dim(showTime(line.timeMs, timeZone)),
      line.action,
      line.file,
      line.actor,
      line.isCritical ? style.red(`⚠ ${line.summary}`) : line.summary,
    ]),
  );
}

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

export const ackAudit = defineVerb({
  name: 'audit ack',
  summary: 'Say whether edits made outside Mneme were yours.',
  input: z.object({
    references: z
      .array(z.string())
      .default([])
      .describe('Mutation ids or files, also answered ones; everything that waits when empty.'),
    isMine: z.boolean().default(true).describe('Whether they were.'),
  }),
  args: ['references...'],
  effect: 'write',
  async run(context, given): Promise<Acknowledged> {
    const answer = given.isMine ? 'mine' : 'not-mine';
    const alerts = await context.alerts.pending();
    const edits = await context.alerts.pendingExternalEdits();
    const waiting = [...alerts, ...edits];
    const named = new Set(given.references);
    const open = waiting.filter(
      ({ path, references }) => named.size === 0 || named.has(path) || references.some((one) => named.has(one)),
    );
    // A caller that names an edit answered before changes that answer.
    const chosen = open.length > 0 ? open : context.alerts.answered(named);
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
  library: { args: [] },
  cli: {
    options: { isMine: false },
    extra: { notMine: { flags: '--not-mine', help: 'no, somebody else did that' } },
    prepare: ({ input, extra }) => ({ ...input, isMine: extra['notMine'] !== true }),
  },
  render: (_view, { answered, answer }) =>
    answered.length === 0
      ? 'Nothing was waiting for an answer.\n'
      : `${answer === 'mine' ? 'Yours' : 'Not yours'}: ${listPaths(answered)}\n`,
});

/** A few in the line, more of them below it. */
function listPaths(paths: readonly string[]): string {
  return paths.length <= 3
    ? paths.join(', ')
    : [counted(paths.length, 'file'), ...paths.map((one) => `  ${one}`)].join('\n');
}

export const rebuildAudit = defineVerb({
  name: 'audit rebuild',
  summary: 'Write audit.log anew from the history.',
  input: z.object({}),
  effect: 'write',
  async run(context): Promise<{ readonly lines: number }> {
    return { lines: await context.audit.rebuild() };
  },
  http: { isLong: true },
  render: (_view, { lines }) => `audit.log has ${counted(lines, 'line')}.\n`,
});

export const pruneAudit = defineVerb({
  name: 'audit prune',
  summary: 'Condense lines older than the retention time into monthly digests.',
  input: z.object({ isDryRun: z.boolean().default(false).describe('Only say what would happen.') }),
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
  http: { isLong: true },
  cli: { options: { isDryRun: { flag: 'dry-run' } } },
  render: (_view, { months, dropped }) =>
    dropped === 0 ? 'Nothing is old enough.\n' : `${counted(dropped, 'line')} condensed: ${months.join(', ')}\n`,
});

export interface AlertList {
  readonly alerts: readonly Alert[];
  /** Edits that did not come through Mneme and that nobody has answered for. */
  readonly externalEdits: readonly ExternalEdit[];
}

export const listAlerts = defineVerb({
  name: 'audit alerts',
  summary: 'List changes that a person should answer for: of critical files, and from outside.',
  input: z.strictObject({}),
  effect: 'read',
  run: ({ alerts }): Promise<AlertList> => alerts.reported(),
  // `mneme status` lists them.
  cli: false,
});
