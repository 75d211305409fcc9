import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/operations/procedures/run-result.ts';
import { TestCli } from '../support/cli.ts';
import { ProcedureHome, until } from '../support/procedure-home.ts';

const example = path.resolve(import.meta.dirname, '../../examples/actions.ts');
const program = path.resolve(import.meta.dirname, '../../src/interfaces/cli/main.ts');

let home: ProcedureHome;

beforeEach(async () => {
  home = await ProcedureHome.make();
});

const MORNING = `---
type: procedure
kind: workflow
name: Morning routine
triggers:
  keywords: [good morning]
---
# Morning routine

## Steps
1. Greet
   - action: say text="Good morning, {{name}}"
2. Write it down
   - action: remember text="{{name}} was greeted by the morning routine"
   - save as: kept
3. Look it up
   - action: recall text="greeted by the morning routine"
   - expect: \`output.text contains name\`
`;

// SPEC PROCEDURE-1, PROCEDURE-2
describe('running from the command line', () => {
  it('does its steps, records the run and counts it', async () => {
    home.write('morning', MORNING);
    const { code, out } = await home.cli.run(['procedure', 'run', 'morning', '--set', 'name=Ada']);
    expect(out).toMatch(/^Good morning, Ada\n/u);
    expect(out).toContain('Succeeded Morning routine');
    expect(code).toBe(0);
    expect(home.read('memory/meta/executions.md')).toMatch(/^- \S+ \S+ succeeded \[\[morning\]\] v1 in /mu);
    expect(home.read('memory/procedures/morning.md')).toMatch(/metrics:\n {2}executions: 1\n {2}successes: 1\n/u);
    expect(await home.cli.json('procedure', 'stats', 'morning')).toMatchObject({
      procedures: [{ executions: 1, successRate: 1 }],
    });
    expect(fs.readdirSync(path.join(home.cli.home, 'journal/runs'))).toEqual([]);
    expect((await home.cli.run(['check'])).code).toBe(0);
  });

  it('runs nothing it was not given', async () => {
    home.write('danger', '# Danger\n\n## Steps\n1. Delete it all\n   - action: shell rm -rf x\n');
    const { code, err } = await home.cli.run(['procedure', 'run', 'danger']);
    expect(code).toBe(5);
    expect(err).toContain(
      'memory/procedures/danger.md:4 cannot be run: Step 1 needs the action "shell", which nobody registered.',
    );
    expect((await home.cli.json<{ runs: unknown[] }>('procedure', 'runs')).runs).toEqual([]);
  });

  it('waits for what somebody has to do or say, and goes on with the answer', async () => {
    home.write(
      'deploy',
      '# Deploy\n\n## Preconditions\n- The tree is clean\n\n## Steps\n1. Run the tests\n2. Ask\n   - action: confirm "Deploy {{tag}}?"\n3. Done\n   - action: say deployed\n',
    );
    const start = await home.cli.run(['procedure', 'run', 'deploy', '--set', 'tag=v2', '--json']);
    expect(start.code).toBe(1);
    const { run, question } = JSON.parse(start.out) as RunResult;
    expect(question).toEqual({ kind: 'condition', text: 'The tree is clean' });
    const answers = ['yes', 'done', 'yes'];
    const asked: (string | undefined)[] = [];
    for (const answer of answers) {
      const { out } = await home.cli.run(['procedure', 'resume', run, '--answer', answer, '--json']);
      asked.push((JSON.parse(out) as RunResult).question?.text);
    }
    expect(asked).toEqual(['Run the tests', 'Deploy v2?', undefined]);
    expect(await home.cli.ok('procedure', 'runs', run)).toContain('Succeeded Deploy');
    expect(await home.cli.run(['procedure', 'resume', run])).toMatchObject({ code: 4 });
  });

  it('asks on a terminal', async () => {
    home.write(
      'deploy',
      '# Deploy\n\n## Steps\n1. Run the tests\n2. Name it\n   - action: ask "Which tag?"\n3. Say it\n   - action: say {{last}}\n',
    );
    const person = new TestCli(home.cli.home, { answers: ['what?', 'y', 'v7'] });
    const { code, out } = await person.run(['procedure', 'run', 'deploy']);
    expect(code).toBe(0);
    expect(out).toContain('\nv7\n');
  });

  it('walks a decision tree and explains the way', async () => {
    home.write(
      'channel',
      '# Channel\n\n## Tree\n- Is it urgent? `urgent`\n  - yes → call\n  - no → Is the user there?\n    - yes → chat\n    - no → e-mail\n',
    );
    const asked = await home.cli.run(['procedure', 'run', 'channel', '--set', 'urgent=no']);
    expect(asked).toMatchObject({ code: 1 });
    expect(asked.out).toContain('answer with --set "Is the user there?=…"');
    const out = await home.cli.ok(
      'procedure',
      'run',
      'channel',
      '--set',
      'urgent=no',
      '--set',
      'Is the user there?=no',
    );
    expect(out).toBe('  Is it urgent? no\n  Is the user there? no\nChannel → e-mail\n');
    const person = new TestCli(home.cli.home, { answers: ['no', 'maybe', 'yes'] });
    expect((await person.run(['procedure', 'run', 'channel'])).out).toContain('Channel → chat');
  });

  it('reads half-broken files, says what is wrong and changes no byte', async () => {
    const broken =
      '---\nname: [x\ntriggers: 3\n---\n# Half\n\n## Steps\n1. A\n   - timeout: soon\n   - on error: explode\n2) B\n* C\n';
    home.write('half', broken);
    const { findings, damage } = await home.cli.json<{ findings: { message: string }[]; damage: string }>(
      'procedure',
      'show',
      'half',
    );
    expect(damage).toMatch(/broken YAML/u);
    expect(findings.map(({ message }) => message).join('\n')).toMatch(/broken YAML[\s\S]*explode[\s\S]*soon/u);
    expect(await home.cli.run(['procedure', 'run', 'half'])).toMatchObject({ code: 5 });
    expect(await home.cli.ok('procedure', 'list')).toContain('broken YAML');
    expect(home.read('memory/procedures/half.md')).toBe(broken);
  });

  it('runs what is due, once', async () => {
    home.write('daily', MORNING.replace('triggers:\n', 'triggers:\n  cron: "0 0 * * *"\n').replace('{{name}}', 'you'));
    const first = await home.cli.run(['procedure', 'run', '--due', '--json']);
    expect(JSON.parse(first.out)).toMatchObject({ runs: [{ name: 'Morning routine' }] });
    expect(await home.cli.ok('procedure', 'run', '--due')).toBe('Nothing is due.\n');
  });

  it.each([
    [['procedure', 'run'], 2],
    [['procedure', 'run', 'nothing'], 3],
    [['procedure', 'run', 'x', '--set', 'novalue'], 2],
    [['procedure', 'run', 'x', '--actions', 'missing.ts'], 3],
    [['procedure', 'resume', 'run_x'], 3],
    [['procedure', 'resume', 'run_x', '--answer', 'perhaps'], 2],
    [['procedure', 'pause', 'run_x'], 3],
    [['procedure', 'cancel', ''], 2],
    [['procedure', 'runs', 'run_x'], 3],
    [['procedure', 'list', '--kind', 'magic'], 2],
  ])('%j ends with %i and a hint', async (args, code) => {
    const result = await home.cli.run(args);
    expect(result.code).toBe(code);
    expect(result.err).toMatch(/^error /u);
  });
});

/** A process of its own, as somebody at a shell starts it. */
function start(...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [program, '--home', home.cli.home, 'procedure', ...args], { stdio: 'ignore' });
}

const ended = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.once('exit', resolve));

/** Adds a line, then takes long enough to be killed in the middle. */
const SLOW_ACTIONS = `import fs from 'node:fs';
export const actions = {
  slow: { run: async ({ file }) => { fs.appendFileSync(file, 'x'); await new Promise((resolve) => setTimeout(resolve, 8000)); } },
  quick: { isIdempotent: true, run: ({ file }) => fs.appendFileSync(file, 'q') },
};
`;

describe('more than one process', () => {
  let actions: string;
  let file: string;

  beforeEach(() => {
    file = path.join(path.dirname(home.cli.home), 'effects.txt');
    actions = path.join(path.dirname(home.cli.home), 'actions.mjs');
    fs.writeFileSync(actions, SLOW_ACTIONS);
    home.write(
      'long',
      '# Long\n\n## Steps\n1. Quick\n   - action: quick file={{file}}\n2. Slow\n   - action: slow file={{file}}\n3. Quick again\n   - action: quick file={{file}}\n',
    );
  });

  const effects = (): string => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '');
  const begin = (): ChildProcess => start('run', 'long', '--set', `file=${file}`, '--actions', actions);
  const live = async (): Promise<RunResult> => {
    const { runs } = await home.cli.json<{ runs: RunResult[] }>('procedure', 'runs');
    return runs[0] as RunResult;
  };

  it('a step that was under way when the process died is not done twice without a word', async () => {
    const child = begin();
    await until(() => effects() === 'qx');
    child.kill('SIGKILL');
    await ended(child);
    expect(await live()).toMatchObject({ status: 'interrupted' });
    const { run } = await live();
    const { out } = await home.cli.run(['procedure', 'resume', run, '--actions', actions, '--json']);
    expect(JSON.parse(out)).toMatchObject({ status: 'waiting', question: { kind: 'unknown' } });
    expect(effects()).toBe('qx');
    await home.cli.ok('procedure', 'resume', run, '--actions', actions, '--answer', 'yes');
    expect(effects()).toBe('qxq');
  });

  it('two cannot drive one run; a cancellation reaches the one that does', async () => {
    const child = begin();
    await until(() => effects() === 'qx');
    const { run } = await live();
    expect(await home.cli.run(['procedure', 'resume', run, '--actions', actions])).toMatchObject({ code: 6 });
    await home.cli.ok('procedure', 'cancel', run, '--why', 'enough');
    await ended(child);
    expect(await live()).toMatchObject({ run, status: 'cancelled', error: 'cancelled by manual: enough' });
    expect(effects()).toBe('qx');
  });

  it('a journal that cannot be read is set aside, not lost', async () => {
    fs.mkdirSync(path.join(home.cli.home, 'journal/runs'), { recursive: true });
    fs.writeFileSync(path.join(home.cli.home, 'journal/runs/run_bad.jsonl'), 'garbage\n');
    const { out, err, code } = await home.cli.run(['procedure', 'runs']);
    expect({ out, code }).toEqual({ out: 'Nothing was run yet.\n', code: 0 });
    expect(err).toContain('The journal of run_bad is damaged');
    await home.cli.ok('procedure', 'cancel', 'run_bad');
    expect(fs.readFileSync(path.join(home.cli.home, 'journal/runs/run_bad.damaged'), 'utf8')).toBe('garbage\n');
    expect((await home.cli.run(['procedure', 'runs'])).err).toBe('');
  });

  it('erased is erased, from a run that waits too', async () => {
    home.write('secret', '# Secret\n\n## Steps\n1. Do it\n2. Say\n   - action: say {{word}}\n');
    await home.cli.run(['procedure', 'run', 'secret', '--set', 'word=the orchid is blue']);
    const { remaining } = await home.open((mneme) => mneme.erase('the orchid is blue'), 'manual');
    expect(remaining).toEqual([]);
    expect((await live()).status).toBe('waiting');
  });

  it('the example’s actions run', async () => {
    home.write(
      'lines',
      '# Lines\n\n## Steps\n1. Add\n   - action: add-line file={{file}} text="two words"\n2. Count\n   - action: count-lines file={{file}}\n   - expect: `output.lines == 2`\n',
    );
    await home.cli.ok('procedure', 'run', 'lines', '--set', `file=${file}`, '--actions', example);
    expect(effects()).toBe('two words\n');
  });
});
