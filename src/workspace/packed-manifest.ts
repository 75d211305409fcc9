import path from 'node:path';
import { hash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { PACKED_MANIFEST, parsePackedManifest, readPacked, renderPackedLine } from './packed.ts';
import type { Eraser } from './registries.ts';
import type { Workspace } from './workspace.ts';

/** Says anew what the packed transcripts say, once something was erased from them. It holds no words itself. */
export function createManifestEraser(workspace: Workspace, clock: Clock): Eraser {
  return {
    name: 'manifest of packed transcripts',
    async erase() {
      const root = workspace.paths.repositories.raw.workTree;
      const text = nodeFileSystem.read(path.join(root, PACKED_MANIFEST))?.toString('utf8') ?? '';
      const lines = [...parsePackedManifest(text).values()].flatMap((known) => {
        const bytes = readPacked(nodeFileSystem, path.join(root, known.path));
        const sha256 = bytes === undefined ? known.sha256 : hash('sha256', bytes);
        if (bytes === undefined || sha256 === known.sha256) return [];
        return [renderPackedLine({ path: known.path, sha256, bytes: bytes.length, at: clock.now() })];
      });
      if (lines.length > 0) {
        await workspace.commit({
          repository: 'raw',
          actor: 'system:retention',
          approval: 'auto',
          trigger: 'permanent erasure',
          summary: 'hashes of packed conversations after an erasure',
          changes: [{ path: PACKED_MANIFEST, append: Buffer.from(lines.join(''), 'utf8') }],
        });
      }
      return { where: 'manifest of packed transcripts', occurrences: lines.length };
    },
  };
}
