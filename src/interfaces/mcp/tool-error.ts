import type { CallToolResult } from '@modelcontextprotocol/server';
import { errorMessage, isMnemeError, MnemeError } from '../../model/errors.ts';
import { explainSystemError } from '../cli/system-error.ts';
import { concealPlaces, type Places } from './open-home.ts';

/** Turns an error into one for a model: what failed and what to do, without paths of this machine. */
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

/** Commands that a tool stands for; the longest that fits counts. A client can call tools, and has no shell. */
const TOOLS: readonly (readonly [command: string, tool: string])[] = [
  ['context', 'memory_context'],
  ['forget', 'memory_forget'],
  ['graph fact', 'memory_update'],
  ['graph show', 'memory_graph'],
  ['graph query', 'memory_graph'],
  ['history diff', 'memory_history'],
  ['history log', 'memory_history'],
  ['history when', 'memory_history'],
  ['memory append', 'memory_write'],
  ['proposals add', 'memory_propose'],
  ['read', 'memory_read'],
  ['recall', 'memory_search'],
  ['reflect', 'memory_reflect'],
  ['remember', 'memory_write'],
  ['search', 'memory_search'],
  ['why', 'memory_history'],
];

/** A command as hints write it: in backquotes, or bare up to the end of its clause. */
const COMMAND = /`mneme ([^`]*)`|\bmneme ((?=[a-z])[^;.]*)/gu;

const FOR_THE_USER = 'Only the user can do this, in a terminal:';

/** Rewrites a message to a person for a model: tools instead of commands, parameters instead of options. */
export function inToolWords(text: string): string {
  const parts = text.split(/(`mneme [^`]*`|\bmneme (?=[a-z])[^;.]*)/u);
  const told = parts.map((part, index) => (index % 2 === 1 ? (toolFor(part) ?? part) : namingParameters(part)));
  const isForUser = parts.some((part, index) => index % 2 === 1 && toolFor(part) === undefined);
  return `${isForUser ? `${FOR_THE_USER} ` : ''}${told.join('')}`;
}

function toolFor(written: string): string | undefined {
  const command = written.replace(COMMAND, (_whole, quoted?: string, bare?: string) => quoted ?? bare ?? '');
  return TOOLS.find(([verb]) => command === verb || command.startsWith(`${verb} `))?.[1];
}

/** Options of the command line are parameters here. */
function namingParameters(text: string): string {
  return text.replaceAll(/(?<=^|[\s(])--([a-z]+)(?![\w-])/gu, '"$1"');
}
