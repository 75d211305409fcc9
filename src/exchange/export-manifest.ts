import { z } from 'zod';
import { MnemeError } from '../model/errors.ts';
import { parseJson } from '../model/parse-json.ts';

/** The list of contents of an export of everything. */
export const EXPORT_MANIFEST = 'mneme-export.json';
export const EXPORT_FORMAT = 'mneme-export';
const EXPORT_VERSION = 1;

const manifestSchema = z.looseObject({
  format: z.literal(EXPORT_FORMAT),
  version: z.number().int().min(1),
  made: z.string(),
  /** The scope whose view of the memory it is; null for all of it. */
  scope: z.string().nullable(),
  files: z.array(
    z.object({
      path: z.string().min(1),
      size: z.number().int().min(0),
      sha256: z.string().regex(/^[0-9a-f]{64}$/u),
    }),
  ),
});

export interface ExportedFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

export interface ExportManifest {
  readonly made: string;
  readonly scope: string | null;
  readonly files: readonly ExportedFile[];
}

export function serializeExportManifest({ made, scope, files }: ExportManifest): string {
  return `${JSON.stringify({ format: EXPORT_FORMAT, version: EXPORT_VERSION, made, scope, files }, null, 1)}\n`;
}

export function parseExportManifest(text: string): ExportManifest {
  const parsed = manifestSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    throw new MnemeError('usage', `${EXPORT_MANIFEST} is not the list of contents of an export.`, {
      hint: 'Make the export again: `mneme export DIR`.',
      cause: parsed.error,
    });
  }
  const { version, made, scope, files } = parsed.data;
  if (version > EXPORT_VERSION) {
    throw new MnemeError('usage', `The export is of version ${version}; this program reads up to ${EXPORT_VERSION}.`, {
      hint: 'Update Mneme.',
    });
  }
  return { made, scope, files };
}
