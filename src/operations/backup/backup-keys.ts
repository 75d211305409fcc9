import fs from 'node:fs';
import path from 'node:path';
import { defaultConfig } from '../../model/config/schema.ts';
import { MnemeError } from '../../model/errors.ts';
import { findIdentities, parseIdentities } from '../history/sealed/key.ts';

/** The keys for a backup whose home may be gone: from a file that is named, from the environment, or from where the home is to be. */
export function findBackupKeys(home: string, named: string | undefined): readonly string[] {
  if (named === undefined) return findIdentities({ home, config: defaultConfig() });
  const file = path.resolve(named);
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
  const found = text === undefined ? [] : parseIdentities(text);
  if (found.length > 0) return found;
  throw new MnemeError('usage', text === undefined ? `There is no file ${file}.` : `${file} holds no age key.`, {
    hint: 'It is keys/remote.agekey in the home that made the backup.',
  });
}
