import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OUTCOMES, toChances } from './outcomes.ts';
import { chancesOf } from './score.ts';
import { fingerprintOf, readWeights, WEIGHTS_FILE, WEIGHTS_MANIFEST } from './weights-file.ts';

let folder = '';

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-weights-'));
});

afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

describe('the fitted weights', () => {
  it('have a row of outcomes per feature', () => {
    const { manifest, rows, units } = readWeights();
    expect(rows.size).toBe(manifest.features);
    expect(units.length).toBe(manifest.features * OUTCOMES.length);
    expect(rows.has(fingerprintOf('bias'))).toBe(true);
  });

  it('are refused when they are damaged or missing', () => {
    fs.writeFileSync(
      path.join(folder, WEIGHTS_MANIFEST),
      JSON.stringify({ version: 1, features: 1, scales: [], sha256: '0' }),
    );
    expect(() => readWeights(folder)).toThrow(expect.objectContaining({ code: 'integrity' }));
    fs.writeFileSync(path.join(folder, WEIGHTS_FILE), Buffer.alloc(13));
    expect(() => readWeights(folder)).toThrow(/SHA-256/u);
  });

  it('give chances that add up to one, and none to features nobody has met', () => {
    const total = Object.values(chancesOf(['p:decided', 'w:we'])).reduce((one, other) => one + other, 0);
    expect(total).toBeCloseTo(1);
    expect(chancesOf(['never:met'])).toEqual(chancesOf([]));
  });
});

describe('chances', () => {
  it('do not overflow', () => {
    const chances = toChances(Float64Array.from(OUTCOMES, (_outcome, place) => place * 1000));
    expect(chances.correction).toBeCloseTo(1);
  });
});
