import { MnemeError, systemCode } from '../model/errors.ts';

const HINT = 'Leave out the character with the code 0.';

/** No program can be given it: the argument would end there. */
export function assertNoNul(args: readonly string[]): void {
  const found = args.find((arg) => arg.includes('\0'));
  if (found === undefined) return;
  throw new MnemeError('usage', `${JSON.stringify(found.slice(0, 100))} holds the character NUL.`, { hint: HINT });
}

/** Turns Node's error about a path with NUL in it into a usage error of the caller; any other error is returned as it is. */
export function explainNul(error: unknown): unknown {
  const isNul =
    systemCode(error) === 'ERR_INVALID_ARG_VALUE' && error instanceof Error && /null bytes/u.test(error.message);
  if (!isNul) return error;
  return new MnemeError('usage', 'A path must not hold the character NUL.', { hint: HINT, cause: error });
}
