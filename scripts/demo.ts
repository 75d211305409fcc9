/** `npm start`: the main job on a throw-away home, in a few seconds, ending by itself. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runCli } from '../src/interfaces/cli/run.ts';
import { openMneme } from '../src/index.ts';
import { readEnvironment } from '../src/platform/environment.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createStyle } from '../src/operations/command-line/style.ts';

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

/** The newest mutation of a file, as a person would copy it from `mneme history log`. */
async function latestMutation(file: string): Promise<string> {
  const memory = await openMneme({ home });
  const [line] = memory.internals.audit.query({ file, limit: 1 });
  await memory.close();
  return line?.reference ?? '';
}

/** A conversation of yesterday, a JSON value per line. */
function sampleConversation(): string {
  const day = new Date(systemClock.now() - 86_400_000).toISOString().slice(0, 10);
  const turns: readonly (readonly [string, string, string])[] = [
    ['09:02', 'user', 'Some customers got their invoice twice last night. Can you look?'],
    ['09:04', 'agent', 'The nightly job ran twice: the old cron entry on heron was never removed after the move.'],
    ['09:06', 'user', 'Remove it, and make the job refuse to run twice for the same day.'],
    ['09:15', 'agent', 'Done. The job takes a lock named after the day; a second run says so and ends.'],
    ['09:16', 'user', 'Good. We keep the lock for 48 hours, so that a restart at midnight is covered too.'],
  ];
  return turns
    .map(([time, role, text]) => `${JSON.stringify({ session: 'invoices', time: `${day}T${time}:00Z`, role, text })}\n`)
    .join('');
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

say('Yesterday’s conversation with an agent, as any program can write it down …');
const conversation = path.join(path.dirname(home), 'conversation.jsonl');
fs.writeFileSync(conversation, sampleConversation());
await mneme('import', 'transcript', conversation);

say('… and a question, answered from everything above, in milliseconds, offline.');
await mneme('recall', 'why did the invoices go out twice?', '--limit', '1');
await mneme('recall', 'when do we deploy?', '--limit', '1');

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
  ${style.cyan('bin/mneme')}                          learns from your agents’ logs, shows what it knows, connects them
  ${style.cyan('bin/mneme remember "…"')}             keep something
  ${style.cyan('bin/mneme recall "…"')}               find it again
  ${style.cyan('bin/mneme help')}                     everything else
`);
