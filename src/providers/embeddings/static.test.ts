import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isMnemeError } from '../../model/errors.ts';
import { openStaticEmbedder } from './static.ts';
import { describeEmbedder } from './testing/conformance.ts';
import { findTableFolder, MANIFEST_FILE, TABLE_FILE } from './token-table.ts';
import { dot } from './port.ts';

describeEmbedder('static', async () => openStaticEmbedder());

const TOKENS = 30_522;
const ROW_BYTES = 384;
const JANA_ID = 23_341;

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function copyTable(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mneme-table-'));
  folders.push(folder);
  for (const file of [TABLE_FILE, MANIFEST_FILE]) {
    cpSync(path.join(findTableFolder(), file), path.join(folder, file));
  }
  return folder;
}

async function similarity(left: string, right: string): Promise<number> {
  const [first = new Float32Array(), second = new Float32Array()] = await openStaticEmbedder().embed(
    [left, right],
    'document',
  );
  return dot(first, second);
}

describe('the static embedder', () => {
  it('puts texts of one meaning closer than texts of one form', async () => {
    const question = 'Which animals does she keep?';
    const same = await similarity(question, 'She has two cats and a dog.');
    const other = await similarity(question, 'Which servers does he restart?');
    expect(same).toBeGreaterThan(other);
    expect(await similarity('The car is fast', 'An automobile at high speed')).toBeGreaterThan(0.4);
  });

  it('lets rare words weigh more than common ones', async () => {
    const about = await similarity('pottery', 'it is the one that was of the pottery');
    expect(about).toBeGreaterThan(await similarity('the', 'it is the one that was of the pottery'));
  });

  it('gives the vectors it always gave', async () => {
    const [vector] = await openStaticEmbedder().embed(['Jana prefers tea.'], 'document');
    expect(Array.from(vector?.slice(0, 4) ?? [], (value) => value.toFixed(4))).toMatchInlineSnapshot(`
      [
        "-0.0862",
        "0.0135",
        "0.0045",
        "0.0157",
      ]
    `);
  });

  it('reads nothing of the table until it is used', () => {
    const folder = copyTable();
    rmSync(path.join(folder, TABLE_FILE));
    expect(openStaticEmbedder(folder).id).toBe(openStaticEmbedder().id);
  });

  it.each([
    ['is missing', (file: string) => rmSync(file)],
    ['is cut short', (file: string) => truncateSync(file, 1000)],
    ['has a flipped bit in its vocabulary', (file: string) => flipBit(file, 500_000)],
    ['has a flipped bit in a row that is used', (file: string) => flipBit(file, -ROW_BYTES * (TOKENS - JANA_ID))],
  ])('refuses a table that %s', async (_what, damage) => {
    const folder = copyTable();
    damage(path.join(folder, TABLE_FILE));
    const refusal: unknown = await openStaticEmbedder(folder)
      .embed(['jana'], 'query')
      .catch((error: unknown) => error);
    expect(isMnemeError(refusal, 'integrity')).toBe(true);
    expect(String(refusal)).toContain(TABLE_FILE);
  });

  it('says what to do when its manifest is broken', () => {
    const folder = copyTable();
    writeFileSync(path.join(folder, MANIFEST_FILE), '{');
    expect(() => openStaticEmbedder(folder)).toThrow(/cannot use .*minilm-static\.json/u);
  });
});

function flipBit(file: string, position: number): void {
  const bytes = readFileSync(file);
  const index = position < 0 ? bytes.length + position : position;
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

describe('languageFit', () => {
  const fit = (text: string): number => openStaticEmbedder().languageFit?.(text) ?? Number.NaN;

  it.each([
    'Where did Caroline move from four years ago?',
    'fix the flaky test in src/parser.ts',
    'TypeError: Cannot read properties of undefined (reading foo)',
    "I'll get 'em next time",
    '',
    '12:30 → 42',
  ])('trusts %j', (text) => {
    expect(fit(text)).toBeGreaterThan(0.9);
  });

  it.each([
    'Wo ist der Router?',
    'Die Bereitstellung ist fehlgeschlagen, weil das Token abgelaufen war.',
    'Le déploiement a échoué parce que le jeton avait expiré.',
    '¿Dónde está el router?',
    'Gdzie jest router?',
    'De router staat in de gang.',
    '路由器在哪里？',
    'ルーターはどこですか',
    'Где роутер?',
    'أين جهاز التوجيه؟',
  ])('distrusts %j', (text) => {
    expect(fit(text)).toBeLessThan(0.4);
  });
});
