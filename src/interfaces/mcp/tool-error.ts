import type { CallToolResult } from '@modelcontextprotocol/server';
import { errorMessage, isMnemeError, MnemeError } from '../../model/errors.ts';
import { explainSystemError } from '../cli/system-error.ts';
import { concealPlaces, type Places } from './conceal.ts';
import { inToolWords } from './tool-words.ts';

/** Whatever was thrown, as a model can use it: what failed, and what to do about it, and nothing of this machine. */
export function toMcpError(thrown: unknown, places: Places): MnemeError {
  const { code, message, hint } = explain(thrown, places.home);
  return new MnemeError(code, concealPlaces(inToolWords(message), places), {
    hint: hint === undefined ? undefined : concealPlaces(inToolWords(hint), places),
    cause: thrown,
  });
}

function explain(thrown: unknown, home: string): MnemeError {
  if (isMnemeError(thrown)) return thrown;
  return (
    explainSystemError(thrown, home) ??
    new MnemeError('failure', `Something unexpected happened: ${errorMessage(thrown)}`, {
      hint: 'That is a fault of Mneme, not of the call.',
      cause: thrown,
    })
  );
}

/** A failed call is an answer to the model, not a failure of the protocol: it can correct itself. */
export function toErrorResult({ code, message, hint }: MnemeError): CallToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text: hint === undefined ? message : `${message}\n${hint}` }],
    _meta: { 'mneme/code': code },
  };
}
