import { MnemeError } from '../../model/errors.ts';
import { scopeCanSee } from '../../model/provenance.ts';
import { runOperation } from '../../operations/operation.ts';
import { read, type ReadInput, type ReadResult } from '../../operations/read.ts';
import { isMeta } from '../../operations/visible-to.ts';
import { scopeOfFile } from '../../workspace/formats/file-scope.ts';
import { scopeOfPath } from '../../workspace/formats/layout.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { ToolCall } from './tool.ts';

/** Reads a file, an item or a conversation, as far as the client may see it. */
export async function readVisible({ context, access }: ToolCall, input: ReadInput): Promise<ReadResult> {
  const { target, at, from, to } = input;
  if (access.scope === undefined) return runOperation(read, context, input);
  // Without the lines asked for: a refusal of those would tell how long the file is.
  const result = await runOperation(read, context, { target, at });
  // The owner of a file may be named at its top, which a part of it does not show.
  const isPart = result.startLine > 1 || result.endLine < result.totalLines;
  const whole = isPart ? await runOperation(read, context, { target: result.path, at }) : result;
  const owner = scopeOfFile(scopeOfPath(result.path), parseDocument(whole.text));
  if (!scopeCanSee(access.scope, owner) || isMeta(context, result.path)) {
    throw new MnemeError('not-found', `There is no ${target} for this client.`, {
      hint: `It works in ${access.scope}.`,
    });
  }
  return from === undefined && to === undefined ? result : runOperation(read, context, input);
}
