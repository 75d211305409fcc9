import type { Command } from 'commander';
import { listReceipts } from '../../../operations/browse/receipts.ts';
import { briefing, type BriefingInput } from '../../../operations/briefing.ts';
import { why } from '../../../operations/why.ts';
import { diffBriefings, showReceipt } from '../../../operations/briefing/receipts.ts';
import { FORMATS } from '../../../compile/messages.ts';
import type { Receipt } from '../../../compile/receipt.ts';
import { MnemeError } from '../../../model/errors.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { renderDiff, renderReceipts, renderShown } from './context-diff-view.ts';
import { renderReceipt, renderWhy } from './context-view.ts';
import { numberOf, show } from './show.ts';

interface ContextOptions extends GlobalOptions {
  readonly preset?: string;
  readonly budget?: string;
  readonly session?: string;
  readonly event?: string;
  readonly scope?: string;
  readonly explain?: boolean;
  readonly format?: string;
  readonly model?: string;
  readonly reserve?: string;
  readonly system?: string;
  readonly project?: string;
  readonly at?: string;
}

interface ReceiptOptions extends GlobalOptions {
  readonly recompile?: boolean;
  readonly message?: string;
  readonly scope?: string;
  readonly budget?: string;
}

interface WhyOptions extends GlobalOptions {
  readonly session?: string;
  readonly scope?: string;
}

export function addContextCommands(program: Command, cli: Cli): void {
  const context = program
    .command('context [message...]')
    .summary(briefing.summary)
    .description(
      'Compile what an agent should know before it answers: who it is, core memory, projects and recent days, the ' +
        'topics and procedures the message calls for, and what is remembered about it. `-` reads the message from ' +
        'standard input. `context show RECEIPT` and `context diff A B` look at prompts that were compiled.',
    )
    .option('--preset <name>', 'hook, dense, standard or large (default: context.preset)')
    .option('--budget <tokens>', 'most tokens, instead of the preset’s')
    .option('--reserve <tokens>', 'of these, tokens to keep free for the answer')
    .option('--model <name>', 'whose tokens are counted: gpt-5, claude-…, o200k_base (default: a safe estimate)')
    .option('--system <text>', 'the host’s own system prompt; stands first, is never cut')
    .option('--session <id>', 'the conversation going on; its last turns are added')
    .option('--event <name>', 'prompt: only what is remembered about the message, or nothing; session-start')
    .option('--scope <scope>', 'besides what is shared, what belongs to user:NAME, project:NAME …')
    .option('--project <folder>', 'where is being worked; what belongs there comes first')
    .option('--at <when>', 'as it would have been then: a date, a time, a mutation, a tag')
    .option('--format <name>', 'text, anthropic, openai (messages of a request) or json (all of it)')
    .option('--explain', 'show the receipt: everything that was looked at, and why it is in or out')
    .action((words: string[], _options, called: Command) => runContext(cli, words, called.optsWithGlobals()));
  addReceiptCommands(context, cli);
  program
    .command('why [id]')
    .summary(why.summary)
    .description('What an agent was just told, and why; with an id, where that memory comes from and when it was used.')
    .option('--session <id>', 'what was last told in this conversation')
    .option('--scope <scope>', 'besides what is shared, what belongs to user:NAME, project:NAME …')
    .action(async (id: string | undefined, _options, called: Command) => {
      const options = called.optsWithGlobals<WhyOptions>();
      await show(cli, options, why, { id, session: options.session, scope: options.scope }, renderWhy);
    });
}

async function runContext(cli: Cli, words: readonly string[], options: ContextOptions): Promise<void> {
  const message = words.length === 1 && words[0] === '-' ? await cli.io.readInput() : words.join(' ');
  const isExplained = options.explain === true;
  const format = formatOf(options.format);
  const printed = format === 'json' ? { ...options, json: true } : options;
  const { notes, prompt, receipt } = await show(cli, printed, briefing, inputOf(message, options), (view, compiled) => {
    if (isExplained) return renderReceipt(view, { ...compiled, isIntact: true });
    if (compiled.formatted !== undefined) return `${JSON.stringify(compiled.formatted, null, 2)}\n`;
    return withLineEnd(compiled.prompt);
  });
  for (const note of notes) cli.warn(note);
  if (prompt === '' && printed.json !== true && !isExplained) cli.warn(nothingToTell(receipt));
}

/** The receipt knows why. */
function nothingToTell({ decision, items }: Receipt): string {
  const reason = decision?.reason ?? items.find(({ included }) => !included)?.reason;
  return `There is nothing to tell about that${reason === undefined ? '' : `: ${reason}`}.`;
}

function addReceiptCommands(context: Command, cli: Cli): void {
  context
    .command('list')
    .summary(listReceipts.summary)
    .description('What agents were told lately, the latest first: when, about what, how much of it.')
    .option('--limit <number>', 'most of them (default: 20)')
    .option('--before <receipt>', 'only what came before this receipt')
    .action(async (_options, called: Command) => {
      // `--session` belongs to `context` itself; what is given before or after `list` arrives here alike.
      const options = called.optsWithGlobals<ContextOptions & { readonly limit?: string; readonly before?: string }>();
      const { before, session } = options;
      const given = { before, session, limit: numberOf('--limit', options.limit) };
      await show(cli, options, listReceipts, given, renderReceipts);
    });
  context
    .command('show <receipt>')
    .summary(showReceipt.summary)
    .description(
      'A prompt that was told, with its receipt: an id or its beginning, `last`, or `last~2`. With --recompile it is ' +
        'made again from the state the receipt names, and what differs is shown.',
    )
    .option('--recompile', 'make it again and say what differs')
    .action(async (receipt: string, _options, called: Command) => {
      const options = called.optsWithGlobals<ReceiptOptions>();
      const { recompiled } = await show(
        cli,
        options,
        showReceipt,
        { receipt, recompile: options.recompile },
        renderShown,
      );
      for (const note of recompiled?.notes ?? []) cli.warn(note);
    });
  context
    .command('diff <before> <after>')
    .summary(diffBriefings.summary)
    .description(
      'Why two prompts differ. Each side is a receipt (an id, `last`, `last~1`) or a message to compile now; with ' +
        '--message both are times (`yesterday`, 2026-03-01, a mutation, `now`) at which that message is compiled.',
    )
    .option('--message <text>', 'compile this message at both times')
    .action(async (before: string, after: string, _options, called: Command) => {
      const options = called.optsWithGlobals<ReceiptOptions>();
      const { message, scope } = options;
      const input = { before, after, message, scope, budget: numberOf('--budget', options.budget) };
      const { notes } = await show(cli, options, diffBriefings, input, renderDiff);
      for (const note of notes) cli.warn(note);
    });
}

function formatOf(text: string | undefined): (typeof FORMATS)[number] {
  const format = FORMATS.find((name) => name === (text ?? 'text'));
  if (format !== undefined) return format;
  throw new MnemeError('usage', `--format is ${FORMATS.join(', ')}, not "${text ?? ''}".`);
}

function inputOf(message: string, options: ContextOptions): BriefingInput {
  const { preset, event, session, scope, model, system, project, at } = options;
  return {
    message,
    model,
    system,
    project,
    at,
    format: formatOf(options.format),
    reserve: numberOf('--reserve', options.reserve),
    preset: preset as BriefingInput['preset'],
    budget: numberOf('--budget', options.budget),
    session,
    event: event as BriefingInput['event'],
    scope,
  };
}

function withLineEnd(text: string): string {
  return text === '' ? '' : `${text}\n`;
}
