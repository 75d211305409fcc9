import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMneme } from '../../src/mneme.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';

const WORKER = path.join(import.meta.dirname, '../support/chain-worker.ts');

interface Killed {
  readonly acknowledged: readonly number[];
  readonly said: string;
}

/** Adds to the chain in a process of its own, and kills it in the middle of something. */
function addUntilKilled(home: string, name: string, count: number): Promise<Killed> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [WORKER, home, name], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (out.split('\n').length > count) child.kill('SIGKILL');
    });
    child.on('error', reject);
    // What stands behind the last line end was not said completely.
    child.on('close', () => resolve({ acknowledged: out.split('\n').slice(0, -1).map(Number), said }));
  });
}

// SPEC CHAIN-5
describe('two processes that are killed while they add', () => {
  it('lose nothing that was acknowledged, and sign nothing twice', async () => {
    const home = path.join(makeTemporaryFolder(), 'home');
    await initTestHome(home);
    const killed = await Promise.all([addUntilKilled(home, 'one', 6), addUntilKilled(home, 'other', 9)]);
    expect(killed.map(({ said }) => said)).toEqual(['', '']);
    const acknowledged = killed.flatMap((one) => one.acknowledged);
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    const mneme = await openMneme({ home, actor: 'manual' });
    const { seq } = await mneme.chain.add('after the crash');
    const verified = await mneme.chain.verify({ full: true });
    expect(verified).toMatchObject({ isWhole: true, findings: [], entries: seq + 1 });
    const lines = fs
      .readFileSync(path.join(home, 'chain', 'chain.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const entered = lines.map((line) => (JSON.parse(line) as { seq: number }).seq);
    expect(entered).toEqual(entered.map((_seq, index) => index));
    expect(acknowledged.filter((one) => !entered.includes(one))).toEqual([]);
    await mneme.close();
  });
});
