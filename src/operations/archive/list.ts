import { z } from 'zod';
import { listArchive, type ArchivedFile } from '../../memory/archive/list-archive.ts';
import { isScope } from '../../model/provenance.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { placeOf, scopeOfPath } from '../../workspace/formats/layout.ts';
import { defineOperation } from '../operation.ts';

const input = z.object({
  month: z
    .string()
    .regex(/^\d{4}-\d{2}$/u, 'is a month, such as 2026-11')
    .optional()
    .describe('Only what was archived in this month.'),
  scope: z
    .string()
    .refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME')
    .default('shared')
    .describe('Besides what is shared, what belongs to this scope.'),
});

export type ArchiveListInput = z.input<typeof input>;

export interface ArchiveEntry extends ArchivedFile {
  readonly store: string;
}

export interface ArchiveList {
  /** What was archived last stands first. */
  readonly entries: readonly ArchiveEntry[];
  /** Files in the archive that do not say where they came from, and cannot be put back. */
  readonly strangers: readonly string[];
}

export const archiveList = defineOperation({
  name: 'archive list',
  summary: 'What was put away, when and why.',
  input,
  effect: 'read',
  run({ workspace, layout }, { month, scope }): Promise<ArchiveList> {
    const { files, strangers } = listArchive(nodeFileSystem, workspace.root);
    const isVisible = (path: string): boolean => ['shared', scope].includes(scopeOfPath(path));
    const entries = files
      .filter(({ path, at }) => isVisible(path) && (month === undefined || at.startsWith(month)))
      .map((file) => Object.assign({ store: placeOf(file.path, layout).store }, file));
    return Promise.resolve({ entries, strangers: strangers.filter(isVisible) });
  },
});
