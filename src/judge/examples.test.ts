import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { findModelFolder, readModelManifest } from '../encoder/model-files.ts';
import { ExampleVectors, writeExamples } from './examples.ts';

const manifest = readModelManifest(findModelFolder());

describe('vectors of examples that come with the package', () => {
  it('are not taken for another version of the model, for a text that has none, or where there are none', () => {
    const folder = makeTemporaryFolder();
    const vectors = new ExampleVectors(folder, manifest);
    expect(vectors.find(['one'])).toBeUndefined();
    const made = new Map([['one', Float32Array.of(0.5, -1, 0.25)]]);
    fs.writeFileSync(path.join(folder, 'examples.json'), writeExamples(manifest.version, made));
    const read = (version: string): ExampleVectors => new ExampleVectors(folder, { ...manifest, version });
    expect(read(manifest.version).find(['one', 'two'])).toBeUndefined();
    expect(read('another').find(['one'])).toBeUndefined();
    expect(read(manifest.version).find(['one'])?.[0]?.[1]).toBe(-1);
  });

  it('are refused with what to do when the file is damaged', () => {
    const folder = makeTemporaryFolder();
    fs.writeFileSync(path.join(folder, 'examples.json'), '{"version"');
    expect(() => new ExampleVectors(folder, manifest).find(['one'])).toThrow('examples.json');
  });
});
