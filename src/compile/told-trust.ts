import { lowestTrust, type Trust } from '../model/provenance.ts';
import type { Group } from '../retrieve/fit.ts';
import type { StoredPassage } from '../search-index/port.ts';
import { itemDefaults } from '../workspace/formats/defaults.ts';
import { kindOfPath, type FileKind } from '../workspace/formats/layout.ts';
import { locateBlocks } from '../workspace/formats/sections.ts';
import { parseDocument } from '../workspace/markdown/document.ts';
import { trustOfBlocks } from './attribute.ts';
import type { World } from './world.ts';

/** Files that are told as the user's own words wherever nobody else is named. */
export const SPOKEN_FOR_USER: ReadonlySet<FileKind> = new Set(['identity', 'memory', 'topic', 'procedure']);

type Files = Pick<World, 'layout' | 'readFile'>;

/**
 * The trust of a passage where it is injected: in these files as its blocks say, so that what core memory tells as the
 * user's is not called an agent's by the index, which knows only what such a file usually holds.
 */
export async function trustAsTold(passage: StoredPassage, { layout, readFile }: Files): Promise<Trust> {
  const { document, startLine, endLine, trust } = passage;
  const kind = kindOfPath(document.path, layout);
  if (document.source !== 'workspace' || document.isArchived || !SPOKEN_FOR_USER.has(kind)) return trust;
  const text = await readFile(document.path);
  if (text === undefined) return trust;
  const parsed = parseDocument(text);
  const blocks = locateBlocks(parsed);
  const trusts = trustOfBlocks(blocks, itemDefaults(kind, parsed.frontmatter?.values));
  const own = trusts.filter((_trust, at) => {
    const block = blocks[at];
    return block !== undefined && block.startLine <= endLine && block.endLine >= startLine;
  });
  return own.length === 0 ? trust : lowestTrust(own);
}

export async function groupsAsTold(groups: readonly Group[], files: Files): Promise<readonly Group[]> {
  const told = async (passage: StoredPassage): Promise<StoredPassage> => {
    const trust = await trustAsTold(passage, files);
    return trust === passage.trust ? passage : { ...passage, trust };
  };
  return Promise.all(
    groups.map(async ({ members, best }) => {
      const passage = await told(best.passage);
      // The best one stays one of the members.
      const all = members.map(async (member) => (member === best.passage ? passage : told(member)));
      return { members: await Promise.all(all), best: { ...best, passage } };
    }),
  );
}
