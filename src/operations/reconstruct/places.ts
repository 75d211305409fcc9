import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import type { HomePaths } from '../../workspace/home-paths.ts';

/** Reconstructions can be made again: they stand with what may be deleted at any time, and no backup holds them. */
export function reconstructionsFolder({ state }: Pick<HomePaths, 'state'>): string {
  return path.join(state, 'reconstructions');
}

export interface ReconstructionPlaces {
  readonly folder: string;
  /** A home of its own, outside the workspace. */
  readonly home: string;
  readonly record: string;
  /** A line for each conversation that was replayed. */
  readonly done: string;
  readonly lock: string;
}

export function reconstructionPlaces(paths: Pick<HomePaths, 'state'>, name: string): ReconstructionPlaces {
  const folder = path.join(reconstructionsFolder(paths), name);
  return {
    folder,
    home: path.join(folder, 'home'),
    record: path.join(folder, 'reconstruction.json'),
    done: path.join(folder, 'done.txt'),
    lock: path.join(reconstructionsFolder(paths), `${name}.lock`),
  };
}

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/u;

/** It becomes a folder and a branch. */
export function assertReconstructionName(name: string): void {
  if (NAME.test(name)) return;
  throw new MnemeError('usage', `"${name}" cannot name a reconstruction.`, {
    hint: 'Use small letters, digits and hyphens: v2-decisions.',
  });
}

export function branchOf(name: string): string {
  return `extract/${name}`;
}

export function listReconstructionNames(paths: Pick<HomePaths, 'state'>): string[] {
  const folder = reconstructionsFolder(paths);
  if (!fs.existsSync(folder)) return [];
  const isThere = (name: string): boolean => fs.existsSync(reconstructionPlaces(paths, name).record);
  return fs
    .readdirSync(folder)
    .filter((name) => NAME.test(name) && isThere(name))
    .toSorted();
}
