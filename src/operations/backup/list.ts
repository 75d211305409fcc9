import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { must } from '../../model/errors.ts';
import { parseArchiveName, sortArchives } from '../../workspace/erase/backup-archives.ts';
import type { OperationContext } from '../context.ts';
import { showBytes } from '../command-line/plain.ts';
import { type View, showTime, table } from '../command-line/style.ts';
import { defineVerb } from '../verb.ts';
import { backupFolder, findHomeId } from './places.ts';

export interface BackupInfo {
  readonly file: string;
  readonly made: string;
  /** Of an incremental one only the list; its parts are shared. */
  readonly bytes: number;
  readonly isIncremental: boolean;
  readonly isEncrypted: boolean;
}

export const listBackups = defineVerb({
  name: 'backup list',
  summary: 'List the backups, the newest first.',
  input: z.object({}),
  effect: 'read',
  run: (context): Promise<BackupInfo[]> => Promise.resolve(readBackups(context)),
  cli: { isDefault: true },
  render,
});

export function readBackups({
  home,
  config,
  workspace,
}: Pick<OperationContext, 'home' | 'config' | 'workspace'>): BackupInfo[] {
  const folder = backupFolder(home, config);
  const homeId = findHomeId(workspace.paths.journal);
  if (homeId === undefined || !fs.existsSync(folder)) return [];
  return sortArchives(fs.readdirSync(folder), homeId)
    .reverse()
    .map((name) => {
      const file = path.join(folder, name);
      const { time, form } = must(parseArchiveName(name), `the time in ${name}`);
      const { size: bytes } = fs.statSync(file);
      return { file, made: isoOf(time), bytes, isIncremental: form === 'parts', isEncrypted: form === 'sealed' };
    });
}

function isoOf(compact: string): string {
  return compact.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u, '$1-$2-$3T$4:$5:$6Z');
}

function render({ style, timeZone }: View, backups: readonly BackupInfo[]): string {
  if (backups.length === 0) return `${style.dim('No backup yet; make one: mneme backup create')}\n`;
  return table(
    backups.map(({ file, made, bytes, isIncremental, isEncrypted }) => [
      showTime(Date.parse(made), timeZone),
      isIncremental ? 'incremental' : `${showBytes(bytes)}${isEncrypted ? ', sealed' : ''}`,
      file,
    ]),
  );
}
