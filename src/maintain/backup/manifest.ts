import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { damaged } from './tar/header.ts';

/** The last entry of an archive: what is in it, and what it was made of. */
export const MANIFEST_FILE = 'manifest.json';

/** Raised when an older Mneme could no longer restore it. */
const ARCHIVE_FORMAT = 1;

const repository = z.object({
  name: z.enum(['workspace', 'raw', 'chain']),
  /** The branch HEAD stands on, or the commit where it stands on none. */
  head: z.string(),
  /** A text of all references and what they point to, hashed. */
  references: z.string(),
  remotes: z.array(z.object({ name: z.string(), url: z.string() })),
});

const manifest = z.object({
  format: z.int().min(1),
  homeId: z.string().regex(/^[0-9a-f]{8}$/u),
  made: z.iso.datetime(),
  /** False when the transcripts were left out on purpose. */
  hasTranscripts: z.boolean(),
  repositories: z.array(repository),
  files: z.array(
    z.object({ path: z.string().min(1), size: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/u) }),
  ),
});

export type BackupManifest = Omit<z.output<typeof manifest>, 'format'>;
export type BackedUpRepository = z.output<typeof repository>;

export function serializeManifest(given: BackupManifest): string {
  return `${JSON.stringify({ format: ARCHIVE_FORMAT, ...given }, undefined, 1)}\n`;
}

export function parseManifest(text: string): BackupManifest {
  const parsed = manifest.safeParse(parseJson(text));
  if (!parsed.success) throw damaged('its list of contents cannot be read', parsed.error);
  if (parsed.data.format <= ARCHIVE_FORMAT) return parsed.data;
  throw new MnemeError('refused', 'The backup was made by a newer Mneme.', { hint: 'Update this one to restore it.' });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Everything an archive may hold, by the first part of the path. */
const ROOTS: ReadonlySet<string> = new Set(['workspace', 'raw', 'chain', 'journal', 'git']);
const SINGLE_FILES: ReadonlySet<string> = new Set(['mneme.yaml', MANIFEST_FILE]);

/** Refuses what would leave the folder it is unpacked into, or bring along settings that git would act on. */
export function assertEntryPath(path: string): void {
  const parts = path.split('/');
  const isInside =
    parts.every((part) => part !== '' && part !== '.' && part !== '..') && !/[\\\0]|^[A-Za-z]:/u.test(path);
  const isKnown = parts.length === 1 ? SINGLE_FILES.has(path) : ROOTS.has(parts[0] ?? '');
  const isGitDirectory = parts.some((part) => part.toLowerCase() === '.git');
  if (isInside && isKnown && !isGitDirectory) return;
  throw damaged(`${JSON.stringify(path)} has no place in a home`);
}
