import { MnemeError } from '../../model/errors.ts';
import { scopeCanSee } from '../../model/provenance.ts';
import { runOperation } from '../../operations/operation.ts';
import { read, type ReadInput, type ReadResult } from '../../operations/read.ts';
import { isMeta } from '../../operations/visible-to.ts';
import type { DocumentSource } from '../../search-index/passage.ts';
import { scopeOfFile, scopeOfPath } from '../../workspace/formats/layout.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { ToolCall } from './tool.ts';
import { decodePercents } from '../../model/text.ts';

/** Resources have addresses; a tool that reads takes them as well as paths and ids. */
export const CORE_URI = 'mneme://core';
export const FILE_TEMPLATE = 'mneme://file/{+path}';
export const SESSION_TEMPLATE = 'mneme://session/{id}';

const ADDRESS = /^mneme:\/\/(?<kind>core|file|session)(?:\/(?<rest>.*))?$/u;

export const CORE_FILE = 'MEMORY.md';

/** The target in the form that the read operation takes. */
export function toReadTarget(given: string): string {
  const { kind, rest } = ADDRESS.exec(given)?.groups ?? {};
  if (kind === undefined) return given;
  return kind === 'core' ? CORE_FILE : decodePercents(rest ?? '');
}

/** The addresses of what lies at a place of the home; a folder or a log of ours has none that anybody reads. */
export function urisOf(source: DocumentSource, path: string): string[] {
  if (source !== 'workspace') {
    const session = /(?:^|[/_-])(ses_\w+)/u.exec(path)?.[1];
    return session === undefined ? [] : [`mneme://session/${session}`];
  }
  const plain = `mneme://file/${path}`;
  const escaped = fileUri(path);
  const named = plain === escaped ? [plain] : [plain, escaped];
  return path === CORE_FILE ? [CORE_URI, ...named] : named;
}

export function fileUri(path: string): string {
  return `mneme://file/${path.split('/').map(encodeURIComponent).join('/')}`;
}

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
