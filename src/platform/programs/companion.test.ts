import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { Conversation, run } from '../process.ts';
import { encodeFrame, FrameReader, type Frame } from './frames.ts';

const NODE = process.execPath;

/** Past the number of programs a process starts itself. */
async function wakeCompanion(): Promise<number> {
  for (let count = 0; count < 14; count += 1) await run('true', []);
  return parentOfPrograms();
}

/** The process that starts our programs now. */
async function parentOfPrograms(runProgram: typeof run = run): Promise<number> {
  return Number((await runProgram('sh', ['-c', 'echo $PPID'])).stdout.toString('utf8'));
}

describe('programs started by a companion', () => {
  it('are started here at first, and elsewhere once there are many', async () => {
    // Loaded again: other test files of this worker have started many.
    vi.resetModules();
    const { run: firstRun } = await import('../process.ts');
    expect(await parentOfPrograms(firstRun)).toBe(process.pid);
    expect(await wakeCompanion()).not.toBe(process.pid);
    expect(await parentOfPrograms()).toBe(await parentOfPrograms());
  });

  it('get arguments, folder, environment and input, and give back output, errors and exit code', async () => {
    await wakeCompanion();
    const script =
      'process.stdin.on("data", (d) => process.stdout.write(d)); process.stdin.on("end", () => { console.error(process.cwd(), process.env.MNEME_X, process.argv[1]); process.exitCode = 7; })';
    const input = Buffer.alloc(3_000_000, 'mneme ');
    const result = await run(NODE, ['-e', script, 'ä b'], { cwd: '/', env: { MNEME_X: 'yes' }, input });
    expect(result.code).toBe(7);
    expect(result.stdout.equals(input)).toBe(true);
    expect(result.stderr).toBe('/ yes ä b\n');
  });

  it('run side by side, each with its own answer', async () => {
    await wakeCompanion();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        run('sh', ['-c', 'cat; echo "$0"', String(index)], { input: `in ${index} ` }),
      ),
    );
    expect(answers.map(({ stdout }) => stdout.toString('utf8'))).toEqual(
      Array.from({ length: 20 }, (_, index) => `in ${index} ${index}\n`),
    );
  });

  it('reject when they cannot be started, and are stopped when they take too long', async () => {
    await wakeCompanion();
    await expect(run('mneme-no-such-program', [])).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(run('true', [], { cwd: '/no/such/folder' })).rejects.toMatchObject({ code: 'ENOENT' });
    const slow = await run('sleep', ['60'], { timeoutMs: 50 });
    expect(slow).toMatchObject({ code: 128, stderr: 'ended by SIGTERM' });
  });

  it('can be talked with', async () => {
    await wakeCompanion();
    const talk = new Conversation('sh', ['-c', 'while read -r line; do echo "heard $line"; done; exit 3']);
    await talk.say('one\n');
    expect(await talk.listen()).toBe('heard one\n');
    await talk.say('two\n');
    expect(await talk.listen()).toBe('heard two\n');
    talk.end();
    expect(await talk.listen()).toBeUndefined();
    expect((await talk.finished).code).toBe(3);
  });

  it('fail with words when the companion is killed, and are started here again', async () => {
    const companion = await wakeCompanion();
    const waiting = run('sleep', ['60']);
    const failure = waiting.catch((error: unknown) => error);
    process.kill(companion, 'SIGKILL');
    expect(String(await failure)).toContain('was ended from outside');
    expect(await parentOfPrograms()).toBe(process.pid);
  });

  it('see the end of their input when the process that wanted them is killed', async () => {
    const fixture = fileURLToPath(new URL('./testing/killed-parent.ts', import.meta.url));
    const file = path.join(makeTemporaryFolder(), 'said');
    const companion = await new Promise<number>((resolve) => {
      execFile(NODE, [fixture, file], (_error, stdout) => resolve(Number(stdout)));
    });
    await vi.waitFor(() => expect(fs.readFileSync(file, 'utf8')).toBe('over\n'), { timeout: 30_000 });
    await vi.waitFor(() => expect(() => process.kill(companion, 0)).toThrow('ESRCH'), { timeout: 30_000 });
  });
});

describe('frames', () => {
  const frame = fc.record({
    kind: fc.constantFrom<Frame['kind']>('start', 'input', 'end', 'output', 'errors', 'closed', 'failed'),
    id: fc.nat(),
    body: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  });

  it('arrive as they were sent, however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(frame, { maxLength: 10 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }),
        (sent, cuts) => {
          const bytes = Buffer.concat(sent.map(({ kind, id, body }) => encodeFrame(kind, id, body)));
          const reader = new FrameReader();
          const received: Frame[] = [];
          for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
            const end = at + (cuts[turn % cuts.length] ?? 1);
            received.push(...reader.read(bytes.subarray(at, end)));
            at = end;
          }
          expect(received).toEqual(sent);
        },
      ),
    );
  });
});
