import { MnemeError, systemCode } from '../../model/errors.ts';

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
  ENOENT: { what: 'Something that is needed is missing', hint: '`mneme doctor` and `mneme check` say what is wrong.' },
  EMFILE: { what: 'Too many files are open', hint: 'Close other programs or raise the limit (`ulimit -n`).' },
};

/** SQLite's primary result codes; its extended ones hold them in the lowest byte. */
const SQLITE_CODES: Readonly<Record<number, string>> = { 8: 'EACCES', 13: 'ENOSPC', 14: 'EACCES' };

/** What the operating system refused, as one sentence; undefined when it is something else. */
export function explainSystemError(error: unknown, home: string): MnemeError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  const explanation = code === undefined ? undefined : EXPLANATIONS[code];
  if (explanation === undefined) return undefined;
  const place = 'path' in error && typeof error.path === 'string' ? error.path : `the home ${home}`;
  return new MnemeError('failure', `${explanation.what}: ${place} (${detailOf(error, code)}).`, {
    hint: explanation.hint,
    cause: error,
  });
}

function codeOf(error: Error): string | undefined {
  const code = systemCode(error);
  if (code !== 'ERR_SQLITE_ERROR') return code;
  const result = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0;
  return SQLITE_CODES[result];
}

function detailOf(error: Error, code: string | undefined): string {
  return systemCode(error) === 'ERR_SQLITE_ERROR' ? error.message : (code ?? '');
}
