import type { DocumentSource } from '../../search-index/passage.ts';

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
  return kind === 'core' ? CORE_FILE : decodePart(rest ?? '');
}

/** A `%` that begins no escape stands for itself. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
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
