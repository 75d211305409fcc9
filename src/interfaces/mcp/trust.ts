import { lowestTrust, type Trust } from '../../model/provenance.ts';
import type { OperationContext } from '../../operations/context.ts';
import { runOperation } from '../../operations/operation.ts';
import { read, type ReadInput, type ReadResult } from '../../operations/read.ts';
import { chunkFile } from '../../search-index/chunk/chunk-file.ts';
import { DOCUMENT_SOURCES, type Passage } from '../../search-index/passage.ts';

/** How far what was read can be trusted: as far as the least trusted of it. Undefined for what holds no memories. */
export async function trustOfRead(
  context: OperationContext,
  { target, at }: Pick<ReadInput, 'target' | 'at'>,
  result: ReadResult,
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
  { path, commit }: ReadResult,
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
