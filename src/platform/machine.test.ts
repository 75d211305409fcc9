import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { parsePmset, readBattery } from './machine.ts';

function supplies(all: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  const folder = makeTemporaryFolder();
  for (const [name, values] of Object.entries(all)) {
    fs.mkdirSync(path.join(folder, name));
    for (const [key, value] of Object.entries(values)) fs.writeFileSync(path.join(folder, name, key), `${value}\n`);
  }
  return folder;
}

it('reads the battery of a laptop on Linux, and nobody else’s', () => {
  const mouse = { type: 'Battery', scope: 'Device', status: 'Discharging', capacity: '3' };
  const own = { type: 'Battery', status: 'Discharging', capacity: '62' };
  expect(readBattery(supplies({ AC: { type: 'Mains', online: '0' }, BAT0: own, hid: mouse }))).toBe(62);
  expect(readBattery(supplies({ BAT0: own, BAT1: { ...own, capacity: '20' } }))).toBe(20);
  expect(readBattery(supplies({ BAT0: { ...own, status: 'Charging' } }))).toBeUndefined();
  expect(readBattery(supplies({ BAT0: { type: 'Battery', status: 'Discharging' } }))).toBeUndefined();
  expect(readBattery(supplies({ hid: mouse }))).toBeUndefined();
  expect(readBattery('/no/such/folder')).toBeUndefined();
});

it('reads what pmset prints on macOS', () => {
  const line = ' -InternalBattery-0 (id=123)\t87%; discharging; 4:12 remaining present: true';
  expect(parsePmset(`Now drawing from 'Battery Power'\n${line}\n`)).toBe(87);
  expect(parsePmset(`Now drawing from 'AC Power'\n${line}\n`)).toBeUndefined();
  expect(parsePmset("Now drawing from 'Battery Power'\n")).toBeUndefined();
  expect(parsePmset('')).toBeUndefined();
});
