import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openMneme, restoreBackup } from '../../src/index.ts';
import { makeTemporaryFolder } from '../support/home.ts';
import { TestCli } from '../support/cli.ts';

const PRIVATE = 'The word of Apollo is zanzibar.';

// SPEC BACKUP-5
it('a backup with private scopes says so, or is sealed; only a key opens it, and an erasure reaches into it', async () => {
  const cli = new TestCli();
  await cli.init();
  const mneme = await openMneme({ home: cli.home, actor: 'manual' });
  await mneme.remember('The harbour office opens at seven.');
  expect((await mneme.backup.create()).notes).toEqual([]);
  await mneme.remember(PRIVATE, { scope: 'project:apollo' });
  const open = await mneme.backup.create();
  expect(open).toMatchObject({ isEncrypted: false, notes: [expect.stringContaining('--encrypt')] });

  await expect(mneme.backup.create({ encrypt: true })).rejects.toMatchObject({ code: 'usage' });
  await mneme.keys.create();
  await expect(mneme.backup.create({ encrypt: true, incremental: true })).rejects.toMatchObject({ code: 'usage' });
  const { file, notes, isEncrypted } = await mneme.backup.create({ encrypt: true });
  expect({ notes, isEncrypted }).toEqual({ notes: [], isEncrypted: true });
  expect(fs.readFileSync(file, 'latin1').startsWith('age-encryption.org/v1')).toBe(true);
  expect(fs.readdirSync(path.join(cli.home, 'state', 'backup'))).toEqual([]);
  expect((await mneme.backup.list()).find((backup) => backup.file === file)).toMatchObject({ isEncrypted: true });
  expect(await mneme.backup.verify(file)).toMatchObject({ file });

  // An older key still opens what it sealed.
  await mneme.keys.rotate();
  await mneme.erase(PRIVATE);
  await mneme.close();

  const home = path.join(makeTemporaryFolder(), 'home');
  const elsewhere = new TestCli(home);
  expect(await elsewhere.run(['backup', 'restore', file])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--key FILE'),
  });
  const other = path.join(makeTemporaryFolder(), 'other.agekey');
  fs.writeFileSync(other, 'no key\n');
  expect((await elsewhere.run(['backup', 'restore', file, '--key', other])).code).toBe(2);
  const key = path.join(cli.home, 'keys', 'remote.agekey');
  await restoreBackup({ archive: file, home, key });
  expect(fs.readdirSync(path.dirname(home))).toEqual(['home']);
  expect(fs.existsSync(path.join(home, 'keys'))).toBe(false);
  expect(await elsewhere.ok('recall', 'harbour office')).toContain('opens at seven');
  expect(await elsewhere.ok('recall', 'word of Apollo', '--scope', 'project:apollo')).not.toContain('zanzibar');

  const damaged = `${file}.cut.age`;
  fs.writeFileSync(damaged, fs.readFileSync(file).subarray(0, -100));
  expect((await cli.run(['backup', 'verify', damaged])).code).toBe(7);
}, 120_000);
