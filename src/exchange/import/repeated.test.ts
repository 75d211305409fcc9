import { fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { generateClaudeCodeLogs } from '../../../bench/logs/generate.ts';
import { failureOf } from '../../../test/support/ending.ts';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { copyLogs, countLines, ImportHome } from '../../../test/support/imports.ts';
import { parseTranscript, turnText } from '../../workspace/formats/transcript.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';

const PARCEL = '-home-sam-code-parcel/7c9e6679-7425-40de-944b-e07fc1f90ae7.jsonl';

function said(uuid: string, time: string, text: string): string {
  return `${JSON.stringify({ type: 'user', uuid, timestamp: time, cwd: '/home/sam/code/parcel', message: { role: 'user', content: text } })}\n`;
}

// SPEC EXCHANGE-1, EXCHANGE-2
describe('importing again', () => {
  it('changes nothing when nothing is new', async () => {
    const logs = copyLogs('claude-code');
    const home = await ImportHome.make();
    const first = await home.import({ from: 'claude-code', path: logs });
    const files = home.transcripts();
    const second = await home.import({ from: 'claude-code', path: logs });
    expect([first.sessions, second.sessions, second.turns]).toEqual([2, 0, 0]);
    expect(home.transcripts()).toEqual(files);
    expect(second.skipped).toContainEqual({ what: 'session', why: 'already imported', count: 3 });
  });

  it('changes nothing when logs were only touched, or the record of imports is lost', async () => {
    const logs = copyLogs('claude-code');
    const home = await ImportHome.make();
    await home.import({ from: 'claude-code', path: logs });
    const files = home.transcripts();
    fs.utimesSync(path.join(logs, PARCEL), 1, 1);
    expect((await home.import({ from: 'claude-code', path: logs })).turns).toBe(0);
    fs.rmSync(path.join(home.home, 'journal', 'imports.jsonl'));
    expect((await home.import({ from: 'claude-code', path: logs })).turns).toBe(0);
    fs.appendFileSync(path.join(logs, PARCEL), said('p3', '2026-03-05T10:00:00.000Z', 'And the health check?'));
    fs.rmSync(path.join(home.home, 'journal', 'imports.jsonl'));
    expect((await home.import({ from: 'claude-code', path: logs })).turns).toBe(1);
    expect(home.transcripts().size).toBe(files.size + 1);
  });

  it('adds what a session gained as a part of its own, and a line that was torn when it is whole', async () => {
    const logs = copyLogs('claude-code');
    const file = path.join(logs, PARCEL);
    const home = await ImportHome.make();
    const later = said('p3', '2026-03-06T10:00:00.000Z', 'Is it the same in production?');
    fs.appendFileSync(file, later.slice(0, 40));
    await home.import({ from: 'claude-code', path: logs });
    expect(home.text()).not.toContain('production');
    fs.appendFileSync(file, later.slice(40));
    const second = await home.import({ from: 'claude-code', path: logs });
    expect([second.sessions, second.continued, second.turns]).toEqual([1, 1, 1]);
    const [name = '', text = ''] = [...home.transcripts()].find(([, content]) => content.includes('production')) ?? [];
    const { frontmatter, turns } = parseTranscript(parseDocument(text));
    expect(name).toMatch(/^2026\/03\/06\/1000-ses_\w+-which-port-does-the-parcel-service-listen-on\.part2\.md$/u);
    expect(frontmatter).toMatchObject({ part: 2, first_turn: 3, project: 'parcel', started: '2026-03-06T10:00:00Z' });
    expect(turns.map((turn) => [turn.id, turnText(turn)])).toEqual([['t3', 'Is it the same in production?']]);
    expect(second.skipped.filter(({ what }) => what === 'line')).toEqual([]);
  });

  it('goes on after a log was rewritten, without repeating what is known', async () => {
    const logs = copyLogs('claude-code');
    const file = path.join(logs, PARCEL);
    const home = await ImportHome.make();
    await home.import({ from: 'claude-code', path: logs });
    const old = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(
      file,
      `{"type":"summary","summary":"x","leafUuid":"y"}\n${old}${said('p9', '2026-03-07T10:00:00.000Z', 'A new question.')}`,
    );
    expect((await home.import({ from: 'claude-code', path: logs })).turns).toBe(1);
    expect(home.text().split('On 8431').length - 1).toBe(1);
  });

  it('leaves a dry run without traces', async () => {
    const home = await ImportHome.make();
    const result = await home.import({ from: 'claude-code', path: copyLogs('claude-code'), dryRun: true });
    expect([result.sessions, result.turns, result.dryRun]).toEqual([2, 11, true]);
    expect(result.period).toEqual({ from: '2026-01-31', to: '2026-03-05' });
    expect(home.transcripts().size).toBe(0);
    expect(fs.existsSync(path.join(home.home, 'journal', 'imports.jsonl'))).toBe(false);
  });
});

describe('a very long session', () => {
  it('is imported in several parts', async () => {
    const folder = makeTemporaryFolder();
    const long = 'A long paste. '.repeat(400_000);
    const lines = [
      said('a', '2026-03-05T10:00:00.000Z', long),
      said('b', '2026-03-05T10:01:00.000Z', long),
      said('c', '2026-03-05T10:02:00.000Z', 'The end.'),
    ];
    fs.writeFileSync(path.join(folder, 'aaaaaaaa-0000-4000-8000-000000000000.jsonl'), lines.join(''));
    const home = await ImportHome.make();
    const result = await home.import({ from: 'claude-code', path: folder });
    const parts = [...home.transcripts().values()].map((text) => parseTranscript(parseDocument(text)));
    expect([result.sessions, result.continued, result.turns]).toEqual([1, 0, 3]);
    expect(parts.map(({ turns }) => turns.map(({ id }) => id))).toEqual([['t1', 't2'], ['t3']]);
  });
});

/** Says that it was aborted as soon as something is true, so that a test knows where it stops. */
function abortedWhen(isTime: () => boolean): AbortSignal {
  return Object.defineProperty(new AbortController().signal, 'aborted', { get: isTime });
}

const WORKER = path.join(import.meta.dirname, '..', '..', '..', 'test', 'support', 'import-worker.ts');

function startWorker(home: string, logs: string): ReturnType<typeof fork> {
  return fork(WORKER, [home, logs], { stdio: ['ignore', 'inherit', 'pipe', 'ipc'] });
}

describe('an import that is interrupted', () => {
  it('is completed by the next one, nothing lost and nothing doubled', async () => {
    const logs = path.join(makeTemporaryFolder(), 'projects');
    generateClaudeCodeLogs(logs, { sessions: 250, prompts: 1 });
    const home = await ImportHome.make();
    const stop = new AbortController();
    const onProgress = ({ done }: { readonly done: number }): void => {
      if (done === 130) stop.abort();
    };
    const first = await home.import({ from: 'claude-code', path: logs }, { signal: stop.signal, onProgress });
    expect([first.interrupted, first.sessions]).toEqual([true, 130]);
    const second = await home.import({ from: 'claude-code', path: logs });
    expect([second.interrupted, second.sessions]).toEqual([false, 120]);
    expect(home.transcripts().size).toBe(250);
  });

  it('also when it stopped in the middle of a long log', async () => {
    const folder = makeTemporaryFolder();
    const filler = 'lorem ipsum '.repeat(80_000);
    const marks = Array.from({ length: 24 }, (_, index) => `marker-${index}-`);
    const lines = marks.map((mark, index) =>
      said(mark, `2026-03-05T10:00:${String(index).padStart(2, '0')}.000Z`, `${mark} ${filler}`),
    );
    fs.writeFileSync(path.join(folder, 'aaaaaaaa-0000-4000-8000-000000000000.jsonl'), lines.join(''));
    const home = await ImportHome.make();
    const signal = abortedWhen(() => home.transcripts().size > 0);
    const first = await home.import({ from: 'claude-code', path: folder }, { signal });
    expect(first.turns).toBeGreaterThan(0);
    expect(first.turns).toBeLessThan(marks.length);
    const second = await home.import({ from: 'claude-code', path: folder });
    expect(first.turns + second.turns).toBe(marks.length);
    const ids = [...home.transcripts().values()].flatMap((text) => parseTranscript(parseDocument(text)).turns);
    expect(ids.map(({ id }) => Number(id.slice(1))).sort((a, b) => a - b)).toEqual(marks.map((_, index) => index + 1));
    expect(new Set(ids.map((turn) => turnText(turn).split(' ', 1)[0]))).toEqual(new Set(marks));
    const third = await home.import({ from: 'claude-code', path: folder });
    expect(third.skipped).toContainEqual({ what: 'session', why: 'already imported', count: 1 });
  });

  it('by a kill, too', async () => {
    const logs = path.join(makeTemporaryFolder(), 'projects');
    generateClaudeCodeLogs(logs, { sessions: 300, prompts: 1 });
    const home = await ImportHome.make();
    const worker = startWorker(home.home, logs);
    const failure = failureOf(worker);
    // The first batch is down and the second under way.
    while (!fs.existsSync(path.join(home.home, 'raw', 'conversations')) && worker.exitCode === null)
      await new Promise((done) => setTimeout(done, 5));
    worker.kill('SIGKILL');
    // On a machine that is busy elsewhere the worker may have been faster.
    expect(['ended by SIGKILL', undefined]).toContain(await failure);
    await home.import({ from: 'claude-code', path: logs });
    const files = [...home.transcripts().values()];
    const origins = files.map((text) => parseTranscript(parseDocument(text)).frontmatter.imported_from);
    expect([files.length, new Set(origins).size]).toEqual([300, 300]);
    expect((await home.import({ from: 'claude-code', path: logs })).turns).toBe(0);
  });
});

describe('two imports at once', () => {
  it('share the work without doubling anything', async () => {
    const logs = path.join(makeTemporaryFolder(), 'projects');
    generateClaudeCodeLogs(logs, { sessions: 250, prompts: 1 });
    const home = await ImportHome.make();
    const workers = [startWorker(home.home, logs), startWorker(home.home, logs)];
    expect(await Promise.all(workers.map(failureOf))).toEqual([undefined, undefined]);
    const files = [...home.transcripts().values()];
    const origins = files.map((text) => parseTranscript(parseDocument(text)).frontmatter.imported_from);
    expect([files.length, new Set(origins).size]).toEqual([250, 250]);
    expect(countLines(home.text(), /^## \d\d:\d\d — user/u)).toBe(250);
  });
});
