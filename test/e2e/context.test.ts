import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { TestCli } from '../support/cli.ts';
import { fixture } from '../support/imports.ts';

interface Told {
  readonly prompt: string;
  readonly tokens: number;
  readonly budget: number;
  readonly receipt: {
    readonly mutation: string;
    readonly sha256: string;
    readonly items: readonly { readonly slot: string; readonly id: string; readonly included: boolean }[];
  };
}

describe('context and why', () => {
  let cli: TestCli;
  beforeAll(async () => {
    cli = new TestCli();
    await cli.init();
    await cli.ok('remember', 'We deploy on Tuesdays, after the stand-up', '--type', 'decision');
    await cli.ok('import', 'claude-code', fixture('claude-code'));
  });

  it('prints the prompt alone, for a pipe', async () => {
    const { out, err, code } = await cli.run(['context', 'when do we deploy?']);
    expect(code).toBe(0);
    expect(err).toBe('');
    expect(out).toContain('<recent>');
    expect(out).toContain('We deploy on Tuesdays');
  });

  it('prints one JSON value with the prompt and its receipt', async () => {
    const told = await cli.json<Told>('context', 'when', 'do', 'we', 'deploy?', '--event', 'prompt');
    expect(Object.keys(told).slice(0, 4)).toEqual(['prompt', 'tokens', 'budget', 'receipt']);
    expect(told).toMatchObject({
      budget: 1500,
      receipt: { tokenizer: 'characters ÷ 4', embedder: expect.any(String) as string },
    });
    expect(told.receipt.items[0]).toMatchObject({ slot: 'P3', included: true });
  });

  it('says nothing on standard output when nothing belongs to the message', async () => {
    const { out, err, code } = await cli.run(['context', '--event', 'prompt', 'thanks!']);
    expect([code, out]).toEqual([0, '']);
    expect(err).toContain('nothing to tell');
    const { prompt, tokens } = await cli.json<Told>('context', 'thanks!', '--event', 'prompt');
    expect([prompt, tokens]).toEqual(['', 0]);
  });

  it('reads the message from standard input', async () => {
    const { out } = await cli.run(['context', '-', '--event', 'prompt'], 'when do we deploy?');
    expect(out).toContain('Tuesdays');
  });

  it('explains what is in, what is out and what it was made from', async () => {
    const out = await cli.ok('context', 'which day do we deploy on?', '--explain');
    expect(out).toMatch(/\d+ of 8192 tokens · \d+ pieces? in, \d+ out/u);
    expect(out).toContain('Does memory matter here? relevant: asked for\n');
    expect(out).toMatch(/P1 core, projects, recent days\n {2}in/u);
    expect(out).toContain('repeats the recent days');
    expect(out).toMatch(/mutation {3,}[0-9A-Z]{26}/u);
    expect(out).toContain('Told\n  From Mneme');
  });

  it('why shows the same later, and where a memory comes from', async () => {
    const told = await cli.json<Told>('context', 'when do we deploy?', '--event', 'prompt', '--session', 'ses_now');
    expect(await cli.json('why')).toMatchObject({ told: { prompt: told.prompt, isIntact: true } });
    expect(await cli.ok('why', '--session', 'ses_now')).toContain('We deploy on Tuesdays');
    const id = told.receipt.items.find(({ included }) => included)?.id ?? '';
    const out = await cli.ok('why', id);
    expect(out).toMatch(/^where +memory\/episodes\/.*\.md:\d+$/mu);
    expect(out).toMatch(/^written +\S+ \S+ by manual$/mu);
    expect(out).toMatch(/^fading +active \(\d\.\d\d\), never used$/mu);
    expect(out).toMatch(/Looked at for a prompt\n +\S+ \S+ {2}in +when do we deploy\?/u);
  });

  it('why says of a silent prompt what was considered and why not, in words', async () => {
    await cli.ok('context', '--event', 'prompt', 'explain what a monad is in Haskell');
    const { silence } = await cli.json<{ silence: { summary: string; closest: { id: string; line: string }[] } }>(
      'why',
    );
    expect(silence.summary).toMatch(
      /^Nothing was added: no memory seemed needed for this prompt \(chance (?:under 1|\d+) %, needs \d+ %\)\.$/u,
    );
    expect(silence.closest).toHaveLength(3);
    for (const { line } of silence.closest) {
      expect(line).toMatch(/^".+" \(\d{4}-\d\d-\d\d, helps with a chance of (?:under 1|\d+) %\)$/u);
    }
    const said = `${silence.summary}\nClosest:\n${silence.closest.map(({ line }) => `  ${line}\n`).join('')}`;
    expect(await cli.ok('why')).toContain(said);
    expect(await cli.ok('context', 'show', 'last')).toContain(said);
    expect(await cli.json('context', 'show', 'last')).toMatchObject({ silence });
  });

  it('keeps the prompt by month and hash', async () => {
    const { receipt } = await cli.json<Told>('context', 'when do we deploy?');
    const months = fs.readdirSync(path.join(cli.home, 'journal', 'receipts'));
    const names = months.flatMap((month) => fs.readdirSync(path.join(cli.home, 'journal', 'receipts', month)));
    expect(names.some((name) => name.endsWith(`-${receipt.sha256.slice(0, 12)}.json`))).toBe(true);
  });

  it.each([
    [['context', 'x', '--preset', 'huge'], 2, 'preset must be hook, dense, standard or large'],
    [['context', 'x', '--budget', 'many'], 2, '--budget takes a whole number'],
    [['context', 'x', '--event', 'lunch'], 2, 'event must be'],
    [['context', 'x', '--scope', 'nobody'], 2, 'scope'],
    [['why', '0000000000000'], 3, 'Nothing remembered has the id'],
    [['why', '--session', 'ses_never'], 3, 'Nothing was told in ses_never'],
  ])('%j ends with %i', async (args, code, message) => {
    const result = await cli.run(args);
    expect(result.code).toBe(code);
    expect(result.err).toContain(message);
  });
});
