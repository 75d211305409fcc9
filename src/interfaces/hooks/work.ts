import { parseClaudeCodeInput, type ClaudeCodeEvent } from './claude-code-input.ts';
import { answerClaudeCode } from './claude-code.ts';
import { HookHome } from './hook-home.ts';
import { describeFailure, type HookOrder, type HookReport } from './report.ts';
import { findSettingsNote } from './settings-note.ts';

/** Does what a hook is for and reports on the way; never throws. */
export async function doHookWork(
  { home, event: named, text }: HookOrder,
  report: (sent: HookReport) => void,
  mayBlock: boolean,
): Promise<void> {
  let event: ClaudeCodeEvent | undefined;
  try {
    const input = parseClaudeCodeInput(text, named);
    event = input.event;
    const opened = await HookHome.open(home, (activity) => report({ kind: 'doing', activity }));
    report({ kind: 'started', event, timeoutMs: opened.settings.config.hooks.timeout_ms });
    const answer = await answerClaudeCode(input, opened, mayBlock);
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
