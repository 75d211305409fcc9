import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../../../test/support/home.ts';
import { nodeFileSystem } from '../../../platform/fs.ts';
import { createRedactor } from '../../../workspace/safety/redact.ts';
import type { Variables } from '../expression/evaluate.ts';
import type { RunEvent } from './state.ts';
import { RunJournal } from './run-journal.ts';
import { RunLock } from './run-lock.ts';
import { Simulation } from './testing/simulation.ts';

/** Put together here, so that nobody's scanner takes this file for a leak. */
const TOKEN = ['ghp', 'x7Kq2mZ9vB4nR8tW1yL5cD3fG6hJ0pS2aQ4e'].join('_');

const { plan } = new Simulation('# X\n## Steps\n1. a\n   - action: act\n   - save as: token\n');

function started(input: Variables): RunEvent {
  return { type: 'started', atMs: 1, run: 'run_1', plan, input, moment: {}, by: 'manual', because: 'asked' };
}

function open(): { readonly journal: RunJournal; readonly file: string; readonly folder: string } {
  const folder = makeTemporaryFolder();
  const journal = new RunJournal(nodeFileSystem, folder, createRedactor({ enabled: true, allow: [] }));
  return { journal, folder, file: path.join(folder, 'runs', 'run_1.jsonl') };
}

describe('the journal of a run', () => {
  test('a torn last line was never acknowledged, and the next entry takes its place', async () => {
    const { journal, file } = open();
    await journal.append('run_1', started({ a: 1 }), undefined);
    fs.appendFileSync(file, '{"type":"begun","st');
    expect(journal.read('run_1')).toMatchObject({ phase: 'ready' });
    await journal.append('run_1', { type: 'begun', atMs: 2, step: 0, attempt: 1, call: 'c' }, journal.read('run_1'));
    expect(journal.read('run_1')).toMatchObject({ phase: 'in-flight', variables: { a: 1 } });
    expect(journal.list()).toEqual(['run_1']);
    await journal.remove('run_1');
    expect(journal.read('run_1')).toBeUndefined();
  });

  test('what looks like a secret is not written down, and has to be given again', async () => {
    const { journal, file } = open();
    await journal.append('run_1', started({ who: 'Ada', deep: { token: TOKEN } }), undefined);
    await journal.append('run_1', { type: 'begun', atMs: 2, step: 0, attempt: 1, call: 'c' }, journal.read('run_1'));
    const ended = {
      type: 'ended',
      atMs: 3,
      step: 0,
      attempt: 1,
      outcome: 'failed',
      answer: TOKEN,
      error: `bad ${TOKEN}`,
    } as const;
    await journal.append('run_1', ended, journal.read('run_1'));
    expect(fs.readFileSync(file, 'utf8')).not.toContain(TOKEN);
    const { journal: second } = open();
    await second.append('run_1', started({ deep: { token: TOKEN } }), undefined);
    expect(second.read('run_1')?.withheld).toEqual(['deep', 'input']);
    await second.append(
      'run_1',
      { type: 'supplied', atMs: 2, values: { deep: 'x', input: 'y' } },
      second.read('run_1'),
    );
    expect(second.read('run_1')?.withheld).toEqual([]);
  });

  test('a damaged line is an integrity error that says where', async () => {
    const { journal, file } = open();
    await journal.append('run_1', started({}), undefined);
    fs.appendFileSync(file, 'garbage\n');
    expect(() => journal.read('run_1')).toThrow(/journal of run_1 is damaged/u);
  });

  test('a journal that names another run is damaged: its name would become that of a file to delete', async () => {
    const { journal, file } = open();
    await journal.append('run_1', started({}), undefined);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('"run_1"', '"../../other"'));
    expect(() => journal.read('run_1')).toThrow(/journal of run_1 is damaged: it names another run/u);
  });

  test('wishes are heard once; half a wish is none', () => {
    const { journal, folder } = open();
    journal.leaveWish('run_1', { want: 'cancel', by: 'manual', why: 'x' });
    expect(journal.takeWish('run_1')).toEqual({ want: 'cancel', by: 'manual', why: 'x' });
    expect(journal.takeWish('run_1')).toBeUndefined();
    fs.writeFileSync(path.join(folder, 'runs', 'run_1.wish'), '{"want":"canc');
    expect(journal.takeWish('run_1')).toBeUndefined();
  });
});

test('a run has one driver at a time', () => {
  const folder = makeTemporaryFolder();
  const lock = RunLock.tryTake(folder, 'run_1');
  expect(lock).toBeDefined();
  expect(RunLock.tryTake(folder, 'run_1')).toBeUndefined();
  RunLock.tryTake(folder, 'run_2')?.release();
  lock?.release();
  lock?.release();
  const again = RunLock.tryTake(folder, 'run_1');
  expect(again).toBeDefined();
  again?.remove(nodeFileSystem);
  expect(fs.readdirSync(path.join(folder, 'runs')).filter((name) => name.startsWith('run_1'))).toEqual([]);
});
