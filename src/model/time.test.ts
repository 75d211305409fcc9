import { afterEach, describe, expect, it } from 'vitest';
import { isTimeZone, localTime, setOwnZone } from './time.ts';

const HOUR_MS = 3_600_000;
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const earlier = process.env['TZ'];

afterEach(() => {
  setOwnZone(undefined);
  process.env['TZ'] = earlier ?? zone;
});

describe('the day and hour of a moment', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Auckland'])(
    'is the same whether %s is the zone of this machine or another one',
    (name) => {
      const moments = Array.from({ length: 9000 }, (_, count) => Date.UTC(1990, 0, 1) + count * 41 * HOUR_MS + count);
      const byTables = moments.map((timeMs) => localTime(timeMs, name === 'UTC' ? 'Etc/UTC' : name));
      process.env['TZ'] = name;
      setOwnZone(name);
      expect(moments.map((timeMs) => localTime(timeMs, name))).toEqual(byTables);
      expect(isTimeZone(name)).toBe(true);
    },
  );

  it('is refused for a time zone that does not exist', () => {
    expect(isTimeZone('Europe/Atlantis')).toBe(false);
    expect(() => localTime(0, 'Europe/Atlantis')).toThrow(RangeError);
  });
});
