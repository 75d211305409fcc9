import { z } from 'zod';
import { lowestTrust, type Trust } from '../model/provenance.ts';
import type { OperationContext } from './context.ts';
import { runOperation } from './operation.ts';
import { read, type ReadResult } from './read.ts';
import { defineVerb, NOT_OFFERED } from './verb.ts';
import { chunkFile } from '../search-index/chunk/chunk-file.ts';
import { DOCUMENT_SOURCES, type Passage } from '../search-index/passage.ts';

const input = z.object({
  target: z.string().describe('What was asked for.'),
  at: z.string().optional().describe('The version that was asked for.'),
  path: z.string().describe('The file that was read.'),
  commit: z.string().nullable().describe('The commit it was read from.'),
  startLine: z.number().describe('The first line that is shown.'),
  endLine: z.number().describe('The last line that is shown.'),
});

/** As far as the least trusted of it; undefined for what holds no memories. */
export const trustOfRead = defineVerb({
  name: 'read trust',
  summary: 'Say how far what was read can be trusted.',
  input,
  effect: 'read',
  reach: 'filtered',
  ...NOT_OFFERED,
  run: findTrust,
});

async function findTrust(
  context: OperationContext,
  { target, at, ...result }: z.output<typeof input>,
): Promise<Trust | undefined> {
  const passages = await passagesOf(context, at, result);
  const isInside = ({ startLine, endLine }: Passage): boolean =>
    startLine <= result.endLine && endLine >= result.startLine;
  // A turn of a conversation that is going on has other lines in its log than in the answer.
  const named = passages.filter(({ id }) => id === target);
  const meant = named.length > 0 ? named : passages.filter(isInside);
  const trusts = (meant.length > 0 ? meant : passages).map(({ trust }) => trust);
  return trusts.length === 0 ? undefined : lowestTrust(trusts);
}

async function passagesOf(
  context: OperationContext,
  at: string | undefined,
  { path, commit }: Pick<ReadResult, 'path' | 'commit'>,
): Promise<readonly Passage[]> {
  const { homeIndex, chunkContext } = context;
  if (commit !== null) {
    // Whole: who wrote a file may stand at its top.
    const { text } = await runOperation(read, context, { target: path, at });
    return chunkFile({ source: 'workspace', path, text, hash: commit }, chunkContext)?.passages ?? [];
  }
  for (const source of DOCUMENT_SOURCES) {
    const file = homeIndex.files.read({ source, path });
    if (file !== undefined) return chunkFile({ ...file, hash: file.oid }, chunkContext)?.passages ?? [];
  }
  return [];
}
