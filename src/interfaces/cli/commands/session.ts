import type { Command } from 'commander';
import { runOperation } from '../../../operations/operation.ts';
import { sessionBuffer } from '../../../operations/session/buffer.ts';
import { endSession } from '../../../operations/session/end.ts';
import { listSessions, showSession } from '../../../operations/session/list.ts';
import { sessionMessage, sessionTool } from '../../../operations/session/message.ts';
import { resetSession } from '../../../operations/session/reset.ts';
import { startSession, type StartSessionInput } from '../../../operations/session/start.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { countLearned } from './extract-view.ts';
import { renderBuffer, renderEnded, renderMessage, renderSession, renderSessions } from './session-view.ts';
import { show } from './show.ts';

interface MessageOptions extends GlobalOptions {
  readonly name?: string;
  readonly time?: string;
  readonly result?: string;
}

export function addSessionCommands(program: Command, cli: Cli): void {
  const session = program.command('session').description('Conversations: begin, add to, end, look at them.');
  addReading(session, cli);
  addWriting(session, cli);
}

function addReading(session: Command, cli: Cli): void {
  session
    .command('list')
    .description(listSessions.summary)
    .action(async (_options, called: Command) => {
      await show(cli, called.optsWithGlobals<GlobalOptions>(), listSessions, {}, renderSessions);
    });
  session
    .command('show <id>')
    .description(showSession.summary)
    .action(async (id: string, _options, called: Command) => {
      await show(cli, called.optsWithGlobals<GlobalOptions>(), showSession, { session: id }, renderSession);
    });
}

function addWriting(session: Command, cli: Cli): void {
  session
    .command('start [id]')
    .description(`${startSession.summary} Prints its id.`)
    .option('--channel <name>', 'where it takes place')
    .option('--model <name>', 'the model that answers')
    .option('--project <folder>', 'the folder being worked in')
    .option('--user <name>', 'what the user is called')
    .option('--topic <words>', 'what it is about (default: the user’s first words)')
    .option('--private', 'nothing said in it is kept or learned from')
    .action(async (id: string | undefined, _options, called: Command) => {
      const options = called.optsWithGlobals<GlobalOptions & StartSessionInput>();
      const { channel, model, project, user, topic, private: isPrivate } = options;
      const input = { id, channel, model, project, user, topic, private: isPrivate };
      await show(cli, options, startSession, input, (_view, started) => `${started.session}\n`);
    });
  session
    .command('message <id> <role> [text...]')
    .description(`${sessionMessage.summary} \`-\` reads the text from standard input.`)
    .option('--name <name>', 'what the speaker is called')
    .option('--time <when>', 'when it was said (default: now)')
    .action(async (id: string, role: string, words: string[], _options, called: Command) => {
      const options = called.optsWithGlobals<MessageOptions>();
      const text = words.length === 1 && words[0] === '-' ? await cli.io.readInput() : words.join(' ');
      const input = { session: id, role, text, name: options.name, time: options.time };
      await show(cli, options, sessionMessage, input, renderMessage);
    });
  session
    .command('tool <id> <name> [args]')
    .description(sessionTool.summary)
    .option('--result <text>', 'what it gave back')
    .option('--time <when>', 'when (default: now)')
    .action(async (id: string, name: string, args: string | undefined, _options, called: Command) => {
      const options = called.optsWithGlobals<MessageOptions>();
      const input = { session: id, name, args: args ?? '', result: options.result, time: options.time };
      await show(
        cli,
        options,
        sessionTool,
        input,
        ({ style }, { turn }) => `${turn ?? style.yellow('private: not kept')}\n`,
      );
    });
  session
    .command('end <id>')
    .description(endSession.summary)
    .action(async (id: string, _options, called: Command) => {
      await end(cli, called.optsWithGlobals<GlobalOptions>(), id);
    });
  session
    .command('reset <id>')
    .description(resetSession.summary)
    .action(async (id: string, _options, called: Command) => {
      await show(cli, called.optsWithGlobals<GlobalOptions>(), resetSession, { session: id }, renderEnded);
    });
  session
    .command('buffer <id>')
    .description(sessionBuffer.summary)
    .action(async (id: string, _options, called: Command) => {
      await show(cli, called.optsWithGlobals<GlobalOptions>(), sessionBuffer, { session: id }, renderBuffer);
    });
}

/** What is learned from it would be learned behind it; whoever types a command sees what came of that. */
async function end(cli: Cli, options: GlobalOptions, session: string): Promise<void> {
  const { result, timeZone } = await cli.withMneme(
    options,
    async ({ internals: context }) => {
      const ended = await runOperation(endSession, context, { session });
      const { sessions, problems } = await context.parts.learning.settle();
      for (const said of new Set([...problems, ...sessions.flatMap(({ notes }) => notes)])) cli.warn(said);
      const learned = countLearned(sessions.flatMap(({ items }) => items));
      return { result: { ...ended, ...learned }, timeZone: context.config.time_zone };
    },
    endSession,
  );
  cli.print(options, result, (shown) => renderEnded({ style: cli.style, timeZone, columns: undefined }, shown));
}
