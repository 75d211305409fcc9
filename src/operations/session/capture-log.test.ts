import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { countLines, fixture, ImportHome } from '../../../test/support/imports.ts';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { Sessions, type SessionsHome } from '../../capture/sessions.ts';
import { systemClock } from '../../platform/clock.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { systemRandom } from '../../platform/random.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { captureLog, type CaptureResult } from './capture-log.ts';
import { sessionOfLog } from './session-of-log.ts';

const ID = '5b1f6c52-3d0e-4c7a-9a41-2f0c8f6d7e10';
const LINES = fs
  .readFileSync(path.join(fixture('claude-code'), '-home-sam-code-tidewater', `${ID}.jsonl`), 'utf8')
  .trimEnd()
  .split('\n');

function homeOf(workspace: Workspace): SessionsHome {
  return {
    paths: workspace.paths,
    fs: nodeFileSystem,
    redactor: workspace.redactor,
    commit: (request) => workspace.commit(request),
    clock: systemClock,
    random: systemRandom,
    timeZone: 'Europe/Lisbon',
  };
}

// SPEC CONTEXT-3
describe('capturing from a log', () => {
  let target: ImportHome;
  let logs: string;
  let log: string;
  let session: string;

  beforeEach(async () => {
    target = await ImportHome.make();
    logs = makeTemporaryFolder();
    log = path.join(logs, `${ID}.jsonl`);
    session = sessionOfLog(log);
  });

  /** The log as it is after so many of its lines. */
  function grow(lines: number): void {
    fs.writeFileSync(log, `${LINES.slice(0, lines).join('\n')}\n`);
  }

  function capture(signal?: AbortSignal): Promise<CaptureResult> {
    return target.with((workspace) => {
      const home = homeOf(workspace);
      return captureLog(home, new Sessions(home), { file: log, signal });
    });
  }

  /** An end that is stopped when the transcript is written and its log not yet removed. */
  function endInterrupted(): Promise<unknown> {
    return target.with(async (workspace) => {
      const home = homeOf(workspace);
      const commit: SessionsHome['commit'] = async (request) => {
        await workspace.commit(request);
        throw new Error('stopped here');
      };
      await expect(new Sessions({ ...home, commit }).end(session)).rejects.toThrow('stopped here');
    });
  }

  /** Only the first lines of a file, as if the others had never been written. */
  function cut(file: string, lines: number): void {
    fs.writeFileSync(file, `${fs.readFileSync(file, 'utf8').split('\n').slice(0, lines).join('\n')}\n`);
  }

  const countOf = (file: string): number => fs.readFileSync(file, 'utf8').split('\n').length - 1;

  function end(): Promise<unknown> {
    return target.with((workspace) => new Sessions(homeOf(workspace)).end(session));
  }

  const liveFile = (): string => path.join(target.home, 'journal', 'live', `${session}.jsonl`);
  const ledgerFile = (): string => path.join(target.home, 'journal', 'imports.jsonl');
  const importAll = async (): Promise<number> => (await target.import({ from: 'claude-code', path: logs })).turns;

  /** Everything said, as an import into a home of its own tells it. */
  async function expected(): Promise<readonly string[]> {
    const other = await ImportHome.make();
    await other.import({ from: 'claude-code', path: logs });
    return words(other.text());
  }

  const words = (text: string): readonly string[] =>
    text.split('\n').filter((line) => line !== '' && !/^(?:[a-z_]+: |---|#)/u.test(line));

  it('takes what is new, every word once, whenever it is called', async () => {
    for (const lines of [6, 7, 10, 10, LINES.length]) {
      grow(lines);
      await capture();
    }
    expect((await capture()).turns).toBe(0);
    await end();
    expect(words(target.text())).toEqual(await expected());
    expect(await importAll()).toBe(0);
    expect(target.transcripts().size).toBe(1);
  });

  it('is found by an import while the session is still going on', async () => {
    grow(LINES.length);
    await capture();
    expect(await importAll()).toBe(0);
    expect(target.transcripts().size).toBe(0);
  });

  it('is not told twice when a crash kept it from the record of imports', async () => {
    grow(10);
    await capture();
    fs.rmSync(ledgerFile());
    await capture();
    grow(LINES.length);
    await capture();
    await end();
    expect(words(target.text())).toEqual(await expected());
    expect(await importAll()).toBe(0);
  });

  it('goes on with a capture that was interrupted between two turns', async () => {
    grow(LINES.length);
    await capture();
    const [first] = fs.readFileSync(liveFile(), 'utf8').split('\n');
    fs.writeFileSync(liveFile(), `${first}\n`);
    fs.rmSync(ledgerFile());
    await capture();
    await end();
    expect(words(target.text())).toEqual(await expected());
  });

  it('reads on in a long log that it was stopped in the middle of', async () => {
    const marks = Array.from({ length: 20 }, (_, index) => `marker-${index}-`);
    const lines = marks.map((uuid) => {
      const message = { role: 'user', content: `${uuid} ${'lorem ipsum '.repeat(80_000)}` };
      return JSON.stringify({ type: 'user', uuid, timestamp: '2026-03-05T10:00:00.000Z', cwd: '/code', message });
    });
    fs.writeFileSync(log, `${lines.join('\n')}\n`);
    const stop = Object.defineProperty(new AbortController().signal, 'aborted', {
      get: () => fs.existsSync(liveFile()),
    });
    const first = await capture(stop);
    expect(first.turns).toBeGreaterThan(0);
    expect(first.turns).toBeLessThan(marks.length);
    expect(first.turns + (await capture()).turns).toBe(marks.length);
    expect((await capture()).turns).toBe(0);
    await end();
    expect(
      target
        .text()
        .match(/^marker-\d+-/gmu)
        ?.sort(),
    ).toEqual(marks.toSorted());
    expect(await importAll()).toBe(0);
  });

  describe.each(['capture', 'import'] as const)('after an interrupted capture, followed by %s', (next) => {
    async function interrupt(): Promise<void> {
      grow(8);
      await capture();
      const [turns, told] = [countOf(liveFile()), countOf(ledgerFile())];
      grow(LINES.length);
      await capture();
      expect(countOf(liveFile())).toBeGreaterThan(turns + 1);
      cut(liveFile(), turns + 1);
      cut(ledgerFile(), told);
    }

    const goOn = (): Promise<unknown> => (next === 'capture' ? capture() : importAll());

    it('takes the rest of a session that was ended meanwhile', async () => {
      await interrupt();
      await end();
      await goOn();
      await end();
      expect([...words(target.text())].sort()).toEqual([...(await expected())].sort());
      expect(await importAll()).toBe(0);
    });

    it('takes the rest of a session that is still open', async () => {
      await interrupt();
      await goOn();
      await capture();
      await end();
      expect([...words(target.text())].sort()).toEqual([...(await expected())].sort());
      expect(await importAll()).toBe(0);
    });
  });

  it('goes on in the next part after an end that was interrupted', async () => {
    grow(LINES.findIndex((line) => line.includes('And add a test')));
    await capture();
    await endInterrupted();
    const [written] = target.transcripts().values();
    grow(LINES.length);
    await capture();
    await end();
    expect(target.transcripts().size).toBe(2);
    expect([...target.transcripts().values()]).toContain(written);
    expect(target.text()).toMatch(/^part: 2\nfirst_turn: [2-9]$/mu);
    expect([...words(target.text())].sort()).toEqual([...(await expected())].sort());
    expect(await importAll()).toBe(0);
  });

  it('leaves room for an import that came in between', async () => {
    grow(8);
    await capture();
    grow(14);
    expect(await importAll()).toBeGreaterThan(0);
    grow(LINES.length);
    await capture();
    await end();
    const text = target.text();
    const numbers = [...text.matchAll(/^first_turn: (\d+)$/gmu)].map((match) => Number(match[1]));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(countLines(text, /^The tide tables are an hour off/u)).toBe(1);
    expect([...words(text)].sort()).toEqual([...(await expected())].sort());
    expect(await importAll()).toBe(0);
  });

  it('adds only the rest to a session that came here from another machine', async () => {
    // Sessions end with a whole turn.
    grow(LINES.findIndex((line) => line.includes('And add a test')));
    await capture();
    await end();
    fs.rmSync(ledgerFile());
    grow(LINES.length);
    await capture();
    await end();
    expect(target.transcripts().size).toBe(2);
    expect([...words(target.text())].sort()).toEqual([...(await expected())].sort());
  });

  it('cuts a long session into parts that captures and imports agree on', async () => {
    const partLimits = { bytes: 1e9, turns: 1 };
    const captureParts = (): Promise<CaptureResult> =>
      target.with((workspace) => {
        const home = { ...homeOf(workspace), partLimits };
        return captureLog(home, new Sessions(home), { file: log });
      });
    for (const lines of [6, 10, LINES.length]) {
      grow(lines);
      await captureParts();
    }
    fs.rmSync(ledgerFile());
    expect((await captureParts()).turns).toBe(0);
    await end();
    const parts = target.transcripts().size;
    expect(parts).toBeGreaterThan(2);
    fs.appendFileSync(log, `${LINES.at(-1)?.replaceAll(/"uuid":\s*"[^"]*"/gu, '"uuid":"later"')}\n`);
    await captureParts();
    await end();
    const numbers = [...target.text().matchAll(/^part: (\d+)$/gmu)].map((match) => Number(match[1]));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 2));
    expect(await importAll()).toBe(0);
  });

  it('says that there is no log', async () => {
    await expect(capture()).rejects.toThrow('There is no session log');
  });
});
