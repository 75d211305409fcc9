import { z } from 'zod';
import { isRecordedPath } from './safety/recorded-path.ts';
import { parseJson } from '../model/parse-json.ts';

/** Beside the transcripts, append-only: what each said when it was packed, by its hash. */
export const PACKED_MANIFEST = 'packed.jsonl';

/** As the other one: what each transcript said that went because of its age. The history still has it. */
export const DELETED_MANIFEST = 'deleted.jsonl';

const lineSchema = z.object({
  /** The plain name, relative to the repository. */
  path: z.string().refine(isRecordedPath),
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
