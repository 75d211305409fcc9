import path from 'node:path';
import type { Command } from 'commander';
import { errorMessage, MnemeError, systemCode } from '../../../model/errors.ts';
import type { Mneme } from '../../../mneme.ts';
import { compact, runCompact, type CompactInput, type CompactResult } from '../../../operations/compact.ts';
import { runOperation } from '../../../operations/operation.ts';
import { nodeFileSystem } from '../../../platform/fs.ts';
import { systemRandom } from '../../../platform/random.ts';
import { decodeText } from '../../../workspace/safety/limits.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { ProgressLine, untilInterrupted } from '../progress.ts';
import { renderCompacted } from './compact-view.ts';
import { numberOf } from './show.ts';

interface CompactOptions extends GlobalOptions {
  readonly session?: string;
  readonly tokens?: string;
  readonly window?: string;
  readonly keep?: string;
  readonly flush: boolean;
  readonly dryRun?: boolean;
  readonly output?: string;
}

export function addCompactCommand(program: Command, cli: Cli): void {
  program
    .command('compact [file]')
    .summary(compact.summary)
    .description(
      'Shorten a conversation that fills its window. FILE is a transcript, JSON lines {"role", "content"} or a JSON list of messages, `-` the input. What matters is saved first; system and critical messages stay, the last ones word for word.',
    )
    .option('--session <id>', 'the session it belongs to; without a file: all that was said in it')
    .option('--tokens <number>', 'compact to this many tokens')
    .option('--window <number>', 'the window’s size: compact when it is full (default: 200,000)')
    .option('--keep <number>', 'last messages that stay word for word (default: 10)')
    .option('--output <file>', 'write the compacted messages there, a JSON line each; `-` for the output')
    .option('--no-flush', 'save nothing first')
    .option('--dry-run', 'show what would be left and saved, and write nothing')
    .action(async (file: string | undefined, _options, command: Command) => {
      await run(cli, command.optsWithGlobals<CompactOptions>(), file);
    });
}

async function run(cli: Cli, options: CompactOptions, file: string | undefined): Promise<void> {
  const { output } = options;
  if (file !== undefined && output !== undefined && output !== '-' && path.resolve(file) === path.resolve(output)) {
    throw new MnemeError('usage', `${output} is the file that is read.`, {
      hint: 'Write to another file; the whole conversation would be gone from this one.',
    });
  }
  const text = file === undefined ? undefined : await readWindow(cli, file);
  const given: CompactInput = {
    text,
    name: file === '-' ? 'The input' : file,
    session: options.session,
    tokens: numberOf('--tokens', options.tokens),
    window: numberOf('--window', options.window),
    keep: numberOf('--keep', options.keep),
    flush: options.flush,
    dryRun: options.dryRun,
  };
  const line = new ProgressLine(cli, options);
  const result = await untilInterrupted(cli, async (signal) => {
    try {
      return await cli.withMneme(options, (mneme) => compactWithProgress(mneme, given, { line, signal }), compact);
    } catch (error) {
      if (signal.aborted) throw stopped(error);
      throw error;
    }
  });
  line.clear();
  if (output === '-' && options.json !== true) cli.io.out(toLines(result));
  else {
    if (output !== undefined && output !== '-') await writeLines(output, result);
    cli.print(options, result, (shown) => renderCompacted(cli.style, shown, output));
  }
  for (const note of new Set(result.notes)) cli.warn(note);
}

function compactWithProgress(
  { internals }: Mneme,
  given: CompactInput,
  { line, signal }: { readonly line: ProgressLine; readonly signal: AbortSignal },
): Promise<CompactResult> {
  const onStep = (step: string): void => line.show(step);
  const operation = {
    ...compact,
    run: (...[context, input]: Parameters<typeof compact.run>) => runCompact(context, input, { signal, onStep }),
  };
  return runOperation(operation, internals, given);
}

function stopped(cause: unknown): MnemeError {
  return new MnemeError('failure', 'Stopped before it was done.', {
    hint: 'Nothing was dropped, and what was saved stays; the same command goes on from there.',
    cause,
  });
}

async function readWindow(cli: Cli, file: string): Promise<string> {
  if (file === '-') return cli.io.readInput();
  const bytes = nodeFileSystem.read(file);
  if (bytes === undefined) {
    throw new MnemeError('not-found', `There is no ${file}.`, {
      hint: 'Check the path; `mneme compact --session ID` takes what was said in a session.',
    });
  }
  const decoded = decodeText(bytes);
  if (decoded.kind === 'text') return decoded.text;
  throw new MnemeError('usage', `${file} is not text (${decoded.reason}).`, { hint: 'Pass UTF-8 text.' });
}

function toLines({ messages }: CompactResult): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}

async function writeLines(file: string, result: CompactResult): Promise<void> {
  // A name of its own: whatever else stands beside the file is somebody's.
  const unique = Buffer.from(systemRandom.bytes(6)).toString('hex');
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${unique}.tmp`);
  try {
    nodeFileSystem.write(temporary, Buffer.from(toLines(result), 'utf8'));
    await nodeFileSystem.rename(temporary, file);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw new MnemeError('failure', `${file} cannot be written: ${errorMessage(error)}.`, {
      hint: 'What mattered was saved; run it again with another --output.',
      cause: error,
    });
  }
}
