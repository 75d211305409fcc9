import { mkdtemp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultConfig } from '../../model/config/schema.ts';
import { CONFIG_FILE, LAST_GOOD_FILE, newConfigText, readConfig, writeConfig } from './file.ts';
import { parseConfig } from './parse.ts';

let home = '';

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'mneme-config-'));
});

afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

const GOOD = 'format: 1\ntime_zone: Asia/Tokyo\nsearch:\n  max_results: 15\n';

async function save(text: string): Promise<void> {
  await writeFile(join(home, CONFIG_FILE), text);
}

describe('readConfig', () => {
  it('reads the file and keeps a good copy, written only when it differs', async () => {
    await save(GOOD);
    const reading = await readConfig(home);
    expect(reading).toEqual({ ...parseConfig(GOOD), text: GOOD, origin: 'file' });
    const first = await stat(join(home, LAST_GOOD_FILE));
    await readConfig(home);
    expect((await stat(join(home, LAST_GOOD_FILE))).ino).toBe(first.ino);
    expect(await readFile(join(home, LAST_GOOD_FILE), 'utf8')).toBe(GOOD);
    expect(await readdir(join(home, 'journal'))).toHaveLength(1);
  });

  it('falls back to that copy when the file is broken or gone, and says so', async () => {
    await save(GOOD);
    await readConfig(home);
    await save('search: [\n');
    const broken = await readConfig(home);
    expect(broken).toMatchObject({ config: { time_zone: 'Asia/Tokyo' }, origin: 'last-good', text: 'search: [\n' });
    expect(broken.findings.map(({ kind }) => kind)).toEqual(['syntax', 'fallback']);
    expect(broken.findings[1]?.message).toContain(LAST_GOOD_FILE);
    await rm(join(home, CONFIG_FILE));
    expect(await readConfig(home)).toMatchObject({ origin: 'last-good', text: '', findings: [{ kind: 'fallback' }] });
    expect(await readFile(join(home, LAST_GOOD_FILE), 'utf8')).toBe(GOOD);
  });

  it('takes a single broken setting from that copy and the rest from the file', async () => {
    await save(GOOD);
    await readConfig(home);
    await save('format: 1\ntime_zone: Asia/Tokio\nsearch:\n  max_results: 18\n');
    const reading = await readConfig(home);
    expect(reading).toMatchObject({ origin: 'file', config: { time_zone: 'Asia/Tokyo', search: { max_results: 18 } } });
    expect(reading.findings.map(({ kind }) => kind)).toEqual(['value', 'fallback']);
    expect(await readFile(join(home, LAST_GOOD_FILE), 'utf8')).toBe(GOOD);
  });

  it('uses the defaults when no good copy exists, and says so', async () => {
    await save('search: [\n');
    const reading = await readConfig(home);
    expect(reading).toMatchObject({ config: defaultConfig(), origin: 'defaults' });
    expect(reading.findings.at(-1)?.message).toContain('the defaults');
  });

  it('is not found where there is no home', async () => {
    await expect(readConfig(home)).rejects.toMatchObject({ code: 'not-found', hint: expect.stringContaining('init') });
  });

  it('reads on when the copy cannot be read or written, and says so', async () => {
    await save(GOOD);
    await mkdir(join(home, LAST_GOOD_FILE, 'in-the-way'), { recursive: true });
    const reading = await readConfig(home);
    expect(reading).toMatchObject({ origin: 'file', config: { time_zone: 'Asia/Tokyo' } });
    expect(reading.findings).toMatchObject([{ kind: 'last-good' }]);
    expect(await readdir(join(home, 'journal'))).toHaveLength(1);
  });

  it('writes nothing into a home that is newer or read-only', async () => {
    await save('format: 99\n');
    await readConfig(home);
    await save(GOOD);
    await readConfig(home, { keepLastGood: false });
    expect(await readdir(home)).toEqual([CONFIG_FILE]);
  });
});

describe('writeConfig', () => {
  it('replaces the file and leaves nothing else behind', async () => {
    await writeConfig(home, GOOD);
    await writeConfig(home, `${GOOD}# more\n`);
    expect(await readFile(join(home, CONFIG_FILE), 'utf8')).toBe(`${GOOD}# more\n`);
    expect(await readdir(home)).toEqual([CONFIG_FILE]);
  });
});

describe('newConfigText', () => {
  it('is short, valid and holds only what init decides', () => {
    const text = newConfigText({ timeZone: 'Europe/Berlin' });
    expect(text.split('\n').length).toBeLessThan(25);
    expect(parseConfig(text)).toEqual({ config: { ...defaultConfig(), time_zone: 'Europe/Berlin' }, findings: [] });
  });

  it('suggests only settings that exist', () => {
    const suggested = newConfigText({ timeZone: 'UTC' }).split('# Worth a look:\n#\n')[1] ?? '';
    const { findings } = parseConfig(suggested.replaceAll(/^# /gm, ''));
    expect(suggested).toContain('provider');
    expect(findings).toEqual([]);
  });

  it('takes an adopted folder, on Windows too', () => {
    const text = newConfigText({ timeZone: 'UTC', workspacePath: 'C:\\my: notes', gitDir: 'git', layout: 'openclaw' });
    expect(parseConfig(text).config.workspace).toMatchObject({
      path: 'C:\\my: notes',
      git_dir: 'git',
      layout: 'openclaw',
    });
    expect(() => newConfigText({ timeZone: 'Mars/Base' })).toThrow('IANA');
  });
});
