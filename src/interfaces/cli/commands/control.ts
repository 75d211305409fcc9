import type { Command } from 'commander';
import { feedback, feedbackList, type FeedbackInput } from '../../../operations/control/feedback.ts';
import { ignoreAdd, ignoreList, ignoreRemove, type IgnoreRuleList } from '../../../operations/control/ignore.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import type { View } from '../../../operations/command-line/view.ts';
import { show } from './show.ts';

export function addControlCommands(program: Command, cli: Cli): void {
  const ignore = program.command('ignore').description('Rules about what nothing is learned about.');
  ignore
    .command('add <subject...>')
    .description(ignoreAdd.summary)
    .action(async (words: string[], _options, own: Command) => {
      const subject = words.join(' ');
      await show(cli, own.optsWithGlobals<GlobalOptions>(), ignoreAdd, { subject }, renderRules);
    });
  ignore
    .command('list')
    .description(ignoreList.summary)
    .action(async (_options, own: Command) => {
      await show(cli, own.optsWithGlobals<GlobalOptions>(), ignoreList, {}, renderRules);
    });
  ignore
    .command('remove <subject...>')
    .description(ignoreRemove.summary)
    .action(async (words: string[], _options, own: Command) => {
      const subject = words.join(' ');
      await show(cli, own.optsWithGlobals<GlobalOptions>(), ignoreRemove, { subject }, renderRules);
    });
  addFeedback(program, cli);
}

function renderRules({ style }: View, { rules, path }: IgnoreRuleList): string {
  if (rules.length === 0) return 'Anything may be learned: there are no rules.\n';
  return `Nothing is learned about:\n${rules.map((rule) => `- ${rule}\n`).join('')}${style.dim(path)}\n`;
}

function addFeedback(program: Command, cli: Cli): void {
  program
    .command('feedback [id] [verdict]')
    .summary(feedback.summary)
    .description(
      `${feedback.summary} Verdicts: wrong, not-helpful, always, clear. Without arguments: what was said so far.`,
    )
    .option('--prompt <words>', 'with not-helpful: the prompt it did not help with (default: the last one it was in)')
    .option('--scope <scope>', 'also this private scope')
    .action(async (id: string | undefined, verdict: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { prompt?: string; scope?: string }>();
      if (id === undefined) {
        await show(cli, options, feedbackList, {}, (_view, { feedback: given }) =>
          given.length === 0
            ? 'Nothing was said of any memory.\n'
            : given.map(({ verdict: said, id: of, words }) => `${said}  ${of}  ${words}`.trimEnd()).join('\n') + '\n',
        );
        return;
      }
      const { prompt, scope } = options;
      const input = { id, verdict: verdict as FeedbackInput['verdict'], prompt, scope };
      await show(cli, options, feedback, input, ({ style }, { verdict: said, text, words, mutation, warnings }) => {
        const effect = EFFECTS[said ?? 'clear'];
        const prompts =
          said === 'not-helpful' ? (words === '' ? ' for any prompt' : ` for prompts about: ${words}`) : '';
        const undo = mutation === null || warnings.length > 0 ? '' : style.dim(`undo: mneme rollback ${mutation}\n`);
        return `${text}\n${warnings.length > 0 ? warnings.join('\n') : `${effect}${prompts}.`}\n${undo}`;
      });
    });
}

const EFFECTS: Readonly<Record<FeedbackInput['verdict'], string>> = {
  wrong: 'Marked as wrong: it is not injected any more',
  'not-helpful': 'It is not injected',
  always: 'Every session starts with it',
  clear: 'Nothing is said of it any more',
};
