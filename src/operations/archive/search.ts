import { z } from 'zod';
import { isScope, type Scope } from '../../model/provenance.ts';
import { listArchive, type ArchivedFile } from '../../memory/archive/list-archive.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { plainName } from '../../workspace/packed.ts';
import type { Hit } from '../../retrieve/hit.ts';
import type { StoredPassage } from '../../search-index/port.ts';
import { plainLine } from '../command-line/plain.ts';
import type { View } from '../command-line/style.ts';
import { defineVerb } from '../verb.ts';

const input = z.object({
  query: z.string().trim().min(1).max(10_000).describe('What is looked for.'),
  limit: z.number().int().min(1).max(100).default(10).describe('Most hits.'),
  scope: z
    .string()
    .refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME')
    .default('shared')
    .describe('Besides what is shared, what belongs to this scope.'),
});

export type ArchiveSearchInput = z.input<typeof input>;

export interface ArchivedHit extends Hit {
  /** The argument for `archive restore`; null for a file that does not say where it came from. */
  readonly archived: string | null;
}

export interface ArchiveSearchResult {
  readonly hits: readonly ArchivedHit[];
  readonly mode: string;
  readonly notes: readonly string[];
}

/** Without a single word of the question, this much of its meaning. */
const MIN_SIMILARITY = 0.35;

function archivedAs(files: readonly ArchivedFile[], path: string): string | null {
  const file = files.find((one) => one.path === plainName(path));
  return file === undefined ? null : (file.item ?? file.path);
}

export const archiveSearch = defineVerb({
  name: 'archive search',
  summary: 'Find something in the archive by its words or its meaning.',
  examples: ['mneme archive search "old landlord"'],
  input,
  args: ['query...'],
  effect: 'read',
  async run(context, { query, limit, scope }): Promise<ArchiveSearchResult> {
    const { index } = await context.homeIndex.prepare();
    const scopes: readonly Scope[] = ['shared', scope];
    const request = {
      text: query,
      filter: { scopes, withArchived: true },
      limit,
      tokens: undefined,
      isWanted: ({ document }: StoredPassage) => document.isArchived,
    };
    // Asking as of now is not noted down: nothing that was put away becomes fresh by being looked at.
    const at = index === undefined ? undefined : { index, nowMs: context.clock.now() };
    const { hits, mode, notes } = await context.search.ask({ ...request, models: 'all', at });
    const { files } = listArchive(nodeFileSystem, context.workspace.root);
    const found = hits.filter(({ evidence }) => evidence.coverage > 0 || (evidence.similarity ?? 0) >= MIN_SIMILARITY);
    return { hits: found.map((hit) => Object.assign({ archived: archivedAs(files, hit.path) }, hit)), mode, notes };
  },
  cli: { options: { scope: { value: 'scope' } } },
  render,
});

function render({ style }: View, { hits, notes }: ArchiveSearchResult): string {
  const lines = hits.flatMap(({ archived, path, text }) => [
    `${style.bold(plainLine(archived ?? ''))}  ${plainLine(text.replaceAll(/\s+/gu, ' '))}`,
    style.dim(`   ${plainLine(path)}`),
  ]);
  if (hits.length === 0) lines.push(style.dim('Nothing in the archive is about that.'));
  else lines.push('', style.dim('Bring one back: mneme archive restore ID'));
  return `${[...lines, ...notes.map((note) => `${style.yellow('note')} ${note}`)].join('\n')}\n`;
}
