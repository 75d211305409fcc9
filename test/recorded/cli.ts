import { partsOf } from '../../src/interfaces/cli/derive/read-input.ts';
import type { Verb } from '../../src/operations/verb.ts';
import { VERBS } from '../../src/verb-registry/verbs.generated.ts';
import { TestCli } from '../support/cli.ts';
import { exampleCalls } from '../support/http-examples.ts';
import { serveTestHome } from '../support/http-server.ts';
import { asText, withoutChance } from './normal.ts';

type Input = Readonly<Record<string, unknown>>;

interface Typed {
  readonly words: readonly string[];
  readonly stdin: string;
}

/** Commands that HTTP has no example for, or that take more than their input. */
const BESIDES: readonly (readonly string[])[] = [
  ['--version'],
  ['--help'],
  ['help', 'exit-codes'],
  ['version'],
  ['search', 'kettle'],
  ['find', 'kettle'],
  ['add', 'The spare key hangs behind the boiler.'],
  ['ls'],
  ['show', 'MEMORY.md'],
  ['undo', '--dry-run'],
  ['why'],
  ['memory', 'pin', 'MEMORY.md', '--off'],
  ['session', 'start', 'ses_cli'],
  ['session', 'working', 'focus', 'the garden'],
  ['session', 'working', 'fact', 'The gate is green.'],
  ['session', 'working', 'task', 'paint the gate'],
  ['session', 'working', 'note', 'paint', 'two litres'],
  ['chain', 'keys', 'show'],
  ['sync', 'keys', 'show'],
  ['sync', 'keys', 'new'],
  ['config', 'get', 'search'],
  ['config', 'set', 'nothing.such', '1'],
  ['recall'],
  ['remember'],
  ['read', 'nothing.md'],
  ['no-such-command'],
  ['memory', 'no-such-command'],
  ['recall', 'kettle', '--no-such-option'],
  ['recall', 'kettle', '--limit', 'many'],
  ['forget', 'kettle', '--as', 'reader:ana'],
];

/** Options that only the command line has, where a call makes no sense without. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  'proposals add': ['--content', '-'],
};

/** Every command once, in the order of a day, in a home of its own; with `--json` or as text. */
export async function recordCli(isJson: boolean): Promise<string> {
  const server = await serveTestHome();
  const cli = new TestCli(server.home);
  const records: string[] = [];
  const run = async ({ words, stdin }: Typed): Promise<void> => {
    const { code, out, err } = await cli.run(isJson ? [...words, '--json'] : words, stdin);
    const answer = isJson ? asText(JSON.parse(out)) : withoutChance(out);
    const parts = [answer, ...(err === '' ? [] : [`[stderr]\n${withoutChance(err)}`])];
    records.push(`## mneme ${withoutChance(words.map(quoted).join(' '))}\n\n${code} ${parts.join('\n')}\n`);
  };
  try {
    const verbs = new Map(VERBS.map((entry) => [entry.name, entry]));
    for (const { name, input } of exampleCalls(server)) {
      const { command, load } = verbs.get(name) ?? {};
      const given = await input();
      if (command === undefined || load === undefined) continue;
      const verb = await load();
      await run({
        ...wordsOf(verb, given),
        words: [...command.path.split(' '), ...wordsOf(verb, given).words, ...(MORE[name] ?? [])],
      });
    }
    for (const words of BESIDES) await run({ words, stdin: '' });
    return records.join('\n');
  } finally {
    await server.close();
  }
}

/** An input as a user would type it; what the command line does not take is left out. */
function wordsOf(verb: Verb, input: Input): Typed {
  const { positional, flagged, stdin } = partsOf(verb);
  const places = positional.flatMap(({ key }) => textOf(input[key]));
  const options = flagged.flatMap(({ field, shape, long }): readonly string[] => {
    const value = input[field.key];
    if (value === undefined || value === null) return [];
    if (field.kind === 'flag' && shape.parse === undefined) {
      return value === field.isOn ? [] : [field.isOn ? `--no-${long.slice(2)}` : long];
    }
    return [long, ...textOf(Array.isArray(value) ? value.join(',') : value)];
  });
  const read = input[stdin ?? 'text'] ?? input['after'];
  return { words: [...places, ...options], stdin: typeof read === 'string' ? read : JSON.stringify(input['messages']) };
}

function textOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textOf);
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}

function quoted(word: string): string {
  return /^[\w./:@,=-]+$/u.test(word) ? word : `'${word.replaceAll('\n', '\\n')}'`;
}
