/** The kind of failure; each interface maps the code once (CLI exit code, MCP error, HTTP status). */
export type ErrorCode = 'failure' | 'usage' | 'not-found' | 'conflict' | 'refused' | 'locked' | 'integrity';

export interface ErrorDetails {
  /** The action the reader can take, as a sentence. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** The one error type that crosses module borders: the message says what failed, on what and why. */
export class MnemeError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'MnemeError';
    this.code = code;
    this.hint = details.hint;
  }
}

export function isMnemeError(error: unknown, code?: ErrorCode): error is MnemeError {
  return error instanceof MnemeError && (code === undefined || error.code === code);
}

/** The text of anything thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a Node system error (`ENOENT`, `EPERM` …), or undefined. */
export function systemCode(error: unknown): string | undefined {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return undefined;
}

/** Narrows away undefined where the surrounding code guarantees a value. */
export function must<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new MnemeError('failure', `Internal: ${what} is missing.`);
  return value;
}

export function unreachable(value: never): never {
  throw new MnemeError('failure', `Internal: unexpected value ${JSON.stringify(value)}.`);
}
