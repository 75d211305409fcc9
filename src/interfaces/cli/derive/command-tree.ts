import type { Command } from 'commander';
import type { CommandLine } from '../../../verb-registry/library-types.ts';
import { GROUPS, SECTION_TITLES } from '../../../verb-registry/groups.ts';
import type { Verb } from '../../../operations/verb.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import type { Program } from './program.ts';

/** A verb or a program, before its file is loaded. */
export interface CommandEntry {
  readonly command: CommandLine;
  readonly load: () => Promise<Verb | Program>;
}

/** Adds the commands: those that `isNeeded` with everything, the others with their name and summary only. */
export async function addCommands(
  program: Command,
  cli: Cli,
  entries: readonly CommandEntry[],
  isNeeded: (line: CommandLine) => boolean,
): Promise<void> {
  for (const { command: line, load } of entries) {
    const command = place(program, line);
    if (isNeeded(line)) await fill(command, cli, await load());
    else if (line.usage !== undefined) command.arguments(line.usage);
  }
}

/** Finds or makes the command of a path, with the groups above it. */
function place(program: Command, line: CommandLine): Command {
  const words = line.path.split(' ');
  let above = program;
  for (const [at, word] of words.entries()) {
    const isLast = at === words.length - 1;
    const known = above.commands.find((command) => command.name() === word);
    const isHidden = isLast ? line.isHidden === true : GROUPS[words.slice(0, at + 1).join(' ')]?.isHidden === true;
    const settings = { isDefault: isLast && line.isDefault === true, hidden: isHidden };
    const command = known ?? above.command(word, settings);
    if (isLast) command.summary(line.summary);
    else if (known === undefined) describeGroup(command, words.slice(0, at + 1).join(' '));
    if (at === 0) {
      const section = GROUPS[word]?.section ?? (isLast ? line.section : undefined);
      if (section !== undefined) command.helpGroup(SECTION_TITLES[section]);
    }
    above = command;
  }
  return above;
}

function describeGroup(command: Command, path: string): void {
  const group = GROUPS[path];
  if (group === undefined) throw new Error(`The group "${path}" is not described in src/verb-registry/groups.ts.`);
  command.summary(group.summary).description(group.description ?? group.summary);
}

async function fill(command: Command, cli: Cli, source: Verb | Program): Promise<void> {
  const { addArguments, readTyped } = await import('./read-input.ts');
  const { summary, description, examples = [] } = source;
  command.summary(summary).description(description ?? summary);
  addArguments(command, source);
  if ('start' in source && source.cli?.isLenient === true) command.allowExcessArguments().allowUnknownOption();
  if (examples.length > 0) {
    command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`);
  }
  command.action(async (...call: unknown[]) => {
    const called = call.at(-1) as Command;
    const options = called.optsWithGlobals<GlobalOptions & Record<string, unknown>>();
    const given = source.cli !== false && source.cli?.takesDashes === true ? splitAtDashes(called) : call.slice(0, -2);
    const typed = await readTyped(source, given as GivenWords, options, () => cli.io.readInput());
    if ('start' in source) {
      const { startProgram } = await import('./start-program.ts');
      await startProgram(cli, source, options, typed);
      return;
    }
    const { callVerb } = await import('./call-verb.ts');
    await callVerb(cli, source, options, typed);
  });
}

type GivenWords = readonly (string | readonly string[] | undefined)[];

/** Commander forgets where `--` stood; what came behind it is known from the words as they were typed. */
function splitAtDashes(command: Command): GivenWords {
  let root = command;
  while (root.parent !== null) root = root.parent;
  const { rawArgs } = root as Command & { readonly rawArgs: readonly string[] };
  const dashes = rawArgs.indexOf('--');
  const split = dashes === -1 ? command.args.length : command.args.length - (rawArgs.length - dashes - 1);
  const single = command.registeredArguments.length - 1;
  const before = command.args.slice(0, split);
  return [
    ...Array.from({ length: single }, (_, at) => before[at]),
    [...before.slice(single), ...command.args.slice(split)],
  ];
}

/** The call with an alias or a former name replaced by today's; `former` where a user should learn the new one. */
export function withTodaysName(
  args: readonly string[],
  entries: readonly CommandEntry[],
): { readonly args: readonly string[]; readonly former?: { readonly from: string; readonly to: string } | undefined } {
  const places = operandPlaces(args);
  const words = places.map((at) => args[at] ?? '');
  let best: { readonly from: string; readonly to: string; readonly isFormer: boolean } | undefined;
  for (const { command } of entries) {
    for (const [isFormer, names] of [
      [false, command.aliases],
      [true, command.formerly],
    ] as const) {
      for (const name of names ?? []) {
        const isMeant = name.split(' ').every((word, at) => words[at] === word);
        if (isMeant && name.length > (best?.from.length ?? 0)) best = { from: name, to: command.path, isFormer };
      }
    }
  }
  if (best === undefined || isCommand(words, entries, best.from)) return { args };
  const replaced = new Set(places.slice(0, best.from.split(' ').length));
  const [first = 0] = replaced;
  const rest = args.flatMap((arg, at) => (at === first ? (best?.to.split(' ') ?? []) : replaced.has(at) ? [] : [arg]));
  return { args: rest, former: best.isFormer ? { from: best.from, to: best.to } : undefined };
}

/** A command of today with a longer name than the alias is meant literally. */
function isCommand(words: readonly string[], entries: readonly CommandEntry[], alias: string): boolean {
  return entries.some(
    ({ command }) =>
      command.path.length > alias.length && command.path.split(' ').every((word, at) => words[at] === word),
  );
}

/** Where the words of a call stand that are neither options nor values of the global ones. */
export function operandPlaces(args: readonly string[]): readonly number[] {
  const places: number[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--') break;
    if (arg === '--home' || arg === '--as') at += 1;
    else if (!arg.startsWith('-')) places.push(at);
  }
  return places;
}

/** Whether a call can mean this command: all words of its path are there, in order. */
export function mayMean(args: readonly string[], line: CommandLine): boolean {
  const words = operandPlaces(args).map((at) => args[at] ?? '');
  const path = line.path.split(' ');
  if (words[0] !== path[0]) return false;
  if (line.isDefault === true) path.pop();
  let at = 0;
  for (const word of words) if (word === path[at]) at += 1;
  return at >= path.length;
}
