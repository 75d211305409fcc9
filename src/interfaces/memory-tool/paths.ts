import { scopeFolder, type Scope } from '../../model/provenance.ts';
import { MemoryToolError } from './memory-tool-error.ts';

/** Where agents find their files. */
export const ROOT = '/memories';

/** Where they lie in the workspace. */
const FOLDER = 'memory/agent-notes';

const DISGUISED = /%(?:2e|2f|5c|00)/iu;

/** The workspace path of a memory path; refuses whatever is not plainly below the root. */
export function toWorkspacePlace(given: string, scope: Scope): string {
  const path = given.length > ROOT.length ? given.replace(/\/+$/u, '') : given;
  const isBelow = path === ROOT || path.startsWith(`${ROOT}/`);
  const names = path.slice(ROOT.length + 1).split('/');
  const isPlain =
    path === ROOT ||
    (!path.includes('\\') && !path.includes('\0') && names.every((name) => !['', '.', '..'].includes(name)));
  if (!isBelow || !isPlain || DISGUISED.test(path)) {
    throw new MemoryToolError(`Error: The path ${given} is not a path below ${ROOT}.`);
  }
  const folder = `${scopeFolder(scope)}${FOLDER}`;
  return path === ROOT ? folder : `${folder}/${names.join('/')}`;
}
