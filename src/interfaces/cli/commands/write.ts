import type { Command } from 'commander';
import { isMnemeError, MnemeError } from '../../../model/errors.ts';
import type { Mneme } from '../../../mneme.ts';
import { append } from '../../../operations/append.ts';
import { edit, type EditInput } from '../../../operations/edit.ts';
import { read } from '../../../operations/read.ts';
import { readWorkspaceText, toWorkspacePath } from '../../../operations/workspace-files.ts';
import type { WriteResult } from '../../../operations/write-result.ts';
import { remember, type Remembered, type RememberInput } from '../../../operations/remember.ts';
import { runOperation } from '../../../operations/operation.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { editByHand } from '../editor.ts';
import { CORE_BLOCKS } from '../../../workspace/formats/core.ts';
import { plural } from '../../../operations/command-line/style.ts';
import { decimalOf } from './show.ts';

export function addWriteCommands(program: Command, cli: Cli): void {
  addRemember(program, cli);
  addRead(program, cli);
  addAppend(program, cli);
  addEdit(program, cli);
}

function addRead(program: Command, cli: Cli): void {
  program
    .command('read <target>')
    .summary(read.summary)
    .description(
      'Show a file (MEMORY.md), an item by its id, or a turn of a conversation (SESSION#t12), now or as it was.',
    )
    .option('--lines <range>', 'such as 12, 10-20 or 10-')
    .option('--at <when>', 'a date, a tag, a mutation id, `yesterday`, `3 days ago`')
    .action(async (target: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { lines?: string; at?: string }>();
      const input = { target, at: options.at, ...parseLineRange(options.lines) };
      const result = await cli.withMneme(options, (mneme) => runOperation(read, mneme.internals, input));
      cli.print(options, result, ({ text }) => `${text}\n`);
    });
}

function addAppend(program: Command, cli: Cli): void {
  program
    .command('append <path> [text...]')
    .summary(append.summary)
    .description('Add text to the end of a file or of a section; `-` reads the text from standard input.')
    .option('--section <heading>', 'the section; it is made when missing')
    .option('--session <id>', 'the session it came from')
    .option('--trigger <words>', 'what made you write it')
    .action(async (path: string, words: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<
        GlobalOptions & { section?: string; session?: string; trigger?: string }
      >();
      const text = await textOf(cli, words);
      const { section, session, trigger } = options;
      await write(cli, options, append, (mneme) =>
        runOperation(append, mneme.internals, { path, text, section, session, trigger }),
      );
    });
}

function addEdit(program: Command, cli: Cli): void {
  program
    .command('edit <path>')
    .summary(edit.summary)
    .description('Open a file in your editor, or change it with --replace/--with or --content.')
    .option('--replace <text>', 'text that occurs exactly once')
    .option('--with <text>', 'what to put there instead')
    .option('--content <text>', 'the whole new text; `-` reads it from standard input')
    .option('--summary <words>', 'what the change is about')
    .action(async (path: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & EditOptions>();
      await write(cli, options, edit, async (mneme) => {
        const input = await editInput(cli, mneme, path, options);
        return runOperation(edit, mneme.internals, input);
      });
    });
}

interface EditOptions {
  readonly replace?: string;
  readonly with?: string;
  readonly content?: string;
  readonly summary?: string;
}

async function editInput(cli: Cli, mneme: Mneme, path: string, options: EditOptions): Promise<EditInput> {
  const { summary } = options;
  if (options.replace !== undefined) return { path, summary, replace: options.replace, with: options.with ?? '' };
  const base = await findText(mneme, path);
  if (options.content !== undefined) {
    const content = options.content === '-' ? await cli.io.readInput() : options.content;
    return { path, summary, content, base };
  }
  const otherWay = 'Use --replace and --with, or --content - to read the new text from standard input.';
  return { path, summary, content: await editByHand(cli, path, base ?? '', otherWay), base };
}

async function findText(mneme: Mneme, path: string): Promise<string | undefined> {
  try {
    return await readWorkspaceText(mneme.internals, toWorkspacePath(mneme.internals, path));
  } catch (error) {
    if (isMnemeError(error, 'not-found')) return undefined;
    throw error;
  }
}

/** Runs a write, waits for git unless it gathers changes, and shows what came of it. */
async function write(
  cli: Cli,
  options: GlobalOptions,
  operation: typeof append | typeof edit,
  run: (mneme: Mneme) => Promise<WriteResult>,
): Promise<void> {
  const result = await cli.withMneme(
    options,
    async (mneme) => {
      const written = await run(mneme);
      const { commits } = await mneme.internals.workspace.drainIfDue();
      return { ...written, commit: commits.get(written.mutation ?? '') ?? null };
    },
    operation,
  );
  cli.print(options, result, (shown) => renderWrite(cli, shown));
}

function renderWrite(cli: Cli, result: WriteResult): string {
  const { style } = cli;
  if (result.mutation === null) return 'Nothing changed.\n';
  const lines = result.files.flatMap((file) => [
    `${style.green(file.action)} ${file.path}${file.merged ? ' (merged with what was written meanwhile)' : ''}`,
    ...(file.conflicts === 0
      ? []
      : [
          style.yellow(
            `  ${plural(file.conflicts, 'conflict')}: both versions are kept; \`mneme proposals\` shows them.`,
          ),
        ]),
  ]);
  if (result.redacted.length > 0) lines.push(`${style.yellow('Redacted')} ${result.redacted.join(', ')}`);
  lines.push(...result.warnings.map((warning) => `${style.yellow('note')} ${warning}`));
  lines.push(style.dim(`undo: mneme rollback ${result.mutation}`));
  return `${lines.join('\n')}\n`;
}

function parseLineRange(range: string | undefined): { from?: number; to?: number } {
  if (range === undefined) return {};
  const [, first, dash, last] = /^(\d+)(?:\s*([-–:])\s*(\d*))?$/u.exec(range) ?? [];
  if (first === undefined || Number(first) === 0) {
    throw new MnemeError('usage', `"${range}" is not a range of lines.`, {
      hint: 'Write 12, 10-20 or 10-; the first line is 1.',
    });
  }
  const from = Number(first);
  if (dash === undefined) return { from, to: from };
  return last === undefined || last === '' ? { from } : { from, to: Number(last) };
}

function addRemember(program: Command, cli: Cli): void {
  program
    .command('remember [text...]')
    .summary(remember.summary)
    .description('Keep something. The text may also come from standard input (`mneme remember -`).')
    .option('--store <store>', 'episodic, semantic, core or vault (default: by its words)')
    .option('--block <name>', 'with --store core: Identity, Active Context, Persona or Critical Facts')
    .option(
      '--type <type>',
      'decision, fact, preference, task, event, emotion, correction, error, learning, interaction',
    )
    .option('--tags <list>', 'comma-separated')
    .option('--importance <number>', '0 to 1')
    .option('--confidence <level>', 'high, medium or low')
    .option('--source <source>', 'user-explicit (default), conversation, auto, reflection, import, flush or inferred')
    .option('--trust <level>', 'user, agent, tool, import or external')
    .option('--scope <scope>', 'shared (default), or user:NAME, project:NAME, channel:NAME, agent:NAME')
    .option('--session <id>', 'the session it came from')
    .option('--trigger <words>', 'what made you keep it')
    .action(async (words: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & Record<string, string>>();
      const text = await textOf(cli, words);
      // This process ends when the command does: there is nothing to wait for.
      const input = { ...options, text, strategy: 'immediate', ...parseOptions(options) } as RememberInput;
      const result = await cli.withMneme(
        options,
        async (mneme) => {
          const remembered = await runOperation(remember, mneme.internals, input);
          const { commits } = await mneme.internals.workspace.drainIfDue();
          return { ...remembered, commit: commits.get(remembered.mutation) ?? null };
        },
        remember,
      );
      cli.print(options, result, (shown) => renderRemembered(cli, shown));
    });
}

function renderRemembered(cli: Cli, result: Remembered): string {
  const { style } = cli;
  const lines = [
    `${style.green('Remembered')} ${style.bold(result.id)} in ${result.path}:${result.startLine}`,
    ...(result.redacted.length === 0 ? [] : [`${style.yellow('Redacted')} ${result.redacted.join(', ')}`]),
    ...result.warnings.map((warning) => `${style.yellow('note')} ${warning}`),
    style.dim(`undo: mneme rollback ${result.mutation}`),
  ];
  return `${lines.join('\n')}\n`;
}

async function textOf(cli: Cli, words: readonly string[]): Promise<string> {
  if (words.length === 1 && words[0] === '-') return cli.io.readInput();
  if (words.length > 0) return words.join(' ');
  throw new MnemeError('usage', 'There is no text.', {
    hint: 'Write it behind the command, or `-` to read it from standard input.',
  });
}

/** A block of core memory in any letter case. */
function blockNamed(text: string): string {
  return CORE_BLOCKS.find(({ name }) => name.toLowerCase() === text.trim().toLowerCase())?.name ?? text;
}

function parseOptions(options: Record<string, unknown>): Record<string, unknown> {
  const { importance, tags, block } = options;
  return {
    ...(typeof importance === 'string' ? { importance: decimalOf('--importance', importance) } : {}),
    ...(typeof block === 'string' ? { block: blockNamed(block) } : {}),
    ...(typeof tags === 'string'
      ? {
          tags: tags
            .split(',')
            .map((tag) => tag.trim())
            .filter((tag) => tag !== ''),
        }
      : {}),
  };
}
