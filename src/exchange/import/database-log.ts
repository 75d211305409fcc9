import path from 'node:path';
import { errorMessage } from '../../model/errors.ts';
import { sqliteCode } from '../../platform/disk-failure.ts';
import type { LogFile, Tally } from './port.ts';

/** The sessions in a program's database; one that cannot be read, or is of another form, is told of and left. */
export function listDatabase(file: string, tally: Tally, list: () => readonly LogFile[]): readonly LogFile[] {
  try {
    return list();
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
    tally.addDamage('database', errorMessage(error), { file: path.basename(file), at: undefined });
    return [];
  }
}
