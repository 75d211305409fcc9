import type { Command } from 'commander';
import { MnemeError } from '../../../model/errors.ts';
import { TASK_STATES, workingParts, type WorkingParts } from '../../../compile/working/agent-context.ts';
import { changeWorking } from '../../../operations/working/change-context.ts';
import { flush } from '../../../operations/working/flush.ts';
import { loadContext } from '../../../operations/working/load-context.ts';
import { clearContext, listContexts, saveContext } from '../../../operations/working/save-context.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { numberOf, show } from './show.ts';
import {
  renderChanged,
  renderCleared,
  renderContext,
  renderContexts,
  renderFlushed,
  renderSaved,
} from './working-view.ts';

interface NameOptions extends GlobalOptions {
  readonly agent?: string;
  readonly session?: string;
}

export function addWorkingCommands(program: Command, cli: Cli): void {
  const working = program
    .command('working')
    .description('What an agent holds in mind between sessions: task, focus, facts, notes, conversation.');
  addReading(working, cli);
  addChanges(working, cli);
  addTask(working, cli);
  addSaving(working, cli);
}

/** Whose context and of which conversation; every verb takes both. */
function verb(parent: Command, usage: string, description: string): Command {
  return parent
    .command(usage)
    .description(description)
    .option('--agent <name>', 'whose (default: main)')
    .option('--session <id>', 'of which conversation (default: outside of any)');
}

function nameOf(options: NameOptions): { agent?: string | undefined; session?: string | undefined } {
  return { agent: options.agent, session: options.session };
}

function addReading(working: Command, cli: Cli): void {
  verb(working, 'show', loadContext.summary)
    .option('--tokens <number>', 'at most so many (default: 4,000)')
    .action(async (_options, called: Command) => {
      const options = called.optsWithGlobals<NameOptions & { tokens?: string }>();
      const input = { ...nameOf(options), maxTokens: numberOf('--tokens', options.tokens) };
      const { notes } = await show(cli, options, loadContext, input, renderContext);
      for (const note of notes) cli.warn(note);
    });
  working
    .command('list')
    .description(listContexts.summary)
    .action(async (_options, called: Command) => {
      await show(cli, called.optsWithGlobals<GlobalOptions>(), listContexts, {}, renderContexts);
    });
}

function addChanges(working: Command, cli: Cli): void {
  verb(working, 'focus <topic...>', 'Say what is being worked on.')
    .option('--related <topics...>', 'topics beside it')
    .action(async (words: string[], _options, called: Command) => {
      const options = called.optsWithGlobals<NameOptions & { related?: string[] }>();
      const change = { kind: 'focus', topic: words.join(' '), related: options.related ?? [] } as const;
      await show(cli, options, changeWorking, { ...nameOf(options), change }, renderChanged);
    });
  verb(working, 'note <name> [text...]', 'Put something on the scratchpad; without a text it is taken off.').action(
    async (key: string, words: string[], _options, called: Command) => {
      const options = called.optsWithGlobals<NameOptions>();
      const change = { kind: 'note', key, text: words.length === 0 ? null : words.join(' ') } as const;
      await show(cli, options, changeWorking, { ...nameOf(options), change }, renderChanged);
    },
  );
  verb(working, 'fact <statement...>', 'Hold a fact in mind.')
    .option('--id <item>', 'the memory it comes from: when that is forgotten or replaced, so is this')
    .action(async (words: string[], _options, called: Command) => {
      const options = called.optsWithGlobals<NameOptions & { id?: string }>();
      const change = { kind: 'fact', statement: words.join(' '), id: options.id?.replace(/^\^/u, '') } as const;
      await show(cli, options, changeWorking, { ...nameOf(options), change }, renderChanged);
    });
}

interface TaskOptions extends NameOptions {
  readonly state?: string;
  readonly done?: string[];
  readonly next?: string[];
  readonly note?: string;
}

function addTask(working: Command, cli: Cli): void {
  verb(working, 'task [name...]', 'Say what is to be done and how far it is; without a name the one at hand.')
    .option('--state <state>', TASK_STATES.join(', '))
    .option('--done <steps...>', 'steps that are behind')
    .option('--next <steps...>', 'steps that are ahead')
    .option('--note <text>', 'what it waits for, or how it ended')
    .action(async (words: string[], _options, called: Command) => {
      const options = called.optsWithGlobals<TaskOptions>();
      const { state, done = [], next = [], note } = options;
      const known = TASK_STATES.find((each) => each === state);
      if (state !== undefined && known === undefined) {
        throw new MnemeError('usage', `A task is not "${state}".`, { hint: `It is ${TASK_STATES.join(', ')}.` });
      }
      const name = words.length === 0 ? undefined : words.join(' ');
      const change = { kind: 'task', name, state: known, done, next, note } as const;
      await show(cli, options, changeWorking, { ...nameOf(options), change }, renderChanged);
    });
}

function addSaving(working: Command, cli: Cli): void {
  verb(
    working,
    'save',
    `${saveContext.summary} Reads JSON from the input: the parts that \`working show --json\` shows as working.`,
  )
    .option('--revision <number>', 'the revision it was loaded at; refused when somebody saved meanwhile')
    .action(async (_options, called: Command) => {
      const options = called.optsWithGlobals<NameOptions & { revision?: string }>();
      const given = parseInput(await cli.io.readInput());
      const revision = numberOf('--revision', options.revision);
      await show(cli, options, saveContext, { ...nameOf(options), revision, working: given }, renderSaved);
    });
  verb(working, 'clear', clearContext.summary).action(async (_options, called: Command) => {
    const options = called.optsWithGlobals<NameOptions>();
    await show(cli, options, clearContext, nameOf(options), renderCleared);
  });
  working
    .command('flush <session>')
    .description(flush.summary)
    .option('--tokens <number>', 'how full the window is (default: counted from what was said)')
    .option('--window <number>', 'how much it holds (default: 200,000)')
    .option('--now', 'whatever it holds, and if it was flushed before')
    .action(async (session: string, _options, called: Command) => {
      const options = called.optsWithGlobals<GlobalOptions & { tokens?: string; window?: string; now?: boolean }>();
      const tokens = numberOf('--tokens', options.tokens);
      const window = numberOf('--window', options.window);
      const { saved } = await show(cli, options, flush, { session, tokens, window, now: options.now }, renderFlushed);
      for (const note of new Set(saved?.notes)) cli.warn(note);
    });
}

function parseInput(text: string): WorkingParts {
  const { data, error } = workingParts.safeParse(parseObject(text));
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new MnemeError('usage', `${issue?.path.join('.') ?? 'The input'}: ${issue?.message ?? 'is not as expected'}.`, {
    hint: '`mneme working show --json` shows the parts and their form.',
  });
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new MnemeError('usage', 'The input is no JSON object.', {
    hint: 'Pipe parts of working memory into it: echo \'{"scratchpad": {"port": "8443"}}\' | mneme working save',
  });
}
