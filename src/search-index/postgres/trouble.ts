import { errorMessage, isMnemeError, MnemeError, systemCode } from '../../model/errors.ts';
import { damaged } from '../port.ts';

/** Why a server cannot be used now although nothing is wrong with what it holds. */
type TroubleKind = 'gone' | 'slow' | 'read-only' | 'full' | 'refused' | 'not-set-up' | 'settings';

/** The cause of an error that says: the server cannot be used now, this machine's own index can. */
class ServerTrouble extends Error {
  readonly kind: TroubleKind;

  constructor(kind: TroubleKind, cause: unknown) {
    super(errorMessage(cause), { cause });
    this.kind = kind;
  }
}

/** Whether an error means that somebody else must answer until the server is back. */
export function isServerTrouble(error: unknown): boolean {
  return isMnemeError(error) && error.cause instanceof ServerTrouble;
}

export function trouble(kind: TroubleKind, cause: unknown): MnemeError {
  const reason = errorMessage(cause).replace(/\.$/u, '');
  const [message, hint] = EXPLANATIONS[kind];
  return new MnemeError('failure', `${message}: ${reason}.`, { hint, cause: new ServerTrouble(kind, cause) });
}

const EXPLANATIONS: Readonly<Record<TroubleKind, readonly [message: string, hint: string]>> = {
  gone: [
    'The PostgreSQL server cannot be reached',
    'Check that it runs and that the address is right; it is tried again by itself.',
  ],
  slow: ['The PostgreSQL server takes too long', 'It is tried again by itself; see its load and `mneme check setup`.'],
  'read-only': [
    'The PostgreSQL server takes no writes',
    'A standby or a switched-off primary: point the address at the primary.',
  ],
  full: ['The PostgreSQL server has no room left', 'Free space on the server; nothing here is lost.'],
  refused: [
    'The PostgreSQL server refuses the login or the tables',
    'See docs/scale.md for what the role needs; the address is in the variable that index.postgres_url_env names.',
  ],
  'not-set-up': [
    'The PostgreSQL server lacks something',
    'It needs the extension pgvector 0.8 or later: CREATE EXTENSION vector, once, by whoever may.',
  ],
  settings: ['PostgreSQL is asked for but not set up here', 'See docs/scale.md.'],
};

/** By SQLSTATE, or its class. */
const KINDS: Readonly<Record<string, TroubleKind>> = {
  '08': 'gone',
  '57P01': 'gone',
  '57P02': 'gone',
  '57P03': 'gone',
  '53300': 'gone',
  '57014': 'slow',
  '55P03': 'slow',
  '25006': 'read-only',
  '53100': 'full',
  '53200': 'full',
  '28': 'refused',
  '3D000': 'refused',
  '42501': 'refused',
};

/** Tables or columns that are not there, and content that cannot be read. */
const DAMAGE: ReadonlySet<string> = new Set(['42P01', '42703', 'XX001', 'XX002']);

const CONNECTION_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const CONNECTION_WORDS =
  /connection terminated|timeout exceeded when trying to connect|client has encountered|closed/iu;

/** Deadlocks and serialisation: nothing happened, and a moment later it works. */
const RETRIED: ReadonlySet<string> = new Set(['40001', '40P01']);

export function sqlState(error: unknown): string | undefined {
  const code = systemCode(error);
  return code !== undefined && /^[0-9A-Z]{5}$/u.test(code) ? code : undefined;
}

/** Whether the same again may well succeed. */
export function isPassing(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined ? isConnectionLost(error) : RETRIED.has(state) || KINDS[state] === 'gone';
}

export function isConnectionLost(error: unknown): boolean {
  const code = systemCode(error);
  if (code !== undefined && CONNECTION_CODES.has(code)) return true;
  return sqlState(error) === undefined && CONNECTION_WORDS.test(errorMessage(error));
}

/** Whether the driver gave up waiting: what comes over this connection later belongs to nobody. */
export function isUnanswered(error: unknown): boolean {
  return sqlState(error) === undefined && /query read timeout/iu.test(errorMessage(error));
}

/** Turns an error of the server or the driver into one a reader can act on. */
export function explainServerFailure(error: unknown): unknown {
  if (isMnemeError(error)) return error;
  const state = sqlState(error);
  if (state === undefined) {
    if (isConnectionLost(error) || isAggregateOfConnections(error)) return trouble('gone', firstOf(error));
    return isUnanswered(error) ? trouble('slow', error) : error;
  }
  const kind = KINDS[state] ?? KINDS[state.slice(0, 2)];
  if (kind !== undefined) return trouble(kind, error);
  if (DAMAGE.has(state)) return damaged(errorMessage(error), error);
  return new MnemeError('failure', `The PostgreSQL index cannot be used: ${errorMessage(error)} (${state}).`, {
    hint: 'See docs/scale.md, or take the local index: `mneme config set index.engine sqlite`.',
    cause: error,
  });
}

/** A name with several addresses fails with all of their errors at once. */
function isAggregateOfConnections(error: unknown): boolean {
  return error instanceof AggregateError && error.errors.some(isConnectionLost);
}

function firstOf(error: unknown): unknown {
  return error instanceof AggregateError ? error.errors[0] : error;
}
