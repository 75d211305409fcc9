import { errorMessage, isMnemeError, type ErrorCode } from '../../model/errors.ts';
import { SaveConflictError } from '../../operations/browse/save-file.ts';
import { explainSystemError } from '../cli/system-error.ts';
import { concealPlaces, type Places } from '../mcp/open-home.ts';

export const HTTP_CODES = ['unauthorized', 'method', 'too-large', 'media-type', 'rate', 'busy', 'timeout'] as const;
export type ProblemCode = ErrorCode | (typeof HTTP_CODES)[number];

const STATUS: Readonly<Record<ProblemCode, number>> = {
  usage: 400,
  unauthorized: 401,
  refused: 403,
  'not-found': 404,
  method: 405,
  conflict: 409,
  'too-large': 413,
  'media-type': 415,
  locked: 423,
  rate: 429,
  failure: 500,
  integrity: 500,
  busy: 503,
  timeout: 504,
};

/** An error that occurs before an operation is reached. */
export class HttpProblem extends Error {
  readonly code: ProblemCode;
  readonly hint: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    message: string,
    { hint, headers = {} }: { readonly hint?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.name = 'HttpProblem';
    this.code = code;
    this.hint = hint;
    this.headers = headers;
  }
}

/** Every answer that is no success. */
export interface ProblemBody {
  readonly error: {
    readonly code: ProblemCode;
    readonly message: string;
    readonly hint: string | null;
    readonly details?: unknown;
  };
}

export interface Problem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ProblemBody;
  /** Worth a line on the server's side: nobody should have to ask the client what happened. */
  readonly isFault: boolean;
}

/** Turns an error into a problem for a client, without paths of this machine. */
export function toProblem(thrown: unknown, places: Places): Problem {
  const known =
    isMnemeError(thrown) || thrown instanceof HttpProblem ? thrown : explainSystemError(thrown, places.home);
  const code: ProblemCode = known?.code ?? 'failure';
  const message = known?.message ?? `Something unexpected happened: ${errorMessage(thrown)}`;
  const hint = known?.hint ?? (known === undefined ? 'That is a fault of Mneme; please report it.' : undefined);
  const conceal = (text: string): string => concealPlaces(text, places);
  const details = thrown instanceof SaveConflictError ? { details: thrown.details } : {};
  return {
    status: STATUS[code],
    headers: thrown instanceof HttpProblem ? thrown.headers : {},
    body: { error: { code, message: conceal(message), hint: hint === undefined ? null : conceal(hint), ...details } },
    isFault: code === 'failure' || code === 'integrity',
  };
}
