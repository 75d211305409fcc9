import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { sleep } from '../platform/clock.ts';
import { LogFile } from './log-file.ts';

const run = promisify(execFile);

function newLog(): LogFile {
  return new LogFile(path.join(makeTemporaryFolder(), 'meta', 'audit.log'));
}

/** Another process that appends `count` lines, one by one. */
function appendFrom(name: string, log: LogFile, count: number): Promise<unknown> {
  const module = JSON.stringify(path.join(import.meta.dirname, 'log-file.ts'));
  const script = `
    import { LogFile } from ${module};
    const log = new LogFile(${JSON.stringify(log.path)});
    for (let i = 0; i < ${count}; i += 1) log.append(['${name} ' + i + ' ' + 'x'.repeat(i)]);
  `;
  return run(process.execPath, ['--input-type=module', '-e', script]);
}

describe('the log file', () => {
  it('keeps every line of several writers, also while it is being rewritten', async () => {
    const log = newLog();
    log.append(['old 1', 'old 2']);
    const progress = { isDone: false, rewrites: 0 };
    const writers = Promise.all([appendFrom('a', log, 300), appendFrom('b', log, 300)]).finally(() => {
      progress.isDone = true;
    });
    while (!progress.isDone) {
      await log.rewrite((lines) => lines.filter((line) => line !== 'old 1'));
      progress.rewrites += 1;
      await sleep(2);
    }
    await writers;
    expect(progress.rewrites).toBeGreaterThan(1);
    const lines = log.read();
    expect(lines).toHaveLength(601);
    const wanted = Array.from({ length: 300 }, (_, i) => ['a', 'b'].map((name) => `${name} ${i} ${'x'.repeat(i)}`));
    expect(new Set(lines)).toEqual(new Set(['old 2', ...wanted.flat()]));
  });

  it('does not continue a line that a crash cut short', () => {
    const log = newLog();
    log.append(['whole']);
    fs.appendFileSync(log.path, 'hal');
    log.append(['next']);
    expect(log.read()).toEqual(['whole', 'hal', 'next']);
  });

  it('is empty while there is no file', () => {
    expect(newLog().read()).toEqual([]);
  });
});
