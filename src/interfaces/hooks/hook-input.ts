import { MnemeError } from '../../model/errors.ts';
import { parseJson } from '../../model/records.ts';
import { findHookEvent, type HookAgent, type HookEvent } from '../../runtime/connect/hook-agents.ts';

/** An agent's message on standard input; everything but the event may be missing. */
export interface HookInput {
  readonly agent: HookAgent;
  readonly event: HookEvent;
  /** The agent's log of the session. */
  readonly transcriptPath: string | undefined;
  /** Where the agent works. */
  readonly folder: string | undefined;
  readonly prompt: string | undefined;
  /** Why a session starts: startup, resume, clear, compact. */
  readonly source: string | undefined;
}

/** Reads the hook's input. The event may stand on the command line, in the input, or in both. */
export function parseHookInput(text: string, namedEvent: string | undefined, agent: HookAgent): HookInput {
  const fields = parseFields(text, agent);
  const read = (name: string): string | undefined => {
    const value = fields[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const event = findHookEvent(namedEvent, agent) ?? findHookEvent(read('hook_event_name'), agent);
  if (event === undefined) {
    const name = namedEvent ?? read('hook_event_name');
    throw new MnemeError('usage', name === undefined ? 'no event was named.' : `there is nothing to do on "${name}".`, {
      hint: `Hooks are for ${Object.values(agent.events).join(', ')}; correct the settings of ${agent.title}.`,
    });
  }
  return {
    agent,
    event,
    transcriptPath: read('transcript_path'),
    folder: read('cwd'),
    prompt: read('prompt'),
    source: read('source'),
  };
}

function parseFields(text: string, { title }: HookAgent): Readonly<Record<string, unknown>> {
  if (text.trim() === '') {
    throw new MnemeError('usage', 'there was nothing on standard input.', {
      hint: `This command is for ${title}, which passes what happened as JSON.`,
    });
  }
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new MnemeError('usage', 'standard input is no JSON object.', {
    hint: `This command is for ${title}, which passes what happened as JSON.`,
  });
}

/** The session an input is about; undefined when it names no log. */
export async function sessionOf({ agent, transcriptPath }: HookInput): Promise<string | undefined> {
  if (transcriptPath === undefined) return undefined;
  const { sessionOfLog } = await import('../../operations/session/session-of-log.ts');
  return sessionOfLog(transcriptPath, agent.name);
}
