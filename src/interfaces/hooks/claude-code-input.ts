import { MnemeError } from '../../model/errors.ts';
import { parseJson } from '../../model/parse-json.ts';

/** The moments of Claude Code's life that Mneme takes part in. */
export const CLAUDE_CODE_EVENTS = ['SessionStart', 'UserPromptSubmit', 'Stop', 'PreCompact', 'SessionEnd'] as const;
export type ClaudeCodeEvent = (typeof CLAUDE_CODE_EVENTS)[number];

/** What Claude Code says on standard input; everything but the event may be missing. */
export interface ClaudeCodeInput {
  readonly event: ClaudeCodeEvent;
  /** Claude Code's log of the session. */
  readonly transcriptPath: string | undefined;
  /** Where the agent works. */
  readonly folder: string | undefined;
  readonly prompt: string | undefined;
  /** Why a session starts: startup, resume, clear, compact. */
  readonly source: string | undefined;
}

/** `SessionStart`, `session-start` and `sessionstart` name the same event. */
export function findEvent(name: string | undefined): ClaudeCodeEvent | undefined {
  const plain = name?.replaceAll(/[^A-Za-z]/gu, '').toLowerCase();
  return CLAUDE_CODE_EVENTS.find((event) => event.toLowerCase() === plain);
}

/** Reads the hook's input. The event may stand on the command line, in the input, or in both. */
export function parseClaudeCodeInput(text: string, namedEvent: string | undefined): ClaudeCodeInput {
  const fields = parseFields(text);
  const read = (name: string): string | undefined => {
    const value = fields[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const event = findEvent(namedEvent) ?? findEvent(read('hook_event_name'));
  if (event === undefined) {
    const name = namedEvent ?? read('hook_event_name');
    throw new MnemeError('usage', name === undefined ? 'no event was named.' : `there is nothing to do on "${name}".`, {
      hint: `Hooks are for ${CLAUDE_CODE_EVENTS.join(', ')}; correct the settings of Claude Code.`,
    });
  }
  return {
    event,
    transcriptPath: read('transcript_path'),
    folder: read('cwd'),
    prompt: read('prompt'),
    source: read('source'),
  };
}

function parseFields(text: string): Readonly<Record<string, unknown>> {
  if (text.trim() === '') {
    throw new MnemeError('usage', 'there was nothing on standard input.', {
      hint: 'This command is for Claude Code, which passes what happened as JSON.',
    });
  }
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new MnemeError('usage', 'standard input is no JSON object.', {
    hint: 'This command is for Claude Code, which passes what happened as JSON.',
  });
}
