import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Cli } from '../../../src/interfaces/cli/cli.ts';
import { editByHand } from '../../../src/interfaces/cli/editor.ts';
import type { CliIo } from '../../../src/interfaces/cli/io.ts';
import { splitCommand } from '../../../src/platform/programs/start.ts';
import { walkTree } from '../../../src/platform/walk-tree.ts';
import { hookAgent } from '../../../src/runtime/connect/hook-agents.ts';
import { connectHooks, findHooks } from '../../../src/runtime/connect/hook-entries.ts';
import { probeHook } from '../../../src/runtime/connect/probe.ts';
import { hookCommand, homeOfHook } from '../../../src/runtime/connect/program.ts';
import { defineService } from '../../../src/runtime/service/plan.ts';
import { installHooks } from '../../../src/workspace/git/hooks.ts';
import { Git } from '../../../src/workspace/git/git.ts';
import { makeTemporaryFolder } from '../../support/home.ts';
import { attack, control, shown, type Family, type RedTeamCase } from '../table.ts';
import { mustBeRefused } from '../world.ts';

const claude = hookAgent('claude-code');

/** A folder in which a command that ran leaves `mark`; every shell finds it in MNEME_MARK. */
export interface CommandWorld {
  readonly mark: string;
}

export function makeCommandWorld(): CommandWorld {
  const mark = path.join(makeTemporaryFolder(), 'mark');
  process.env['MNEME_MARK'] = mark;
  return { mark };
}

type Case = RedTeamCase<CommandWorld>;

/** Without slashes, as parts of a file's name. */
const PAYLOADS = [
  '$(touch $MNEME_MARK)',
  '`touch $MNEME_MARK`',
  '"; touch $MNEME_MARK; "',
  "'; touch $MNEME_MARK; '",
  '" && touch $MNEME_MARK && "',
  '"\ntouch $MNEME_MARK\n"',
  '|touch $MNEME_MARK',
] as const;

async function mustNotRun({ mark }: CommandWorld, run: () => Promise<unknown>): Promise<string | undefined> {
  fs.rmSync(mark, { force: true });
  const trouble = await run();
  if (fs.existsSync(mark)) return 'a command ran';
  return typeof trouble === 'string' ? trouble : undefined;
}

function cliWith(editor: string): Cli {
  const silent = (): void => undefined;
  const io: CliIo = {
    out: silent,
    err: silent,
    readInput: () => Promise.resolve(''),
    ask: () => Promise.resolve(undefined),
    askSecret: () => Promise.resolve(undefined),
    onInterrupt: () => silent,
    isTerminal: true,
    wantsColor: false,
    columns: 80,
  };
  return new Cli(io, { home: '/nowhere', actor: undefined, editor, timeZone: 'UTC', wantsColor: false });
}

/** An editor that adds a line; a folder with a blank in its name proves that quotes are honoured. */
function makeEditor(): string {
  const file = path.join(makeTemporaryFolder(), 'my editor');
  fs.writeFileSync(file, '#!/bin/sh\n[ "$1" = --wait ] && echo "changed $#" >> "$2"\n', { mode: 0o755 });
  return file;
}

const EDITORS: readonly Case[] = [
  ...PAYLOADS.map((payload) =>
    attack<CommandWorld>(`the editor for a file called ${shown(`${payload}.md`)}`, (world) =>
      mustNotRun(world, async () => {
        const text = await editByHand(cliWith('true'), `memory/${payload}.md`, 'as it was', '');
        return text === 'as it was' ? undefined : text;
      }),
    ),
  ),
  ...['true; touch $MNEME_MARK;', 'true && touch $MNEME_MARK #', 'true $(touch $MNEME_MARK)'].map((editor) =>
    attack<CommandWorld>(`an EDITOR that only a shell could read: ${shown(editor)}`, (world) =>
      mustNotRun(world, async () => {
        await editByHand(cliWith(editor), 'note.md', 'as it was', '').catch(() => undefined);
      }),
    ),
  ),
  ...[' ', '""'].map((editor) =>
    attack<CommandWorld>(`an EDITOR that names no program: ${shown(editor)}`, async () => {
      const failure = await editByHand(cliWith(editor), 'note.md', 'as it was', '').then(String, String);
      return failure.includes('names no program') ? undefined : failure;
    }),
  ),
  control('an EDITOR with quotes and options', async () => {
    const text = await editByHand(cliWith(`'${makeEditor()}' --wait`), 'memory/a b.md', 'first\n', '');
    return text === 'first\nchanged 2\n' ? undefined : text;
  }),
  control('an EDITOR on Windows keeps its backslashes', async () => {
    const { words } = splitCommand(String.raw`"C:\Program Files\x.exe" -n C:\O'Brien\y`, 'win32');
    return words.join('|') === String.raw`C:\Program Files\x.exe|-n|C:\O'Brien\y` ? undefined : words.join('|');
  }),
];

const PROBES: readonly Case[] = [
  'touch $MNEME_MARK; mneme',
  '$(touch $MNEME_MARK) mneme',
  'mneme "`touch $MNEME_MARK`"',
  'mneme | touch $MNEME_MARK',
  'true\ntouch $MNEME_MARK\nmneme',
].map((command) =>
  attack(`doctor, of a hook that is ${shown(command)}`, (world) => mustNotRun(world, () => probeHook(command))),
);

/** What a person may call the folder of their memory. */
const HOMES = [
  '/home/a b',
  "/home/it's",
  '/home/$(touch $MNEME_MARK)',
  '/home/`touch $MNEME_MARK`',
  '/home/"; touch $MNEME_MARK; "',
  '/home/a\ntouch $MNEME_MARK\n',
  '/home/!! & ! % ~ * #',
] as const;

const HOOKS: readonly Case[] = (['linux', 'win32'] as const).flatMap((platform) =>
  HOMES.flatMap((home) => {
    // Windows allows no quotation mark in a name.
    if (platform === 'win32' && /["\n]/u.test(home)) return [];
    return [
      attack<CommandWorld>(`the hook command on ${platform} for the home ${shown(home)}`, (world) =>
        mustNotRun(world, async () => {
          const command = hookCommand(
            { command: 'printf', args: ['%s,', '--home', home] },
            'claude-code',
            'Stop',
            platform,
          );
          const said = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
          return said === `--home,${home},hook,claude-code,Stop,` ? undefined : said;
        }),
      ),
      attack<CommandWorld>(`the entry in Claude Code on ${platform} for the home ${shown(home)}`, async () => {
        const { text } = connectHooks('{}', { command: '/opt/mneme', args: ['--home', home] }, platform, claude);
        const again = connectHooks(text, { command: '/opt/mneme', args: ['--home', home] }, platform, claude);
        const homes = findHooks(text, claude).map(({ start }) => homeOfHook(start));
        return again.text === text && homes.every((one) => one === home) ? undefined : JSON.stringify(homes);
      }),
    ];
  }),
);

const SCHEDULED: readonly Case[] = [
  ...HOMES.filter((home) => !home.includes('\n')).map((home) =>
    attack<CommandWorld>(`the systemd unit for the home ${shown(home)}`, async () => {
      const command = [`${home}/node`, '/opt/mneme'];
      const { file } = defineService('systemd', { name: 'mneme', home, command, logs: home }, { userHome: '/home' });
      const words = readExecStart(file.content);
      return words.join('|') === [...command, '--home', home, 'daemon'].join('|') ? undefined : words.join('|');
    }),
  ),
  ...['/home/a\nExecStart=/bin/evil', '/home/a\u001B[2J', '/home/a\u0085b'].map((home) =>
    attack<CommandWorld>(`a service for the home ${shown(home)}`, () =>
      mustBeRefused(async () =>
        defineService('launchd', { name: 'mneme', home, command: ['/x'], logs: home }, { userHome: '/home' }),
      ),
    ),
  ),
  attack('the pre-commit hook of a Mneme in a folder with a hostile name', (world) =>
    mustNotRun(world, async () => {
      const root = makeTemporaryFolder();
      const folder = path.join(root, `it's "$(touch $MNEME_MARK)" \`touch $MNEME_MARK\`\n; touch $MNEME_MARK`);
      fs.mkdirSync(folder);
      fs.writeFileSync(path.join(folder, 'mneme'), '#!/bin/sh\necho "checked $1"\n', { mode: 0o755 });
      execFileSync('git', ['init', '--quiet', root]);
      const git = new Git({ gitDir: path.join(root, '.git'), workTree: root });
      await installHooks(git, { command: [path.join(folder, 'mneme')], kind: 'workspace' });
      const said = execFileSync(path.join(root, '.git/hooks/pre-commit'), { cwd: root, encoding: 'utf8' });
      return said === 'checked hook\n' ? undefined : said;
    }),
  ),
];

/** The words of a unit's command line, by systemd's rules. */
function readExecStart(unit: string): string[] {
  const line = /^ExecStart=(?<words>.*)$/mu.exec(unit)?.groups?.['words'] ?? '';
  return [...line.matchAll(/"(?<quoted>(?:\\.|[^"\\])*)"|(?<plain>\S+)/gu)].map(({ groups }, at) => {
    const word = (groups?.['quoted']?.replaceAll(/\\(.)/gu, '$1') ?? groups?.['plain'] ?? '').replaceAll('%%', '%');
    return at === 0 ? word : word.replaceAll('$$', '$');
  });
}

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** Everything that is published or run by `npm`. */
const FOLDERS = ['bin', 'dashboard/src', 'plugins', 'scripts', 'src', 'tools'];
/** The only files that may start a program; each gives the system a list of arguments. */
const STARTERS = new Set([
  'bin/mneme',
  // Runs in the runtimes of opencode and pi, which cannot load the library.
  'plugins/program.js',
  'src/platform/programs/companion.ts',
  'src/platform/programs/detached.ts',
  'src/interfaces/cli/editor.ts',
  'src/platform/programs/start.ts',
]);
const SHELLS = [
  /\bshell:\s*(?:true|['"`]|process\b)/u,
  /\b(?:exec|execSync)\b[^;]*from 'node:child_process'/u,
  /['"](?:\/bin\/|\/usr\/bin\/)?(?:ba|da|z|k)?sh(?:\.exe)?['"],\s*\[?['"]-\w*c['"]/u,
  /['"](?:(?:ba|da|z|k)?sh|cmd|powershell|pwsh)(?:\.exe)?['"],\s*\[/iu,
] as const;
const STARTING = /import (?!type\b)[^;]*from 'node:child_process'|(?:import|require)\('node:child_process'\)/u;

function readSources(): [string, string][] {
  return FOLDERS.flatMap((folder) =>
    walkTree(path.join(ROOT, folder))
      .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
      .filter(
        (file) => file === 'bin/mneme' || (/\.[cm]?[jt]sx?$/u.test(file) && !/\.test\.ts$|\/testing\//u.test(file)),
      )
      .map((file): [string, string] => [file, fs.readFileSync(path.join(ROOT, file), 'utf8')]),
  );
}

const SOURCES: readonly Case[] = [
  attack('a source file that names a shell', async () => {
    const found = readSources().filter(([, text]) => SHELLS.some((shell) => shell.test(text)));
    return found.length === 0 ? undefined : found.map(([file]) => file).join(', ');
  }),
  attack('a source file that starts programs by itself', async () => {
    const found = readSources().filter(
      ([file, text]) => !file.startsWith('scripts/') && !STARTERS.has(file) && STARTING.test(text),
    );
    return found.length === 0 ? undefined : found.map(([file]) => file).join(', ');
  }),
  control('a source file that starts a program with arguments', async () => {
    const wrong = readSources().filter(([file, text]) => STARTERS.has(file) && !STARTING.test(text));
    return wrong.length === 0 ? undefined : wrong.map(([file]) => file).join(', ');
  }),
];

export const COMMANDS: Family<CommandWorld> = {
  title: 'Names, paths and settings run no command',
  cases: [...EDITORS, ...PROBES, ...HOOKS, ...SCHEDULED, ...SOURCES],
};
