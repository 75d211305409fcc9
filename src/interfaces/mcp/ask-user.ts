import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { errorMessage } from '../../model/errors.ts';
import { approve } from '../../operations/proposals/approve.ts';
import type { OperationContext } from '../../operations/context.ts';
import { runOperation } from '../../operations/operation.ts';
import type { ToolAnswer, ToolCall } from './tool.ts';

/** Puts a question to the user in the client's own dialogue; resolves to whether they said yes. */
export type AskUser = (question: string) => Promise<boolean>;

/** As long as somebody may take to come back to the screen. */
const PATIENCE_MS = 5 * 60_000;

const FORM = {
  type: 'object' as const,
  properties: { approve: { type: 'boolean' as const, title: 'Yes, do it', default: false } },
  required: ['approve'],
};

/** Undefined where the client has no dialogue for it (the protocol's elicitation): then the model asks, in its own words. */
export function userOf(
  server: McpServer,
  request: ServerContext['mcpReq'],
  onProblem: (message: string) => void,
): AskUser | undefined {
  if (server.server.getClientCapabilities()?.elicitation === undefined) return undefined;
  const { signal } = request;
  return async (message) => {
    try {
      const options = { timeout: PATIENCE_MS, signal };
      const { action, content } = await request.elicitInput({ mode: 'form', message, requestedSchema: FORM }, options);
      return action === 'accept' && content?.['approve'] === true;
    } catch (error) {
      if (signal.aborted) throw error;
      onProblem(`The user could not be asked: ${errorMessage(error)}`);
      return false;
    }
  };
}

/** For what a person decided: they did it, and the agent was only their hand. */
export function asUser(context: OperationContext): OperationContext {
  return { ...context, actor: 'manual' };
}

/** Asks the user about a change that waits for them, and applies it after a yes; the answer as it was after anything else. */
export async function askToApprove(call: ToolCall, answer: ToolAnswer, question: string): Promise<ToolAnswer> {
  const { outcome, proposal } = answer.structured;
  if (call.ask === undefined || outcome !== 'filed' || typeof proposal !== 'string') return answer;
  if (!(await call.ask(question))) {
    const message = `NOT done: the user was asked and did not agree. Do not ask again; they can still approve ${proposal} in the dashboard.`;
    return { text: message, structured: { ...answer.structured, message } };
  }
  await runOperation(approve, asUser(call.context), { ids: [proposal], why: 'asked in the agent’s program' });
  const message = `Done: the user was asked and agreed (${proposal}).`;
  return { text: message, structured: { message, outcome: 'applied', proposal } };
}
