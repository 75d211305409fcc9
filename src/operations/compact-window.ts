import path from 'node:path';
import { errorMessage, MnemeError, systemCode } from '../model/errors.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { systemRandom } from '../platform/random.ts';
import { decodeText } from '../workspace/safety/limits.ts';
import type { Terminal } from './command-line/style.ts';
import type { CompactInput, CompactResult, CompactShape } from './compact.ts';
import type { Typed, VerbCall } from './verb.ts';

/** Reads the window from the file that was typed. */
export async function readTypedWindow(
  { input, extra }: Typed<CompactShape>,
  terminal: Terminal,
): Promise<CompactInput> {
  const { output } = extra;
  const file = input.text;
  if (file === undefined) return input;
  if (typeof output === 'string' && output !== '-' && path.resolve(file) === path.resolve(output)) {
    throw new MnemeError('usage', `${output} is the file that is read.`, {
      hint: 'Write to another file; the whole conversation would be gone from this one.',
    });
  }
  return { ...input, text: await readWindow(terminal, file), name: file === '-' ? 'The input' : file };
}

/** Compacts it, and writes what is left to the file or output that was typed. */
export async function compactInto(
  { input, extra }: Typed<CompactShape>,
  { run, progress }: VerbCall<CompactShape, CompactResult>,
): Promise<CompactResult> {
  const { output } = extra;
  try {
    const result = await run(input);
    if (output === '-') progress?.say?.(toLines(result));
    else if (typeof output === 'string') await writeLines(output, result);
    return result;
  } catch (error) {
    if (progress?.signal.aborted === true) throw stopped(error);
    throw error;
  }
}

function stopped(cause: unknown): MnemeError {
  return new MnemeError('failure', 'Stopped before it was done.', {
    hint: 'Nothing was dropped, and what was saved stays; the same command goes on from there.',
    cause,
  });
}

async function readWindow(terminal: Terminal, file: string): Promise<string> {
  if (file === '-') return terminal.readInput();
  const bytes = nodeFileSystem.read(file);
  if (bytes === undefined) {
    throw new MnemeError('not-found', `There is no ${file}.`, {
      hint: 'Check the path; `mneme session compact --session ID` takes what was said in a session.',
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
