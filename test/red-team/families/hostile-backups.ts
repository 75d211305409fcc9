import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { TestCli } from '../../support/cli.ts';
import {
  attempt,
  journalFile,
  plantInArchive,
  plantInParts,
  restoredHome,
  type HostileHomes,
  type Place,
} from '../../support/hostile-homes.ts';
import { attack, control, type RedTeamCase } from '../table.ts';

const EVIL = '#!/bin/sh\necho evil\n';

/** From a scratch folder for temporary files to a file beside the home, which lies among them too. */
function fromScratch({ folder }: Place): string {
  return `../../${path.relative(os.tmpdir(), folder)}/outside.md`;
}

interface PlantedBackup {
  /** Makes the archive in a folder and returns its file. */
  readonly plant: (homes: HostileHomes, place: Place) => Promise<string>;
  /** Otherwise it may also be restored, as long as nothing else is touched. */
  readonly isRefused: boolean;
}

const WHOLE = 'mneme-00000000-20260101T000000Z.tar.gz';
const INCREMENTAL = 'mneme-00000000-20260101T000000Z.parts.json';

function inWhole(files: (place: Place) => Readonly<Record<string, Buffer>>, isRefused = true): PlantedBackup {
  const plant: PlantedBackup['plant'] = async (homes, place) => {
    const file = path.join(place.folder, WHOLE);
    await plantInArchive(homes.whole, file, files(place));
    return file;
  };
  return { plant, isRefused };
}

function inParts(files: (place: Place) => Readonly<Record<string, Buffer>>): PlantedBackup {
  const plant: PlantedBackup['plant'] = async (homes, place) => {
    const file = path.join(place.folder, INCREMENTAL);
    plantInParts(homes.incremental, file, files(place));
    return Promise.resolve(file);
  };
  return { plant, isRefused: true };
}

const BACKUPS: Readonly<Record<string, PlantedBackup>> = {
  'its journal leads out': inWhole((place) => journalFile([{ path: fromScratch(place), text: EVIL }])),
  'its journal leads out of the restored home': inWhole(() => journalFile([{ path: '../../outside.md', text: EVIL }])),
  'its journal plants a hook': inWhole(() => journalFile([{ path: '.git/hooks/pre-commit', text: EVIL }])),
  'its journal leads out (incremental)': inParts((place) => journalFile([{ path: fromScratch(place), text: EVIL }])),
  'its journal plants a hook (incremental)': inParts(() =>
    journalFile([{ path: '.git/hooks/pre-commit', text: EVIL }]),
  ),
  'its last good settings put the workspace elsewhere': inWhole(
    ({ folder }) => ({
      ...journalFile([{ path: 'made.md', text: EVIL }]),
      'mneme.yaml': Buffer.from('workspace: 5\n'),
      'journal/last-good-mneme.yaml': Buffer.from(`workspace:\n  path: ${folder}\n`),
    }),
    false,
  ),
};

const VERBS: Readonly<Record<string, (file: string) => readonly string[]>> = {
  verify: (file) => ['backup', 'verify', file],
  restore: (file) => ['backup', 'restore', file, '--force'],
};

/** Backups that somebody else made; their hashes and checksums are right. */
export const HOSTILE_BACKUPS: readonly RedTeamCase<HostileHomes>[] = [
  ...Object.entries(BACKUPS).flatMap(([name, { plant, isRefused }]) =>
    Object.entries(VERBS).map(([verb, args]) =>
      attack<HostileHomes>(`backup ${verb}: ${name}`, (homes) => {
        let file = '';
        const prepare = async (place: Place): Promise<void> => {
          file = await plant(homes, place);
        };
        return attempt(homes, prepare, async (place) => {
          const { code, err } = await new TestCli(restoredHome(place)).run(args(file));
          const isHeld = code === 7 && err.includes('The archive is damaged') && !fs.existsSync(restoredHome(place));
          return isHeld || !isRefused ? undefined : `ended with ${code}: ${err}`;
        });
      }),
    ),
  ),
  control('a backup whose journal names a new file', async (homes) => {
    const { folder, home } = homes.copy();
    const file = path.join(folder, WHOLE);
    await plantInArchive(homes.whole, file, journalFile([{ path: 'memory/new.md', text: 'benign\n' }]));
    await new TestCli(home).ok('backup', 'restore', file, '--force');
    return fs.existsSync(path.join(home, 'workspace/memory/new.md')) ? undefined : 'was not replayed';
  }),
];
