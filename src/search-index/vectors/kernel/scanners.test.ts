import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isMnemeError } from '../../../model/errors.ts';
import { assembleModule } from './instructions.ts';
import { VECTORS_PER_PAGE, type PageScanner } from './port.ts';
import { scanFunction } from './scan-function.ts';
import { PlainScanner, openScanner } from './simd-scanner.ts';
import { seededNumbers } from '../testing/pages.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

function fill(scanner: PageScanner, slots: number, dimensions: number, seed: number): void {
  const next = seededNumbers(seed);
  for (let slot = 0; slot < slots; slot++) {
    const codes = Int8Array.from({ length: VECTORS_PER_PAGE * dimensions }, () => Math.floor(next() * 128));
    scanner.writeSlot(
      slot,
      codes,
      Float32Array.from({ length: VECTORS_PER_PAGE }, () => Math.abs(next())),
    );
  }
}

// SPEC SEARCH-8
describe('the kernel', () => {
  it('is a module that this runtime takes', () => {
    expect(openScanner(8).kind).toBe('simd');
    expect(assembleModule(scanFunction).length).toBeLessThan(1024);
  });

  it('gives the same scores as plain JavaScript, bit for bit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), fc.integer(), (dimensions, seed) => {
        const [simd, plain] = [openScanner(dimensions), new PlainScanner(dimensions)];
        const next = seededNumbers(seed + 1);
        const query = Int16Array.from({ length: dimensions }, () => Math.floor(next() * 0x7fff));
        for (const scanner of [simd, plain]) {
          fill(scanner, 2, dimensions, seed);
          scanner.setQuery(query);
        }
        for (const slot of [1, 0]) {
          expect(simd.scan(slot)).toEqual(plain.scan(slot));
          expect(simd.scalesOf(slot)).toEqual(plain.scalesOf(slot));
        }
      }),
      { numRuns: 30 },
    );
  });

  it('returns the same products as plain JavaScript, to the last bit, for any list of rows', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 80 }),
        fc.integer(),
        fc.array(fc.nat(2 * VECTORS_PER_PAGE - 1), { maxLength: 40 }),
        fc.constantFrom(1, 60),
        (dimensions, seed, few, times) => {
          const rows = Int32Array.from(Array.from({ length: times }, () => few).flat());
          const next = seededNumbers(seed + 1);
          const query = Float64Array.from({ length: dimensions }, () => Math.fround(next()));
          const [simd, plain] = [openScanner(dimensions), new PlainScanner(dimensions)].map((scanner) => {
            fill(scanner, 2, dimensions, seed);
            const products = new Float64Array(rows.length);
            scanner.compare(query, rows, products);
            return products;
          });
          expect(simd).toEqual(plain);
        },
      ),
      { numRuns: 20 },
    );
  });

  it.each([384, 512, 1024, 1536, 3072, 4096])('does not overflow with extreme codes in %i dimensions', (dimensions) => {
    const [simd, plain] = [openScanner(dimensions), new PlainScanner(dimensions)];
    for (const scanner of [simd, plain]) {
      const scales = new Float32Array(VECTORS_PER_PAGE).fill(1);
      scanner.writeSlot(0, new Int8Array(VECTORS_PER_PAGE * dimensions).fill(-128), scales);
      scanner.setQuery(new Int16Array(dimensions).fill(scanner.highestQueryCode));
      expect(scanner.scan(0)[1023]).toBe(Math.fround(-128 * dimensions * scanner.highestQueryCode));
    }
  });

  it('keeps its slots when memory grows', () => {
    const scanner = openScanner(20);
    const scales = new Float32Array(VECTORS_PER_PAGE).fill(0.5);
    for (let slot = 0; slot < 40; slot++) {
      scanner.writeSlot(slot, new Int8Array(VECTORS_PER_PAGE * 20).fill(slot), scales);
    }
    scanner.setQuery(new Int16Array(20).fill(1));
    for (let slot = 0; slot < 40; slot++) {
      expect(new Set(scanner.scan(slot))).toEqual(new Set([slot * 10]));
      expect([...scanner.codesOf(slot).subarray(0, 20)]).toEqual(Array.from({ length: 20 }, () => slot));
    }
  });

  it('says so when memory cannot grow', () => {
    const scanner = openScanner(65_536);
    const page = new Int8Array(VECTORS_PER_PAGE * 65_536);
    let problem: unknown;
    try {
      scanner.writeSlot(100, page, new Float32Array(VECTORS_PER_PAGE));
    } catch (error) {
      problem = error;
    }
    expect(isMnemeError(problem, 'failure')).toBe(true);
  });

  it.each([
    ['missing', undefined],
    ['without SIMD', { validate: () => false }],
  ])('falls back to plain JavaScript when WebAssembly is %s', async (_, replacement) => {
    vi.stubGlobal('WebAssembly', replacement);
    const fresh = await import('./simd-scanner.ts');
    expect(fresh.openScanner(8).kind).toBe('plain');
  });
});
