import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../test/support/ending.ts';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { LEDGER_FILE, Ledger, totalsOf } from './ledger.ts';
import type { CallRecord } from './prices.ts';
import { HOUR_MS } from '../../model/time.ts';

const NOON_MS = Date.parse('2026-11-15T12:00:00Z');

function call(given: Partial<CallRecord> = {}): CallRecord {
  return {
    timeMs: NOON_MS,
    purpose: 'extract',
    provider: 'anthropic',
    model: 'claude-haiku-5-5',
    tokensIn: 100,
    tokensOut: 20,
    usd: 0.01,
    ms: 300,
    outcome: 'ok',
    session: 'ses_1',
    isEstimate: false,
    reason: undefined,
    ...given,
  };
}

function openLedger(folder = makeTemporaryFolder(), nowMs = (): number => NOON_MS, timeZone = 'UTC') {
  return {
    folder,
    file: path.join(folder, LEDGER_FILE),
    ledger: new Ledger({ folder, clock: { now: nowMs }, timeZone }),
  };
}

describe('the ledger', () => {
  it('gives back what was written, one line a call', () => {
    const { ledger, file } = openLedger();
    const calls = [
      call(),
      call({ usd: undefined, session: undefined, outcome: 'too-slow', isEstimate: true, reason: 'why' }),
    ];
    for (const each of calls) ledger.record(each);
    expect(ledger.readAll()).toEqual({ records: calls, unreadableLines: 0 });
    const [line] = fs.readFileSync(file, 'utf8').split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({
      time: '2026-11-15T12:00:00.000Z',
      purpose: 'extract',
      tokensIn: 100,
    });
  });

  it('is empty before the first call', () => {
    const { ledger } = openLedger(path.join(makeTemporaryFolder(), 'not', 'there'));
    expect([ledger.today(), ledger.readAll()]).toEqual([[], { records: [], unreadableLines: 0 }]);
  });

  it('a torn line costs only itself', () => {
    const { ledger, file } = openLedger();
    ledger.record(call());
    fs.appendFileSync(file, '{"time":"2026-11-15T12:0');
    ledger.record(call({ tokensIn: 7 }));
    fs.appendFileSync(file, 'null\n[]\n"x"\n{"time":"never","purpose":"x","model":"y"}\n');
    expect(ledger.readAll()).toMatchObject({ records: [{ tokensIn: 100 }, { tokensIn: 7 }], unreadableLines: 5 });
    expect(ledger.today()).toHaveLength(2);
  });

  it('today is the day in the home’s time zone', () => {
    const { ledger } = openLedger(undefined, undefined, 'Pacific/Auckland');
    // In Auckland it is one in the night of the 16th.
    ledger.record(call({ timeMs: NOON_MS - 2 * HOUR_MS, tokensIn: 1 }));
    ledger.record(call({ timeMs: NOON_MS - HOUR_MS / 2, tokensIn: 2 }));
    expect(ledger.today().map(({ tokensIn }) => tokensIn)).toEqual([2]);
  });

  it('a new day starts at nothing', () => {
    let nowMs = NOON_MS;
    const { ledger } = openLedger(undefined, () => nowMs);
    ledger.record(call());
    expect(ledger.today()).toHaveLength(1);
    nowMs += 12 * HOUR_MS;
    expect(ledger.today()).toHaveLength(0);
  });

  it('reads only the end of a long file, and all of today', () => {
    const { ledger, file } = openLedger();
    const line = (timeMs: number): string => `${JSON.stringify({ ...call(), time: new Date(timeMs).toISOString() })}\n`;
    const before = Array.from({ length: 4000 }, (_, index) => line(NOON_MS - (5000 - index) * HOUR_MS)).join('');
    fs.writeFileSync(file, before + line(NOON_MS - HOUR_MS).repeat(3000));
    expect(fs.statSync(file).size).toBeGreaterThan(1_000_000);
    expect(ledger.today()).toHaveLength(3000);
  });

  it('sees what others append, and notices when something was erased', () => {
    const { ledger, folder, file } = openLedger();
    ledger.record(call());
    expect(ledger.today()).toHaveLength(1);
    openLedger(folder).ledger.record(call());
    expect(ledger.today()).toHaveLength(2);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').split('\n').slice(0, 1).join('') + '\n');
    expect(ledger.today()).toHaveLength(1);
  });

  it('counts calls that are under way', () => {
    const { ledger } = openLedger();
    ledger.record(call());
    const release = ledger.reserve({ purpose: 'route', tokens: 50, usd: undefined });
    expect(totalsOf(ledger)).toEqual({ calls: 2, tokens: 170, usd: 0.01 });
    expect(totalsOf(ledger, 'route')).toEqual({ calls: 1, tokens: 50, usd: 0 });
    release();
    expect(totalsOf(ledger).calls).toBe(1);
  });

  it('processes that write at once are all counted', async () => {
    const { ledger, folder } = openLedger();
    const script = `
      import { Ledger } from ${JSON.stringify(new URL('ledger.ts', import.meta.url).href)};
      const ledger = new Ledger({ folder: ${JSON.stringify(folder)}, clock: { now: () => ${NOON_MS} }, timeZone: 'UTC' });
      const record = ${JSON.stringify(call())};
      for (let count = 0; count < 300; count += 1) ledger.record({ ...record, session: process.argv[1] + '-' + count });
    `;
    const writers = ['a', 'b', 'c'].map((name) =>
      failureOf(
        spawn(process.execPath, ['--input-type=module', '-e', script, name], { stdio: ['ignore', 'ignore', 'pipe'] }),
      ),
    );
    expect(await Promise.all(writers)).toEqual([undefined, undefined, undefined]);
    const { records, unreadableLines } = ledger.readAll();
    expect(unreadableLines).toBe(0);
    expect(new Set(records.map(({ session }) => session)).size).toBe(900);
    expect(ledger.today()).toHaveLength(900);
  });
});
