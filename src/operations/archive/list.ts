import { z } from 'zod';
import { listArchive, type ArchivedFile } from '../../memory/archive/list-archive.ts';
import { isScope } from '../../model/provenance.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { placeOf, scopeOfPath } from '../../workspace/formats/layout.ts';
import { plainLine } from '../command-line/plain.ts';
import { type View, showTime, table } from '../command-line/style.ts';
import { defineVerb } from '../verb.ts';

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
  /** The latest archived first. */
  readonly entries: readonly ArchiveEntry[];
  /** Files in the archive that do not say where they came from, and cannot be put back. */
  readonly strangers: readonly string[];
}

export const archiveList = defineVerb({
  name: 'archive list',
  summary: 'List what was archived, when and why.',
  examples: ['mneme archive list --month 2026-11'],
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
  cli: { isDefault: true, options: { month: { value: 'month' }, scope: { value: 'scope' } } },
  render,
});

function render({ style, timeZone }: View, { entries, strangers }: ArchiveList): string {
  if (entries.length + strangers.length === 0) return `${style.dim('Nothing was put away yet.')}\n`;
  const rows = entries.map(({ at, item, from, reason = '', packed, path }) => [
    showTime(Date.parse(at), timeZone),
    item ?? style.dim('whole file'),
    plainLine(from),
    style.dim([reason, packed ? 'packed' : ''].filter((word) => word !== '').join(', ')),
    style.dim(plainLine(path)),
  ]);
  const others = strangers.map(
    (file) => `${style.yellow('note')} ${plainLine(file)} does not say where it came from.\n`,
  );
  return `${rows.length === 0 ? '' : table(rows)}${others.join('')}`;
}
