import type { Command } from 'commander';
import { briefing, type BriefingInput } from '../../../operations/briefing.ts';
import { why } from '../../../operations/why.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { renderReceipt, renderWhy } from './context-view.ts';
import { numberOf, show } from './show.ts';

interface ContextOptions extends GlobalOptions {
  readonly preset?: string;
  readonly budget?: string;
  readonly session?: string;
  readonly event?: string;
  readonly scope?: string;
  readonly explain?: boolean;
}

interface WhyOptions extends GlobalOptions {
  readonly session?: string;
  readonly scope?: string;
}

export function addContextCommands(program: Command, cli: Cli): void {
  program
    .command('context [message...]')
    .summary(briefing.summary)
    .description(
      'Compile what an agent should know before it answers: who it is, core memory, the recent days, and what is ' +
        'remembered about the message. `-` reads the message from standard input.',
    )
    .option('--preset <name>', 'hook, dense, standard or large (default: context.preset)')
    .option('--budget <tokens>', 'most tokens, instead of the preset’s')
    .option('--session <id>', 'the conversation going on; its last turns are added')
    .option('--event <name>', 'prompt: only what is remembered about the message, or nothing; session-start')
    .option('--scope <scope>', 'besides what is shared, what belongs to user:NAME, project:NAME …')
    .option('--explain', 'show the receipt: everything that was looked at, and why it is in or out')
    .action(async (words: string[], _options, called: Command) => {
      const options = called.optsWithGlobals<ContextOptions>();
      const message = words.length === 1 && words[0] === '-' ? await cli.io.readInput() : words.join(' ');
      const isExplained = options.explain === true;
      const { notes, prompt } = await show(cli, options, briefing, inputOf(message, options), (view, compiled) =>
        isExplained ? renderReceipt(view, { ...compiled, isIntact: true }) : withLineEnd(compiled.prompt),
      );
      for (const note of notes) cli.warn(note);
      if (prompt === '' && options.json !== true && !isExplained) cli.warn('There is nothing to tell about that.');
    });
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

function inputOf(message: string, options: ContextOptions): BriefingInput {
  const { preset, event, session, scope } = options;
  return {
    message,
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
