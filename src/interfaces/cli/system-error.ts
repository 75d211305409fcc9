import path from 'node:path';
import { isMnemeError, MnemeError, systemCode } from '../../model/errors.ts';
import { explainDiskFailure, findObstacle, sqliteCode } from '../../platform/disk-failure.ts';

interface Explanation {
  readonly what: string;
  readonly hint: string;
}

const CHECK_PERMISSIONS = 'Check who owns it and what its permissions are, or name another home with --home.';
const MAKE_ROOM = 'Make room and run the command again; what was acknowledged before is safe.';

const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  EACCES: { what: 'Permission was denied', hint: CHECK_PERMISSIONS },
  EPERM: { what: 'The operation is not permitted', hint: CHECK_PERMISSIONS },
  EROFS: { what: 'The file system is read-only', hint: 'Mount it for writing, or name another home with --home.' },
  ENOSPC: { what: 'There is no space left', hint: MAKE_ROOM },
  EDQUOT: { what: 'The quota is used up', hint: MAKE_ROOM },
  ENOTDIR: { what: 'A file stands where a folder is needed', hint: 'Move it away, or name another home with --home.' },
  EEXIST: { what: 'Something else stands where a folder is needed', hint: 'Move it away and run the command again.' },
  EISDIR: { what: 'A folder stands where a file is needed', hint: 'Move it away, or name another path.' },
  ENOENT: {
    what: 'Something that is needed is missing',
    hint: '`mneme check setup` and `mneme check` say what is wrong.',
  },
  EMFILE: { what: 'Too many files are open', hint: 'Close other programs or raise the limit (`ulimit -n`).' },
};

/** Explains an operating system error in one sentence; undefined when it is something else. */
export function explainSystemError(error: unknown, home: string): MnemeError | undefined {
  if (!(error instanceof Error)) return undefined;
  if (sqliteCode(error) !== undefined) return explainDatabaseError(error, home);
  const code = isReadOnly(error) ? 'EROFS' : systemCode(error);
  const explanation = code === undefined ? undefined : EXPLANATIONS[code];
  if (explanation === undefined) return undefined;
  const place = 'path' in error && typeof error.path === 'string' ? error.path : `the home ${home}`;
  return new MnemeError('failure', `${explanation.what}: ${place} (${code}).`, {
    hint: explanation.hint,
    cause: error,
  });
}

/** Whether a folder cannot be made on a read-only disk: making it with those above it, Node says that it is missing. */
function isReadOnly(error: NodeJS.ErrnoException): boolean {
  const { code, syscall, path: place } = error;
  return code === 'ENOENT' && syscall === 'mkdir' && place !== undefined && findObstacle(place) === 'read-only';
}

/** SQLite does not say which file; what stands in the way of one in `state/` stands in the way of all. */
function explainDatabaseError(error: Error, home: string): MnemeError | undefined {
  const explained = explainDiskFailure(path.join(home, 'state', 'lock.db'), error);
  return isMnemeError(explained) ? explained : undefined;
}
