import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { findLogPlaces, findOwnZone } from './environment.ts';

const HOME = path.resolve('/users/lea');

function placesWith(variables: Readonly<Record<string, string>>) {
  return findLogPlaces(HOME, (name) => variables[name]);
}

describe('findLogPlaces', () => {
  it('takes what each program lets people choose', () => {
    const folder = (name: string): string => path.resolve('/chosen', name);
    expect(
      placesWith({
        CLAUDE_CONFIG_DIR: folder('claude'),
        CODEX_HOME: folder('codex'),
        OPENCLAW_STATE_DIR: folder('openclaw'),
        OPENCLAW_CONFIG_PATH: folder('openclaw.json'),
        XDG_CONFIG_HOME: folder('config'),
        APPDATA: folder('roaming'),
      }),
    ).toEqual({
      userHome: HOME,
      claudeConfig: folder('claude'),
      codexHome: folder('codex'),
      openclawState: folder('openclaw'),
      openclawConfig: folder('openclaw.json'),
      xdgConfig: folder('config'),
      appData: folder('roaming'),
    });
  });

  it('knows nothing but the home where nothing is chosen', () => {
    expect(Object.values(placesWith({})).filter((place) => place !== undefined)).toEqual([HOME]);
  });

  it('reads ~ as the home, and no relative XDG_CONFIG_HOME', () => {
    expect(placesWith({ OPENCLAW_STATE_DIR: '~/claw', XDG_CONFIG_HOME: 'config' })).toMatchObject({
      openclawState: path.join(HOME, 'claw'),
      xdgConfig: undefined,
    });
  });
});

describe('the zone of this machine', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['CET-1CEST', undefined],
    [':/etc/localtime', undefined],
    ['UTC', undefined],
    ['', undefined],
  ])('is taken from TZ=%s where that is the name of a place', (named, zone) => {
    vi.stubEnv('TZ', named);
    expect(findOwnZone()).toBe(zone);
  });

  it('is the one that Intl tells, where the system links to it', () => {
    vi.stubEnv('TZ', undefined);
    const hourIn = (timeZone: string | undefined): string =>
      new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'long' }).format(Date.UTC(2026, 6, 1));
    expect(hourIn(findOwnZone())).toBe(hourIn(undefined));
  });
});
