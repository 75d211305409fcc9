import { hookAgent, type HookEvent } from '../../runtime/connect/hook-agents.ts';
import { parseHookInput } from './hook-input.ts';
import { answerHook } from './answer-hook.ts';
import { HookHome } from './hook-home.ts';
import { describeFailure, type HookOrder, type HookReport } from './report.ts';
import { findSettingsNote } from './settings-note.ts';

/** Does what a hook is for and reports on the way; never throws. */
export async function doHookWork(
  { home, agent, event: named, text }: HookOrder,
  report: (sent: HookReport) => void,
  mayBlock: boolean,
): Promise<void> {
  let event: HookEvent | undefined;
  try {
    const input = parseHookInput(text, named, hookAgent(agent));
    event = input.event;
    const opened = await HookHome.open(home, (activity) => report({ kind: 'doing', activity }));
    report({ kind: 'started', event, timeoutMs: opened.settings.config.hooks.timeout_ms });
    const answer = await answerHook(input, opened, mayBlock);
    if (answer === undefined) {
      report({ kind: 'heavy' });
      return;
    }
    const said = [await findSettingsNote(input, opened), ...answer.notes].filter((note) => note !== undefined);
    // One line for a person, whatever there is to say.
    const notes = said.length === 0 ? [] : [said.join(' ')];
    report({ kind: 'done', event, answer: { ...answer, notes } });
  } catch (error) {
    report({ kind: 'done', event, answer: { context: undefined, notes: [describeFailure(error)] } });
  }
}
