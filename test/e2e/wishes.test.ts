import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { TestCli } from '../support/cli.ts';
import { makeTemporaryFolder } from '../support/home.ts';
import { answerHook } from '../support/hooks.ts';

// SPEC LEARN-7
describe('a wish in a conversation that hooks capture', () => {
  let cli: TestCli;
  let log: string;
  let lines = 0;

  beforeEach(async () => {
    cli = new TestCli();
    await cli.init();
    await cli.ok('config', 'set', 'hooks.timeout_ms', '20000');
    log = path.join(makeTemporaryFolder(), 'c0ffee00-0000-4000-8000-000000000001.jsonl');
  });

  function say(type: 'user' | 'assistant', text: string): void {
    lines += 1;
    const content = type === 'user' ? text : [{ type: 'text', text }];
    const line = {
      type,
      uuid: `00000000-0000-4000-8000-${String(lines).padStart(12, '0')}`,
      timestamp: new Date(Date.UTC(2026, 2, 5, 10, lines)).toISOString(),
      cwd: '/code/lantern',
      message: { role: type, content },
    };
    fs.appendFileSync(log, `${JSON.stringify(line)}\n`);
  }

  const hook = (event: string, more: Record<string, unknown> = {}): Promise<{ out: string; err: string }> =>
    answerHook(cli.home, event, { transcript_path: log, ...more });

  const memory = (): string => {
    const folder = path.join(cli.home, 'workspace', 'memory');
    const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const kept = files.filter((name) => /^(?:episodes|graph\/entities)\/.*\.md$/u.test(name));
    return kept.map((name) => fs.readFileSync(path.join(folder, name), 'utf8')).join('\n');
  };
  const count = (): number => memory().split('oven timer runs two minutes fast').length - 1;

  it('is fulfilled once, as the user’s own, and the agent is told once', async () => {
    say('user', 'Remember that the oven timer runs two minutes fast.');
    say('assistant', 'Noted.');
    expect(await hook('Stop')).toEqual({ out: '', err: '' });
    expect(count()).toBe(1);
    const { hits } = await cli.json<{ hits: readonly Record<string, unknown>[] }>('recall', 'oven timer');
    expect(hits.find((hit) => String(hit['path']).startsWith('memory/'))).toMatchObject({
      trust: 'user',
      provenance: { source: 'user-explicit', turn: 't1' },
    });
    await Promise.all([hook('Stop'), hook('Stop')]);
    expect(count()).toBe(1);
    const told = await hook('UserPromptSubmit', { prompt: 'What is for dinner?' });
    expect(told.out).toContain('remembered: the oven timer runs two minutes fast');
    expect((await hook('UserPromptSubmit', { prompt: 'And tomorrow?' })).out).not.toContain('remembered:');
    await hook('SessionEnd');
    await cli.ok('extract');
    expect(count()).toBe(1);
    expect(memory()).not.toContain('verified:');
  });

  it('is fulfilled by extraction where no hook came to it, and by nothing else twice', async () => {
    say('user', 'hello there');
    say('assistant', 'Hello.');
    await hook('Stop');
    say('user', 'Remember that the oven timer runs two minutes fast.');
    say('assistant', 'Noted.');
    await hook('SessionEnd');
    // As if the last hook had been stopped before it fulfilled the wish.
    const wishes = path.join(cli.home, 'journal', 'wishes');
    const [name = ''] = fs.readdirSync(wishes);
    fs.writeFileSync(path.join(wishes, name), JSON.stringify({ upTo: 2, untold: [] }));
    await cli.ok('extract');
    expect(count()).toBe(1);
  });

  it('is fulfilled later when the hook that heard it ran out of time', async () => {
    await cli.ok('config', 'set', 'hooks.timeout_ms', '1500');
    say('user', 'Remember that the oven timer runs two minutes fast.');
    say('assistant', 'Noted.');
    const held = new DatabaseSync(path.join(cli.home, 'state', 'lock.db'));
    held.exec('BEGIN IMMEDIATE');
    await hook('SessionEnd');
    held.exec('ROLLBACK');
    held.close();
    expect(count()).toBe(0);
    await cli.ok('config', 'set', 'hooks.timeout_ms', '20000');
    await hook('SessionEnd');
    await cli.ok('extract');
    expect(count()).toBe(1);
  });

  it('is tried again when it failed, and told when it succeeded', async () => {
    await cli.ok('remember', 'I live in Munich.');
    const file = path.join(cli.home, 'workspace', 'memory', 'graph', 'entities', 'person--user.md');
    const sound = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, sound.replace('---\n', '---\nbroken: [a, "b\n'));
    say('user', 'Remember that I live in Berlin.');
    say('assistant', 'Noted.');
    expect((await hook('Stop')).err).toContain('waits');
    expect((await hook('UserPromptSubmit', { prompt: 'Thanks' })).out).toContain('could not remember');
    fs.writeFileSync(file, sound.replace('aliases: []', 'aliases: [Inky]'));
    await hook('SessionEnd');
    await cli.ok('extract');
    expect(fs.readFileSync(file, 'utf8')).toMatch(/^- [^~]*Berlin/mu);
    const waiting = fs.readdirSync(path.join(cli.home, 'journal', 'wishes'));
    expect(waiting).toEqual([expect.stringMatching(/\.json$/u)]);
  });

  it('is none in what the agent or a pasted text says', async () => {
    say('user', 'Translate: "Remember that the oven timer runs two minutes fast."');
    say('assistant', 'Remember that the oven timer runs two minutes fast.');
    await hook('Stop');
    expect(count()).toBe(0);
  });
});
