import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { isLongRun, sample } from '../support/effort.ts';
import { TestCli } from '../support/cli.ts';
import { makeTemporaryFolder } from '../support/home.ts';
import { countLines } from '../support/imports.ts';

const root = path.resolve(import.meta.dirname, '../..');
const program = path.join(root, 'bin', 'mneme');
const RECORDED = path.join(root, 'test', 'fixtures', 'hooks', 'conversation.jsonl');

interface HookResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

type Input = Record<string, unknown>;

/** The real command, as Claude Code runs it. Input `undefined` leaves standard input open. */
function runHook(home: string, input: string | Buffer | undefined, event?: string): Promise<HookResult> {
  return new Promise((resolve) => {
    const child = startHook(home, event);
    let out = '';
    let err = '';
    child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
    // The program may be gone before it has read everything.
    child.stdin?.on('error', () => undefined);
    child.on('close', (code) => resolve({ code, out, err }));
    if (input !== undefined) child.stdin?.end(input);
  });
}

function startHook(home: string, event?: string): ChildProcess {
  const args = [program, '--home', home, 'hook', 'claude-code', ...(event === undefined ? [] : [event])];
  return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'], cwd: makeTemporaryFolder() });
}

function contextOf({ out }: HookResult): string {
  if (out === '') return '';
  const { hookSpecificOutput } = JSON.parse(out) as { hookSpecificOutput: { additionalContext: string } };
  return hookSpecificOutput.additionalContext;
}

interface Replayed extends HookResult {
  readonly input: Input;
}

/** Plays the recording: lines are added to the logs as Claude Code would, hooks get their recorded inputs. */
async function replay(home: string, logs: string, repeats = 1): Promise<Replayed[]> {
  const results: Replayed[] = [];
  for (const text of fs.readFileSync(RECORDED, 'utf8').trimEnd().split('\n')) {
    const step = JSON.parse(text.replaceAll('$LOGS', logs)) as { log?: string; line?: unknown; hook?: Input };
    if (step.hook === undefined) {
      const folder = path.join(logs, '-home-ines-work-lantern');
      fs.mkdirSync(folder, { recursive: true });
      fs.appendFileSync(path.join(folder, `${step.log}.jsonl`), `${JSON.stringify(step.line)}\n`);
      continue;
    }
    const { hook } = step;
    const once = Array.from({ length: repeats }, () =>
      runHook(home, JSON.stringify(hook), String(hook['hook_event_name'])),
    );
    for (const result of await Promise.all(once)) results.push({ ...result, input: hook });
  }
  return results;
}

/** With time enough for a machine that is busy with other tests. */
async function makeHome(timeoutMs = 20_000): Promise<TestCli> {
  const cli = new TestCli();
  await cli.init();
  await cli.ok('config', 'set', 'hooks.timeout_ms', String(timeoutMs));
  return cli;
}

function transcripts(home: string): string[] {
  const folder = path.join(home, 'raw', 'conversations');
  if (!fs.existsSync(folder)) return [];
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  return files.sort().map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
}

// SPEC CONTEXT-2, CONTEXT-3
describe('a recorded conversation with Claude Code', () => {
  it('is captured once, found in the next session, and briefed from', async () => {
    const cli = await makeHome();
    const logs = makeTemporaryFolder();
    const results = await replay(cli.home, logs);
    expect(results.map(({ code, err }) => [code, err])).toEqual(results.map(() => [0, '']));

    const [first = '', second = '', ...others] = transcripts(cli.home);
    expect(others).toEqual([]);
    const sentences = [
      /^The booking tests cannot reach the staging database/u,
      /^> \[tool:Grep\] 5432 config → Found 1 file config\/staging\.toml$/u,
      /^> \[tool:Edit\] config\/staging\.toml → The file config/u,
      /^Done: config\/staging\.toml now says 5544/u,
      /^Good\. We decided against Redis/u,
      /^> \[tool:Bash\] rg -l redis src \| wc -l → 14$/u,
      /^Releases go out on Thursdays/u,
      /^Understood: Thursdays/u,
    ];
    expect(sentences.map((sentence) => countLines(first, sentence))).toEqual(sentences.map(() => 1));
    expect(first).not.toMatch(/system-reminder|Look for the port/u);
    expect(first).toMatch(/model: claude-sonnet-4-5-20250929\nchannel: claude-code\n/u);
    expect(first).toContain('project: lantern\n');
    expect(countLines(second, /^Which port does the staging database listen on\?/u)).toBe(1);

    const question = results.find(({ input }) => String(input['prompt']).startsWith('Which port'));
    const start = results.findLast(({ input }) => input['hook_event_name'] === 'SessionStart');
    expect(contextOf(start ?? { code: 0, out: '', err: '' })).toContain('Releases go out on Thursdays');
    // Told once in a session: when it starts, or when it is asked for.
    const told = [start, question].map((result) => contextOf(result ?? { code: 0, out: '', err: '' }));
    expect(told.join('\n').match(/listens on port 5544/gu)).toHaveLength(1);
    expect(results.find(({ input }) => input['prompt'] === 'thanks!')?.out).toBe('');
    const quiet = results.filter(({ input }) =>
      ['Stop', 'SessionEnd', 'PreCompact'].includes(String(input['hook_event_name'])),
    );
    expect(quiet.map(({ out }) => out)).toEqual(quiet.map(() => ''));

    expect(await cli.ok('import', 'claude-code', logs)).toContain('Nothing new in Claude Code');
    expect(await cli.ok('recall', 'what replaces Redis for the seat queue?')).toContain('Valkey');
    expect(await cli.ok('session', 'list')).toContain('No conversation is going on');
  });

  it.runIf(isLongRun)('is captured once also when every hook runs twice at the same time', async () => {
    const cli = await makeHome();
    const logs = makeTemporaryFolder();
    const results = await replay(cli.home, logs, 2);
    expect(results.map(({ code, err }) => [code, err])).toEqual(results.map(() => [0, '']));
    const text = transcripts(cli.home).join('\n');
    expect(countLines(text, /^Releases go out on Thursdays/u)).toBe(1);
    expect(countLines(text, /^Fourteen files import the Redis client/u)).toBe(1);
    expect(await cli.ok('import', 'claude-code', logs)).toContain('Nothing new in Claude Code');
  });
});

describe('whatever is wrong, the agent goes on', () => {
  const logs = makeTemporaryFolder();
  const log = path.join(logs, '3f0c1d52-8a64-4c1e-9b7d-52e1a0c4d911.jsonl');
  fs.writeFileSync(
    log,
    fs
      .readFileSync(RECORDED, 'utf8')
      .trimEnd()
      .split('\n')
      .flatMap((text) => {
        const { log: id, line } = JSON.parse(text) as { log?: string; line?: unknown };
        return id?.startsWith('3f0c') === true ? [JSON.stringify(line)] : [];
      })
      .join('\n') + '\n',
  );
  const events = ['SessionStart', 'UserPromptSubmit', 'Stop', 'PreCompact', 'SessionEnd'];
  const inputFor = (event: string, more: Input = {}): string =>
    JSON.stringify({
      session_id: 'x',
      transcript_path: log,
      cwd: '/nowhere',
      hook_event_name: event,
      prompt: 'Which port does the staging database listen on?',
      source: 'resume',
      ...more,
    });

  /** What a hook did, in words: its exit code, whether its output can be read, and its line on standard error. */
  async function verdict(running: Promise<HookResult>): Promise<string> {
    const result = await running;
    const isReadable = result.out === '' || contextOf(result) !== '';
    const lines = result.err === '' ? 0 : result.err.trimEnd().split('\n').length;
    return `exit ${result.code}, ${isReadable ? 'fine' : 'broken'} output, ${lines} complaints: ${result.err}`;
  }
  const passes = /^exit 0, fine output, [01] complaints/u;
  const complains = (words: string): RegExp =>
    new RegExp(String.raw`^exit 0, fine output, 1 complaints: mneme: .*${words}`, 'u');

  it.each(events)('%s without a home', async (event) => {
    const result = await runHook(path.join(makeTemporaryFolder(), 'none'), inputFor(event), event);
    expect(result).toMatchObject({ code: 0, out: '' });
    // Starting the program may take a busy machine all the time it has; what it says then is in run-hook.test.ts.
    expect(result.err).toMatch(/^mneme: \w+ hook: (?:.*is not a Mneme home.*mneme init|given up after).*\n$/u);
  });

  it.each(sample(events, 3))('%s with a home that is a file, or has no history', async (event) => {
    const file = path.join(makeTemporaryFolder(), 'home');
    fs.writeFileSync(file, 'not a folder');
    expect(await verdict(runHook(file, inputFor(event), event))).toMatch(complains(''));
    const cli = await makeHome();
    fs.rmSync(path.join(cli.home, 'workspace'), { recursive: true });
    expect(await verdict(runHook(cli.home, inputFor(event), event))).toMatch(passes);
  });

  it.runIf(isLongRun)('with broken settings and a broken index', async () => {
    const cli = await makeHome();
    await cli.ok('remember', 'The lighthouse key hangs behind the freezer.');
    fs.writeFileSync(path.join(cli.home, 'mneme.yaml'), 'format: [broken\n  - \t\nhooks:\n  timeout_ms: 20000\n');
    for (const event of events) {
      fs.writeFileSync(path.join(cli.home, 'state', 'index.db'), Buffer.alloc(8192, 0x5a));
      expect(await verdict(runHook(cli.home, inputFor(event), event))).toMatch(passes);
    }
    fs.writeFileSync(path.join(cli.home, 'state', 'index.db'), Buffer.alloc(8192, 0x5a));
    const asked = inputFor('UserPromptSubmit', { prompt: 'Where is the lighthouse key?' });
    expect(contextOf(await runHook(cli.home, asked))).toContain('behind the freezer');
  });

  it('while somebody holds every lock', async () => {
    const cli = await makeHome(6000);
    await cli.ok('remember', 'The lighthouse key hangs behind the freezer.');
    await cli.ok('recall', 'lighthouse');
    expect(await verdict(runHook(cli.home, inputFor('Stop'), 'Stop'))).toMatch(passes);
    const held = ['lock.db', 'git.db', 'import.db', 'sessions.db'].map((name) => {
      const database = new DatabaseSync(path.join(cli.home, 'state', name));
      database.exec('BEGIN IMMEDIATE');
      return database;
    });
    const more = { prompt: 'Where is the lighthouse key?' };
    try {
      const [prompt, stop, end] = await Promise.all([
        runHook(cli.home, inputFor('UserPromptSubmit', more), 'UserPromptSubmit'),
        verdict(runHook(cli.home, inputFor('Stop'), 'Stop')),
        verdict(runHook(cli.home, inputFor('SessionEnd'), 'SessionEnd')),
      ]);
      expect(contextOf(prompt)).toContain('behind the freezer');
      expect(stop).toMatch(complains('Stop hook: given up after 6000 ms'));
      expect(end).toMatch(complains('SessionEnd hook: given up after 6000 ms'));
    } finally {
      for (const database of held) database.close();
    }
    // Nothing was lost by it.
    expect(await verdict(runHook(cli.home, inputFor('SessionEnd'), 'SessionEnd'))).toMatch(passes);
    expect(countLines(transcripts(cli.home).join('\n'), /^Releases go out on Thursdays/u)).toBe(1);
  });

  it.each([
    ['is empty', '', 'nothing on standard input'],
    ['is garbage', 'garbage {', 'no JSON object'],
    ['is no object', '[1, 2]', 'no JSON object'],
    ['is no text', Buffer.from([0, 255, 254, 1]), 'no JSON object'],
    ['is oversize', Buffer.alloc(40 * 1024 * 1024, 0x20), 'larger than 32 MB'],
    ['never ends', undefined, 'given up after 2000 ms'],
  ])('with an input that %s', async (_what, input, words) => {
    const cli = await makeHome(input === undefined ? 2000 : undefined);
    expect(await verdict(runHook(cli.home, input, 'Stop'))).toMatch(complains(words));
  });

  it('with an event that is not ours, and with one that only the input names', async () => {
    const cli = await makeHome();
    expect(await verdict(runHook(cli.home, inputFor('Notification')))).toMatch(complains('nothing to do on'));
    expect(await runHook(cli.home, inputFor('Stop'))).toEqual({ code: 0, out: '', err: '' });
  });

  it('with a log that is missing, a folder, or no log', async () => {
    const cli = await makeHome();
    const strange = path.join(logs, 'strange.jsonl');
    fs.writeFileSync(strange, 'no json\n{"type":"user"}\n\0\0\0\n');
    for (const transcript of [path.join(logs, 'none.jsonl'), logs, strange, '', 7]) {
      const result = runHook(cli.home, inputFor('SessionEnd', { transcript_path: transcript }), 'SessionEnd');
      expect(await verdict(result)).toMatch(passes);
    }
    expect(transcripts(cli.home)).toEqual([]);
  });

  it('keeps to the time the settings allow', async () => {
    const cli = await makeHome(60);
    const result = runHook(cli.home, inputFor('SessionStart'), 'SessionStart');
    expect(await verdict(result)).toMatch(complains(String.raw`given up after 60 ms \(hooks\.timeout_ms\)`));
  });

  it('with identity files that are too long for the start of a session', async () => {
    const cli = await makeHome();
    await cli.ok('remember', 'The lighthouse key hangs behind the freezer.');
    fs.writeFileSync(path.join(cli.home, 'workspace', 'AGENTS.md'), 'Be careful. '.repeat(3000));
    const result = await runHook(cli.home, inputFor('SessionStart'), 'SessionStart');
    expect(contextOf(result)).toContain('behind the freezer');
    expect(contextOf(result)).not.toContain('careful');
    expect(result.err).toMatch(/^mneme: SessionStart hook: AGENTS\.md need .* left out; shorten them\.\n$/u);
  });

  it('adds nothing to prompts when the settings say so', async () => {
    const cli = await makeHome();
    await cli.ok('remember', 'The staging database listens on port 5544.');
    await cli.ok('config', 'set', 'hooks.inject_context', 'false');
    expect(await runHook(cli.home, inputFor('UserPromptSubmit'))).toEqual({ code: 0, out: '', err: '' });
  });
});
