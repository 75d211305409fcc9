import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../../model/config/schema.ts';
import { relevanceOf, statusOf, type Fading, whyNotFading } from './relevance.ts';
import { DAY_MS } from '../../model/time.ts';

const { decay } = defaultConfig();
const nowMs = Date.UTC(2026, 1, 16);

function fading(parts: Partial<Fading> = {}): Fading {
  return {
    store: 'procedural',
    source: 'user-explicit',
    createdMs: nowMs,
    accesses: 0,
    lastAccessMs: undefined,
    isPinned: false,
    ...parts,
  };
}

describe('relevanceOf', () => {
  it('keeps its base for 30 days, then halves in 23', () => {
    expect(relevanceOf(fading(), nowMs, decay)).toBeCloseTo(1);
    expect(relevanceOf(fading({ createdMs: nowMs - 30 * DAY_MS }), nowMs, decay)).toBeCloseTo(1);
    expect(relevanceOf(fading({ createdMs: nowMs - 53.1 * DAY_MS }), nowMs, decay)).toBeCloseTo(0.5, 2);
  });

  it('does not fade a rule, who the user is, or what must never be wrong', () => {
    const old = { createdMs: nowMs - 900 * DAY_MS, isStanding: true };
    expect(relevanceOf(fading(old), nowMs, decay)).toBe(1);
    expect(whyNotFading(fading(old), decay)).toMatch(/rule/u);
  });

  it('counts from the last use, and use makes it last', () => {
    const old = { createdMs: nowMs - 100 * DAY_MS };
    const unused = relevanceOf(fading(old), nowMs, decay);
    const used = relevanceOf(fading({ ...old, accesses: 3, lastAccessMs: nowMs - 100 * DAY_MS }), nowMs, decay);
    const lately = relevanceOf(fading({ ...old, accesses: 3, lastAccessMs: nowMs - DAY_MS }), nowMs, decay);
    expect(used / unused).toBeCloseTo(Math.log2(5) / Math.log2(2), 5);
    expect(lately).toBeGreaterThan(used);
  });

  it('lets what was inferred fade first and the vault never', () => {
    const aged = { createdMs: nowMs - 30 * DAY_MS };
    const inferred = relevanceOf(fading({ ...aged, source: 'inferred' }), nowMs, decay);
    expect(inferred).toBeLessThan(relevanceOf(fading(aged), nowMs, decay));
    expect(relevanceOf(fading({ createdMs: 0, store: 'vault' }), nowMs, decay)).toBe(1);
    expect(relevanceOf(fading({ createdMs: 0, isPinned: true }), nowMs, decay)).toBe(1);
  });
});

describe('statusOf', () => {
  it.each([
    [0.5, 'active'],
    [0.49, 'fading'],
    [0.2, 'fading'],
    [0.19, 'dormant'],
    [0.05, 'dormant'],
    [0.04, 'faint'],
  ])('%d is %s', (relevance, status) => {
    expect(statusOf(relevance)).toBe(status);
  });
});
