/** The meaning of each exit code, for `mneme help exit-codes`. */
export const EXIT_CODE_MEANINGS: Readonly<Record<string, string>> = {
  ok: 'ok: it was done',
  failure: 'failure: something went wrong, or was stopped before its end',
  usage: 'usage: the call is wrong; the message says how',
  'not-found': 'not found: what was named does not exist',
  conflict: 'conflict: something else changed it meanwhile, or it exists already',
  refused: 'refused: a rule forbids it (role, scope, a secret, a protected file)',
  locked: 'locked: another process is working on it; try again',
  integrity: 'integrity: a check found something',
};
