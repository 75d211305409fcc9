import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sample } from '../support/effort.ts';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { check } from '../../src/operations/check.ts';
import { runOperation } from '../../src/operations/operation.ts';
import { copyHome, makeErasureWorld, WORDS, type ErasureWorld } from '../red-team/families/erasures.ts';
import { makeTemporaryFolder } from '../support/home.ts';
import { readEverything } from '../support/read-everything.ts';

const TRACE = 'quillfeather';
const ITEM = { ids: ['fffffffffff01'], permanently: true };

let world: ErasureWorld;
beforeAll(async () => {
  world = await makeErasureWorld();
});

async function openWithReflection(): Promise<{ readonly home: string; readonly mneme: Mneme; readonly code: string }> {
  const home = copyHome(world);
  const mneme = await openMneme({ home, actor: 'manual' });
  await mneme.reflect();
  const { code } = await mneme.forget('', ITEM);
  return { home, mneme, code: code ?? '' };
}

async function findings(mneme: Mneme): Promise<string[]> {
  const result = await runOperation(check, mneme.internals, {});
  return result.findings.map(({ area, message }) => `${area}: ${message}`);
}

// SPEC HISTORY-4
describe('an erasure that is killed', () => {
  it('is finished by the next opening, whichever step it came to', async () => {
    const planned = await openWithReflection();
    await planned.mneme.close();
    const { code } = planned;
    const copy = async (): Promise<{ readonly home: string; readonly mneme: Mneme }> => {
      const home = copyHome({ template: planned.home });
      return { home, mneme: await openMneme({ home, actor: 'manual' }) };
    };
    const steps: string[] = [];
    const whole = await copy();
    whole.mneme.internals.workspace.registries.onEraseStep = (name) => steps.push(name);
    expect(await whole.mneme.confirmForget(code)).toMatchObject({ outcome: 'erased' });
    await whole.mneme.close();
    expect(steps).toEqual(expect.arrayContaining(['memories', 'proposals', 'workspace files', 'history', 'backups']));
    const unfinished: string[] = [];
    for (const step of sample(steps, 3)) {
      const { home, mneme } = await copy();
      mneme.internals.workspace.registries.onEraseStep = (name) => {
        if (name === step) throw new Error('killed');
      };
      await expect(mneme.confirmForget(code)).rejects.toThrow('killed');
      // As a reader sees it: nothing says that it is done.
      const reader = await openMneme({ home, actor: 'manual', mode: 'read' });
      const { notices } = await reader.status();
      expect(notices.filter((notice) => notice.includes(code))).toEqual([
        expect.stringMatching(/not finished.*interrupted/u),
      ]);
      await reader.close();
      await mneme.close();
      const next = await openMneme({ home });
      expect(next.internals.notices).toEqual(expect.arrayContaining([`The erasure ${code} was finished.`]));
      if ((await next.status()).notices.some((notice) => notice.includes('not finished'))) unfinished.push(step);
      await next.close();
      if (readEverything(home).includes(TRACE)) unfinished.push(step);
    }
    expect(unfinished).toEqual([]);
  }, 300_000);

  it('is finished by who confirms it again, who hears what was done', async () => {
    const { home, mneme, code } = await openWithReflection();
    mneme.internals.workspace.registries.onEraseStep = (name) => {
      if (name === 'history') throw new Error('killed');
    };
    await expect(mneme.confirmForget(code)).rejects.toThrow('killed');
    await mneme.close();
    const next = await openMneme({ home, actor: 'manual' });
    expect(await next.confirmForget(code)).toMatchObject({ outcome: 'erased' });
    await expect(next.confirmForget(code)).rejects.toThrow('was used already');
    await next.close();
    expect(readEverything(home)).not.toContain(TRACE);
  });
});

describe('an erasure of which something is left', () => {
  it('says what and why, goes on with the rest, and is finished by the hourly job', async () => {
    const { home, mneme, code } = await openWithReflection();
    const merging = path.join(home, 'workspace/.git/MERGE_HEAD');
    fs.writeFileSync(merging, '0'.repeat(40));
    const { outcome, erased } = await mneme.confirmForget(code);
    expect(outcome).toBe('erasing');
    expect(erased?.left.map(({ step }) => step)).toContain('history');
    expect(erased?.left.map(({ what }) => what).join('\n')).toMatch(/the history of workspace \(.*MERGE_HEAD/u);
    const told = new RegExp(`The erasure ${code}.*not finished.*the history of workspace`, 'u');
    expect((await mneme.status()).notices.join('\n')).toMatch(told);
    expect((await findings(mneme)).join('\n')).toMatch(told);
    expect(fs.readFileSync(path.join(home, 'workspace/memory/meta/pending-reflection.md'), 'utf8')).not.toContain(
      'lantern',
    );
    await mneme.close();
    // Tried within the hour: an opening leaves it, and says so.
    const soon = await openMneme({ home });
    expect((await soon.status()).notices.join('\n')).toMatch(told);
    fs.rmSync(merging);
    await soon.jobs.run('index');
    expect((await soon.status()).notices.join('\n')).not.toMatch(told);
    expect(await findings(soon)).toEqual([]);
    await soon.close();
    expect(readEverything(home)).not.toContain(TRACE);
  });

  it('is finished by an opening after an hour, and only where something is left', async () => {
    const home = copyHome(world);
    const medium = path.join(makeTemporaryFolder(), 'medium');
    fs.appendFileSync(path.join(home, 'mneme.yaml'), `\nbackup:\n  path: ${medium}\n`);
    const mneme = await openMneme({ home, actor: 'manual' });
    await mneme.backup.create();
    fs.renameSync(medium, `${medium}-away`);
    const { left } = await mneme.erase(WORDS);
    expect(left).toEqual([{ step: 'backups', what: `backups in ${medium}, which is not there now` }]);
    await mneme.close();
    fs.renameSync(`${medium}-away`, medium);
    const clock = { now: () => Date.now() + 3_700_000 };
    const later = await openMneme({ home, actor: 'manual', parts: { clock } });
    expect(later.internals.notices.join('\n')).toMatch(/The erasure \w{6} was finished/u);
    expect((await later.status()).notices.join('\n')).not.toContain('not finished');
    await later.close();
    expect(readEverything(home)).not.toContain(TRACE);
    expect(readEverything(medium)).not.toContain(TRACE);
  });
});
