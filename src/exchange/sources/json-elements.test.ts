import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readElements } from './json-elements.ts';
import type { SourceFile } from './open-source.ts';

function fileOf(text: string, chunkBytes: number): SourceFile {
  const bytes = Buffer.from(text, 'utf8');
  return {
    relative: 'x.json',
    name: 'x.json',
    size: bytes.length,
    mtimeMs: 0,
    async *open(from = 0) {
      for (let at = from; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    },
  };
}

async function read(text: string, chunkBytes = 7): Promise<{ values: unknown[]; problems: [number, string][] }> {
  const values: unknown[] = [];
  const problems: [number, string][] = [];
  for await (const { at, value, problem } of readElements(fileOf(text, chunkBytes))) {
    if (problem === undefined) values.push(value);
    else problems.push([at, problem]);
  }
  return { values, problems };
}

const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', '}', '[', ']', ',', 'é', '\n', ' ') });
const elements = fc.array(fc.record({ title: text, parts: fc.array(text), deep: fc.record({ title: text }) }));

// SPEC EXCHANGE-3
describe('a long JSON list', () => {
  it('is read element by element, wherever chunks end', async () => {
    await fc.assert(
      fc.asyncProperty(
        elements,
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        async (list, chunkBytes, isIndented) => {
          const found = await read(JSON.stringify(list, undefined, isIndented ? 2 : 0), chunkBytes);
          expect(found).toEqual({ values: list, problems: [] });
          const lines = list.map((one) => `${JSON.stringify(one)}\n`).join('');
          expect((await read(lines, chunkBytes)).values).toEqual(list);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('loses only the element that is damaged, and says where that is', async () => {
    const list = Array.from({ length: 6 }, (_, index) => ({ id: index, text: `number ${index} {"` }));
    const whole = JSON.stringify(list, undefined, 1);
    const broken = whole.replace('"text": "number 2 {\\""', '"text": "number 2 {');
    const { values, problems } = await read(broken);
    expect(values).toEqual(list.filter(({ id }) => id !== 2));
    expect(problems).toEqual([[broken.indexOf('{\n  "id": 2'), 'not JSON']]);
  });

  it('is read up to where it was cut off', async () => {
    const list = [{ id: 1 }, { id: 2 }, { id: 3, text: 'lost' }];
    expect(await read(JSON.stringify(list).slice(0, -6))).toEqual({
      values: [{ id: 1 }, { id: 2 }],
      problems: [[19, 'cut off or damaged']],
    });
  });

  it('never fails, whatever is in it', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (anything) => {
        const { values } = await read(anything, 3);
        expect(Array.isArray(values)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('says what stands between its elements and is none', async () => {
    expect(await read('{"id":1}\nnot json\n{"id":2}\n')).toEqual({
      values: [{ id: 1 }, { id: 2 }],
      problems: [[9, 'not JSON']],
    });
  });
});
