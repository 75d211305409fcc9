import type { Command } from 'commander';
import type { AuditLine } from '../../../audit/line.ts';
import { AUDIT_SCOPE } from '../../../audit/sensitivity.ts';
import { ackAudit, pruneAudit, queryAudit, rebuildAudit } from '../../../operations/audit.ts';
import { runOperation } from '../../../operations/operation.ts';
import { rollback, type RollbackResult } from '../../../operations/rollback.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { paintDiff, plural, showTime, table } from '../../../operations/command-line/style.ts';
import { addProposalCommands } from './proposals.ts';
import { numberOf } from './show.ts';

export function addReviewCommands(program: Command, cli: Cli): void {
  addAudit(program, cli);
  addRollback(program, cli);
  addProposalCommands(program, cli);
}

interface AuditOptions extends GlobalOptions {
  readonly actor?: string;
  readonly action?: string;
  readonly since?: string;
  readonly until?: string;
  readonly text?: string;
  readonly limit?: string;
}

function addAudit(program: Command, cli: Cli): void {
  const audit = program
    .command('audit')
    .description(queryAudit.summary)
    .argument('[file]', 'a path, its beginning, or a glob')
    .option('--actor <actor>', 'such as reflection: or bot:trigger-remember')
    .option('--action <action>', 'CREATE, EDIT, APPEND, DELETE, REVERT …')
    .option('--since <when>', 'a date, yesterday, 3 days ago')
    .option('--until <when>')
    .option('--text <words>', 'anywhere in the line')
    .option('--limit <number>', 'newest lines to show (default 50)')
    .action(async (file: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<AuditOptions>();
      const { actor, action, since, until, text, limit } = options;
      const query = { file, actor, action: action?.toUpperCase(), since, until, text };
      const input = (limit === undefined ? query : { ...query, limit: numberOf('--limit', limit) }) as Parameters<
        typeof runOperation<typeof queryAudit.input, AuditLine[]>
      >[2];
      const shown = await cli.withMneme(options, async (mneme) => ({
        lines: await runOperation(queryAudit, mneme.internals, input),
        timeZone: mneme.internals.config.time_zone,
      }));
      cli.print(options, shown.lines, (lines) => renderAudit(cli, lines, shown.timeZone));
    });
  addAuditActions(audit, cli);
}

function addAuditActions(audit: Command, cli: Cli): void {
  audit
    .command('ack [references...]')
    .description(`${ackAudit.summary} Without names: everything that waits.`)
    .option('--not-mine', 'no, somebody else did that')
    .action(async (references: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { notMine?: boolean }>();
      const input = { references, isMine: options.notMine !== true };
      const result = await cli.withMneme(options, (mneme) => runOperation(ackAudit, mneme.internals, input), ackAudit);
      cli.print(options, result, ({ answered, answer }) =>
        answered.length === 0
          ? 'Nothing was waiting for an answer.\n'
          : `${answer === 'mine' ? 'Yours' : 'Not yours'}: ${answered.join(', ')}\n`,
      );
    });
  audit
    .command('scope')
    .description('Which files matter how much, who usually changes them, and how often.')
    .action((_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      cli.print(options, AUDIT_SCOPE, (rows) =>
        table(rows.map((row) => [row.files, row.sensitivity, row.frequency, row.typicalActor, row.holds])),
      );
    });
  audit
    .command('rebuild')
    .description(rebuildAudit.summary)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const result = await cli.withMneme(
        options,
        (mneme) => runOperation(rebuildAudit, mneme.internals, {}),
        rebuildAudit,
      );
      cli.print(options, result, ({ lines }) => `audit.log has ${plural(lines, 'line')}.\n`);
    });
  audit
    .command('prune')
    .description(pruneAudit.summary)
    .option('--dry-run', 'only say what would happen')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { dryRun?: boolean }>();
      const input = { isDryRun: options.dryRun === true };
      const result = await cli.withMneme(
        options,
        (mneme) => runOperation(pruneAudit, mneme.internals, input),
        pruneAudit,
      );
      cli.print(options, result, ({ months, dropped }) =>
        dropped === 0 ? 'Nothing is old enough.\n' : `${plural(dropped, 'line')} condensed: ${months.join(', ')}\n`,
      );
    });
}

function renderAudit(cli: Cli, lines: readonly AuditLine[], timeZone: string): string {
  if (lines.length === 0) return 'No line matches.\n';
  const { style } = cli;
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

interface RollbackOptions extends GlobalOptions {
  readonly to?: string;
  readonly session?: string;
  readonly wholeBatch?: boolean;
  readonly dryRun?: boolean;
}

function addRollback(program: Command, cli: Cli): void {
  program
    .command('rollback [target]')
    .summary(rollback.summary)
    .description(
      'Undo a mutation, an item’s last change, or a proposal; take a file or the whole workspace back to a time with --to. Later changes are kept; what cannot be undone is said.',
    )
    .option('--to <when>', 'a date, yesterday, 3 days ago, a tag, a mutation id')
    .option('--session <id>', 'everything a session or reflection did')
    .option('--whole-batch', 'with batch cadence: everything in the same commit')
    .option('-n, --dry-run', 'only show what would happen')
    .action(async (target: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<RollbackOptions>();
      const input = {
        target,
        to: options.to,
        session: options.session,
        isWholeBatch: options.wholeBatch === true,
        isDryRun: options.dryRun === true,
      };
      const result = await cli.withMneme(
        options,
        async (mneme) => {
          const undone = await runOperation(rollback, mneme.internals, input);
          const { commits } = await mneme.internals.workspace.drainIfDue();
          return { ...undone, commit: commits.get(undone.mutation ?? '') ?? null };
        },
        rollback,
      );
      cli.print(options, result, (shown) => renderRollback(cli, shown, options.dryRun === true));
    });
}

function renderRollback(cli: Cli, result: RollbackResult, isDryRun: boolean): string {
  const { style } = cli;
  const diffs = result.preview.map(({ diff }) => paintDiff(style, diff.trimEnd()));
  const skipped = result.skipped.map(({ path, block, reason }) => {
    const where = block === undefined ? path : `${path}, "${block}"`;
    return `${style.yellow('left as it is')} ${where}: ${reason}`;
  });
  const outcome =
    result.mutation !== null && !result.isProposed
      ? [`${style.green('Done')}: ${result.summary}`, style.dim(`undo this: mneme rollback ${result.mutation}`)]
      : [whyNotUndone(result, isDryRun)];
  const warnings = result.warnings.map((warning) => style.yellow(warning));
  return `${[...diffs, ...skipped, ...outcome, ...warnings].join('\n')}\n`;
}

function whyNotUndone({ isProposed, preview, summary }: RollbackResult, isDryRun: boolean): string {
  if (isProposed) return `Proposed: ${summary}`;
  return isDryRun && preview.length > 0
    ? 'This would be undone (nothing was changed).'
    : 'There is nothing left to undo.';
}
