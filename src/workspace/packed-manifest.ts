import path from 'node:path';
import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { readPacked } from './packed.ts';
import type { Eraser } from './registries.ts';
import type { Workspace } from './workspace.ts';

/** Beside the transcripts, append-only: what each said when it was packed, by its hash. */
export const PACKED_MANIFEST = 'packed.jsonl';

const lineSchema = z.object({
  /** The plain name, relative to the repository. */
  path: z.string().min(1),
  /** Of the text before it was packed. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/u),
  bytes: z.number().int().min(0),
  at: z.string(),
});
export type PackedLine = z.infer<typeof lineSchema>;

export function renderPackedLine({ at, ...line }: Omit<PackedLine, 'at'> & { readonly at: number }): string {
  return `${JSON.stringify({ ...line, at: new Date(at).toISOString() })}\n`;
}

/** By path; where a file has several lines the last one counts. A torn line says nothing. */
export function parsePackedManifest(text: string): ReadonlyMap<string, PackedLine> {
  const lines = new Map<string, PackedLine>();
  for (const line of text.split('\n')) {
    const parsed = line === '' ? undefined : lineSchema.safeParse(parseJson(line)).data;
    if (parsed !== undefined) lines.set(parsed.path, parsed);
  }
  return lines;
}

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

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
