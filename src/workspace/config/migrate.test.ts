import { describe, expect, it } from 'vitest';
import { CURRENT_FORMAT, defaultConfig } from '../../model/config/schema.ts';
import { applyMigration, formatStatus, planMigration } from './migrate.ts';
import { newConfigText } from './file.ts';
import { parseConfig } from './parse.ts';

const UNVERSIONED = '\uFEFF# mine\r\ngit:\r\n  hooks: false # no\r\n';

describe('formatStatus', () => {
  it('compares a home with what this version knows', () => {
    expect(formatStatus(defaultConfig())).toBe('current');
    expect(formatStatus(parseConfig('').config)).toBe('older');
    expect(formatStatus(parseConfig(`format: ${CURRENT_FORMAT + 1}`).config)).toBe('newer');
  });
});

describe('the migration of a home without a format', () => {
  it('shows each change before it makes it', () => {
    const plan = planMigration(0, UNVERSIONED);
    expect(plan).toMatchObject({ from: 0, to: 1, steps: [{ before: UNVERSIONED }, {}] });
    expect(plan.steps[0]?.after).toBe(plan.steps[1]?.before);
  });

  it('adds the format and the time zone in effect, and changes nothing else', () => {
    const migrated = applyMigration(planMigration(0, UNVERSIONED), UNVERSIONED);
    expect(migrated).toBe('\uFEFF# mine\r\nformat: 1\r\ntime_zone: UTC\r\ngit:\r\n  hooks: false # no\r\n');
    expect(parseConfig(migrated)).toEqual({
      config: { ...parseConfig(UNVERSIONED).config, format: 1 },
      findings: [],
    });
  });

  it.each([
    ['', 'format: 1\ntime_zone: UTC\n'],
    ['# only words\n', '# only words\nformat: 1\ntime_zone: UTC\n'],
    ['time_zone: Asia/Tokyo # here\n', 'format: 1\ntime_zone: Asia/Tokyo # here\n'],
    ['format: 0\ntime_zone: UTC\n', 'format: 1\ntime_zone: UTC\n'],
    ['{git: {hooks: false}}\n', '{format: 1, time_zone: UTC, git: {hooks: false}}\n'],
  ])('turns %j into %j', (before, after) => {
    const migrated = applyMigration(planMigration(0, before), before);
    expect(parseConfig(migrated).config.format).toBe(1);
    expect(migrated).toBe(after);
  });

  it('has nothing to do for a current home', () => {
    const text = newConfigText({ timeZone: 'Asia/Tokyo' });
    expect(planMigration(1, text).steps).toEqual([]);
    expect(applyMigration(planMigration(1, text), text)).toBe(text);
  });

  it('refuses a newer home, a broken file and a file that changed meanwhile', () => {
    expect(() => planMigration(CURRENT_FORMAT + 1, 'format: 2\n')).toThrow('knows formats up to');
    expect(() => planMigration(0, 'a: [')).toThrow('cannot be read as YAML');
    expect(() => planMigration(-1, '')).toThrow('is not a format version');
    expect(() => applyMigration(planMigration(0, UNVERSIONED), `${UNVERSIONED}# more`)).toThrow('changed after');
  });
});
