/** `npm start`: the main job on a throw-away home, in a few seconds, ending by itself. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runCli } from '../src/interfaces/cli/run.ts';
import { openMneme } from '../src/index.ts';
import { readEnvironment } from '../src/platform/environment.ts';
import { createStyle } from '../src/interfaces/cli/style.ts';

const home = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-demo-')), 'home');
const environment = { ...readEnvironment(), home };
const style = createStyle(environment.wantsColor);

function say(text: string): void {
  process.stdout.write(`\n${style.bold(text)}\n`);
}

async function mneme(...args: string[]): Promise<void> {
  const shown = args.map((arg) => (/[\s"]/u.test(arg) ? `"${arg.replaceAll('"', '\\"')}"` : arg)).join(' ');
  process.stdout.write(`${style.cyan(`$ mneme ${shown}`)}\n`);
  const code = await runCli(args, environment);
  if (code !== 0) throw new Error(`mneme ${args[0] ?? ''} ended with ${code}`);
}

/** The newest mutation of a file, as a person would copy it from `mneme log`. */
async function latestMutation(file: string): Promise<string> {
  const memory = await openMneme({ home });
  const [line] = memory.context.audit.query({ file, limit: 1 });
  await memory.close();
  return line?.reference ?? '';
}

say('A memory home is two files.');
await mneme('init');

say('Remember something: it is in a Markdown file at once, safe against a crash, and in git.');
await mneme('remember', 'We deploy on Tuesdays, after the stand-up', '--tags', 'deploy', '--type', 'decision');
await mneme('remember', 'Anna prefers short answers', '--store', 'core', '--block', 'Persona', '--as', 'bot:demo');

say('A person edits the same files with any editor; nothing is overwritten, and Mneme asks.');
const core = path.join(home, 'workspace', 'MEMORY.md');
fs.writeFileSync(core, fs.readFileSync(core, 'utf8').replace('short answers', 'short answers, with sources'));
await mneme('status');
await mneme('audit', 'ack');

say('Every change has a history: who, when, why, and a way back.');
await mneme('log');
await mneme('rollback', await latestMutation('memory/episodes'));

say('A sub-agent does not write, it proposes; a person decides.');
await mneme(
  'proposals',
  'add',
  'memory/reference/router.md',
  '--content',
  '# Router\n\nThe router is in the hall.\n',
  '--title',
  'Where the router is',
  '--as',
  'subagent:researcher',
);
await mneme('approve', '--all');

say('Secrets never reach the disk.');
await mneme('remember', `the token is ${['ghp', 'Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1Jk0Lz8Xc7'].join('_')}`);

say('Do files, git, journal and audit log agree?');
await mneme('check');

process.stdout.write(`
The home of this demo is ${style.bold(home)}; look around in it, or delete it.

Your own memory:
  ${style.cyan('bin/mneme init')}                     a home in ~/.mneme
  ${style.cyan('bin/mneme remember "…"')}             keep something
  ${style.cyan('bin/mneme help')}                     everything else
`);
