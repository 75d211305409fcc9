import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runOperation } from '../../src/operations/operation.ts';
import { runProcedure } from '../../src/operations/procedures/run.ts';
import { ProcedureHome, until } from '../support/procedure-home.ts';
import { RETIRE_MIN_RUNS } from '../../src/operations/procedures/refine.ts';
import { MAX_AT_ONCE } from '../../src/operations/procedures/open-workflows.ts';

let home: ProcedureHome;

beforeEach(async () => {
  home = await ProcedureHome.make();
});

// SPEC PROCEDURE-3, PROCEDURE-4, PROCEDURE-5
describe('the library', () => {
  it('records a run whose process died between its end and its record, and records it once', async () => {
    home.write('hello', '---\nname: Hello\n---\n# Hello\n\n## Steps\n1. By hand\n');
    home.write('other', '# Other\n\n## Steps\n1. Say\n   - action: say x\n');
    await home.open(async (mneme) => {
      const { run } = await mneme.procedures.run('hello');
      const journal = path.join(home.cli.home, 'journal/runs', `${run}.jsonl`);
      const answered = { type: 'answered', atMs: 2e12, answer: { verdict: 'yes' }, by: 'manual' };
      const text = `${fs.readFileSync(journal, 'utf8')}${JSON.stringify(answered)}\n`;
      for (let times = 0; times < 2; times += 1) {
        // As if the journal had outlived its record.
        fs.writeFileSync(journal, text);
        await mneme.procedures.run('other');
        expect(fs.existsSync(journal)).toBe(false);
      }
    });
    expect(home.read('memory/meta/executions.md').match(/succeeded \[\[hello\]\]/gu)).toHaveLength(1);
    expect(home.read('memory/procedures/hello.md')).toContain('executions: 1\n');
  });

  it('two drivers are kept apart although state/ was deleted', async () => {
    home.write(
      'gate',
      '# Gate\n\n## Steps\n1. First\n   - action: gate\n   - idempotent: yes\n2. Second\n   - action: gate\n',
    );
    await home.open(async (mneme) => {
      let open: () => void = () => undefined;
      let calls = 0;
      mneme.registerAction('gate', undefined, () => {
        calls += 1;
        return calls === 1 ? new Promise<void>((resolve) => (open = resolve)) : null;
      });
      const first = mneme.procedures.run('gate');
      await until(() => calls === 1);
      const [run] = (await mneme.procedures.runs()).runs;
      fs.rmSync(path.join(home.cli.home, 'state/runs'), { recursive: true });
      const second = await mneme.procedures.resume(run?.run ?? '', {});
      open();
      await expect(first).rejects.toThrow(/Somebody else went on/u);
      expect(second.status).toBe('succeeded');
      expect(calls).toBe(3);
    });
  });

  it('runs what a procedure does for whoever started the run, not for the first who ran one', async () => {
    home.write('note', '# Note\n\n## Steps\n1. Keep\n   - action: remember text={{text}}\n');
    await home.open(async ({ internals }) => {
      const run = (actor: string, text: string): Promise<unknown> =>
        runOperation(runProcedure, { ...internals, actor }, { name: 'note', input: { text } });
      await run('bot:main', 'The kettle is blue.');
      await run('human:ana', 'The teapot is green.');
      const actors = internals.audit
        .query({ limit: 20 })
        .flatMap(({ actor, trigger }) => (trigger === 'procedure Note' ? [actor] : []));
      expect(actors.sort()).toEqual(['bot:main', 'human:ana']);
    });
  });

  const TWO_STEPS =
    '# Gate\n\n## Steps\n1. First\n   - action: gate\n   - idempotent: yes\n2. Second\n   - action: gate\n';

  it('closing lets the present step end, pauses the run, and another process goes on', async () => {
    home.write('gate', TWO_STEPS);
    let calls = 0;
    let status = '';
    let run = '';
    await home.open(async (mneme) => {
      let open: () => void = () => undefined;
      mneme.registerAction('gate', undefined, async () => {
        calls += 1;
        await new Promise<void>((resolve) => (open = resolve));
        // The step under way still needs the home.
        return (await mneme.procedures.runs()).runs.length;
      });
      const running = mneme.procedures.run('gate');
      await until(() => calls === 1);
      const closing = mneme.close();
      open();
      await closing;
      ({ status, run } = await running);
      await expect(mneme.procedures.runs()).rejects.toThrow(/was closed/u);
    });
    expect([status, calls]).toEqual(['paused', 1]);
    const resumed = await home.open((mneme) => {
      mneme.registerAction('gate', undefined, () => (calls += 1));
      return mneme.procedures.resume(run, {});
    });
    expect([resumed.status, calls]).toEqual(['succeeded', 2]);
  });

  it('a step that never ends does not keep a home open, and is begun again elsewhere', async () => {
    home.write('gate', TWO_STEPS);
    let calls = 0;
    const left = await home.open(async (mneme) => {
      mneme.registerAction('gate', undefined, () => {
        calls += 1;
        return new Promise<void>(() => undefined);
      });
      // Given up long after this test, when the other home has gone on with it.
      void mneme.procedures.run('gate').catch(() => 'overtaken');
      await until(() => calls === 1);
      return mneme.internals.parts.runs.pause(50);
    });
    expect(left).toEqual([expect.stringMatching(/^A step of run_\w+ was still under way/u)]);
    const resumed = await home.open((mneme) => {
      mneme.registerAction('gate', undefined, () => (calls += 1));
      return mneme.procedures.resume(/run_\w+/u.exec(left[0] ?? '')?.[0] ?? '', {});
    });
    expect([resumed.status, calls]).toEqual(['succeeded', 3]);
  });

  it('an action may run another procedure, however deep: it does not wait for a place of its own', async () => {
    // One deeper than runs at a time.
    const depth = MAX_AT_ONCE + 1;
    for (let level = 0; level < depth; level += 1)
      home.write(`level${level}`, `# Level${level}\n\n## Steps\n1. In\n   - action: level${level + 1}\n`);
    home.write(`level${depth}`, `# Level${depth}\n\n## Steps\n1. Say\n   - action: say deep\n`);
    await home.open(async (mneme) => {
      const reached: string[] = [];
      for (let level = 1; level <= depth; level += 1)
        mneme.registerAction(`level${level}`, undefined, async () => {
          const { status, said } = await mneme.procedures.run(`level${level}`);
          reached.push(`${level} ${status} ${said.join(' ')}`.trim());
        });
      expect(await mneme.procedures.run('level0')).toMatchObject({ status: 'succeeded' });
      expect(reached).toHaveLength(depth);
      expect(reached[0]).toBe(`${depth} succeeded deep`);
    });
  });

  it('runs registered actions, checks what they are given, and hands back what they gave', async () => {
    home.write(
      'sum',
      '# Sum\n\n## Steps\n1. Add\n   - action: add a={{a}} b=2\n   - save as: sum\n2. Too much\n   - action: add a={{sum}} b=many\n   - on error: fallback say text="{{sum}} is all"\n',
    );
    const result = await home.open((mneme) => {
      mneme.registerAction('add', z.object({ a: z.number(), b: z.number() }), ({ a, b }) => a + b);
      return mneme.procedures.run('sum', { input: { a: 40 } });
    });
    expect(result).toMatchObject({
      status: 'succeeded',
      answers: { sum: 42, step1: 42 },
      said: ['42 is all'],
      steps: [{ outcome: 'ok' }, { outcome: 'fell-back', error: expect.stringContaining('b: ') }, { outcome: 'ok' }],
    });
  });

  it('refuses a second action of a name, also of a built-in one', async () => {
    await home.open(async (mneme) => {
      expect(() => mneme.registerAction('say', undefined, () => null)).toThrow(/already/u);
      expect(await mneme.procedures.list()).toEqual([]);
    });
  });

  it('a secret that was lost with the process has to be given again', async () => {
    const token = ['ghp', 'x7Kq2mZ9vB4nR8tW1yL5cD3fG6hJ0pS2aQ4e'].join('_');
    home.write(
      'login',
      '# Login\n\n## Steps\n1. Wait for me\n2. Say\n   - action: say text="{{length(token)}} characters"\n',
    );
    await home.open(async (mneme) => {
      const { run } = await mneme.procedures.run('login', { input: { token } });
      await expect(mneme.procedures.resume(run, { answer: 'yes' })).rejects.toThrow(/looked like a secret/u);
      const done = await mneme.procedures.resume(run, { answer: 'yes', input: { token, input: {} } });
      expect(done).toMatchObject({ status: 'succeeded', said: ['40 characters'] });
    });
  });

  it('proposes refinements with evidence, once, and applies what is approved', async () => {
    home.write('flaky', '---\ntype: procedure\nname: Flaky\n---\n# Flaky\n\n## Steps\n1. Try\n   - action: flaky\n');
    await home.open(async (mneme) => {
      let calls = 0;
      mneme.registerAction('flaky', undefined, () => {
        calls += 1;
        if (calls % 2 === 0) throw new Error('out of luck');
      });
      for (let index = 0; index < 6; index += 1) await mneme.procedures.run('flaky');
      const { procedures } = await mneme.procedures.refine();
      expect(procedures).toMatchObject([
        { outcome: 'filed', refinements: [{ kind: 'failing', evidence: { length: 3 } }] },
      ]);
      await mneme.procedures.run('flaky');
      expect((await mneme.procedures.refine()).procedures).toMatchObject([{ outcome: 'already-open' }]);
    });
    const [{ id }] = await home.cli.json<[{ id: string }]>('proposals');
    await home.cli.ok('approve', id);
    expect(home.read('memory/procedures/flaky.md')).toContain('   - action: flaky\n   - on error: retry 2\n');
    expect(await home.cli.json('procedure', 'show', 'flaky')).toMatchObject({ version: '1.1', executions: 7 });
    expect(await home.cli.ok('procedure', 'refine')).toBe('The runs so far suggest nothing to change.\n');
  });

  it('proposes to retire what nearly always fails', async () => {
    home.write('hopeless', '# Hopeless\n\n## Steps\n1. Fail\n   - action: fail\n');
    await home.open(async (mneme) => {
      mneme.registerAction('fail', undefined, () => Promise.reject(new Error('no')));
      for (let index = 0; index < RETIRE_MIN_RUNS; index += 1) {
        await mneme.procedures.run('hopeless');
      }
      expect((await mneme.procedures.refine()).procedures).toMatchObject([
        { refinements: [{ kind: 'retire' }], outcome: 'filed' },
      ]);
    });
  });

  it('learns from conversations that went well; nothing is written before a yes', async () => {
    await home.open(async (mneme) => {
      for (const number of [1, 2, 3]) {
        const session = await mneme.session.start({ id: `ses_${number}` });
        await session.message('user', `Please release version ${number}`);
        await session.tool('Bash', { command: 'npm test' }, 'passed');
        await session.tool('Bash', { command: `git tag v${number}` }, 'ok');
        await session.tool('Bash', { command: 'git push --tags' }, 'ok');
        await session.message('user', 'Thank you!');
        await session.end();
      }
      const { learned } = await mneme.procedures.learn();
      expect(learned).toMatchObject([
        { name: 'Release', steps: ['`npm test`', '`git tag {{version}}`', '`git push --tags`'], outcome: 'filed' },
      ]);
      expect(await mneme.procedures.list()).toEqual([]);
      expect((await mneme.procedures.learn()).learned).toMatchObject([{ outcome: 'already-open' }]);
    });
    const [{ id }] = await home.cli.json<[{ id: string }]>('proposals');
    await home.cli.ok('approve', id);
    expect(await home.cli.ok('procedure', 'match', 'please release the next version')).toContain('Release');
    expect(await home.cli.ok('procedure', 'learn')).toContain('known already');
  });
});
