import { errorMessage, isMnemeError } from '../../model/errors.ts';
import type { Briefing } from '../../compile/receipt.ts';
import type { Mneme } from '../../mneme.ts';
import type { ClaudeCodeInput } from './claude-code-input.ts';
import type { HookHome } from './hook-home.ts';
import type { HookAnswer } from './report.ts';

const NOTHING: HookAnswer = { context: undefined, notes: [] };

/** Of a longer text Claude Code shows the model only the first 2 KB, and puts the rest into a file nobody reads. */
const MAX_CONTEXT_CHARS = 9900;

/** Fits the characters above; what a session starts with. */
const MAX_START_TOKENS = 2400;
const MAX_PROMPT_TOKENS = 1500;

/** People paste whole files into prompts; what they ask stands at the beginning or at the end. */
const MAX_QUESTION_CHARS = 8000;

/** Undefined when it may take long without a pause and `mayBlock` is not set. */
export async function answerClaudeCode(
  input: ClaudeCodeInput,
  home: HookHome,
  mayBlock: boolean,
): Promise<HookAnswer | undefined> {
  switch (input.event) {
    case 'SessionStart':
      return brief(home, await startRequest(input, home), mayBlock);
    case 'UserPromptSubmit': {
      const request = await promptRequest(input, home);
      return request === undefined ? NOTHING : brief(home, request, mayBlock);
    }
    case 'Stop':
    case 'PreCompact':
      return capture(input, home);
    case 'SessionEnd':
      return endSession(input, home);
  }
}

/** A session that was compacted has lost its beginning: its own turns are memories to it now. */
function isNewContext(source: string | undefined): boolean {
  return source === 'compact';
}

async function startRequest(input: ClaudeCodeInput, home: HookHome): Promise<BriefingRequest> {
  const { dense_tokens: denseTokens } = home.settings.config.context.presets;
  const session = isNewContext(input.source) ? undefined : await sessionOf(input);
  return { preset: 'dense', budget: Math.min(denseTokens, MAX_START_TOKENS), session, event: 'session-start' };
}

/** Undefined when nothing is to be added to prompts. */
async function promptRequest(input: ClaudeCodeInput, home: HookHome): Promise<BriefingRequest | undefined> {
  const { hooks, context } = home.settings.config;
  const prompt = input.prompt?.trim() ?? '';
  if (!hooks.inject_context || prompt === '') return undefined;
  const budget = Math.min(context.presets.hook_tokens, MAX_PROMPT_TOKENS);
  return { message: shorten(prompt), preset: 'hook', budget, session: await sessionOf(input), event: 'prompt' };
}

interface BriefingRequest {
  readonly message?: string | undefined;
  readonly preset: 'hook' | 'dense';
  readonly budget: number;
  readonly session: string | undefined;
  readonly event: 'session-start' | 'prompt';
}

async function brief(home: HookHome, request: BriefingRequest, mayBlock: boolean): Promise<HookAnswer | undefined> {
  const [{ briefing }, { runOperation }, mneme] = await Promise.all([
    import('../../operations/briefing.ts'),
    import('../../operations/operation.ts'),
    home.openToRead(),
  ]);
  if (!mayBlock && !(await isIndexReady(mneme))) return undefined;
  const ask = (budget: number): Promise<Briefing> => runOperation(briefing, mneme.internals, { ...request, budget });
  let answer = await ask(request.budget);
  if (answer.prompt.length > MAX_CONTEXT_CHARS) {
    // Tokens of some languages are long; with a budget in proportion it fits.
    answer = await ask(Math.floor((request.budget * MAX_CONTEXT_CHARS * 0.95) / answer.prompt.length));
  }
  const { prompt } = answer;
  // One line for a person, whatever there is to say.
  const notes = answer.notes.length === 0 ? [] : [answer.notes.join(' ')];
  if (prompt.length <= MAX_CONTEXT_CHARS) return { context: prompt === '' ? undefined : prompt, notes };
  const tooLong = `the briefing has ${prompt.length} characters, more than Claude Code takes. Shorten MEMORY.md.`;
  return { context: undefined, notes: [tooLong] };
}

/** Live logs up to this size are read again in a few hundred milliseconds. */
const MAX_LIVE_BYTES = 2 * 1024 * 1024;

/** Whether a question will be answered at once, rather than after the index was brought up to date. */
async function isIndexReady({ internals: { homeIndex } }: Mneme): Promise<boolean> {
  const live = homeIndex.files.list(() => true, ['live']);
  const liveBytes = live.reduce((sum, { size }) => sum + size, 0);
  return liveBytes <= MAX_LIVE_BYTES && (await homeIndex.isFresh());
}

/** Takes over what was said since the last time. Cheap: it reads on where it stopped, and appends. */
async function capture(input: ClaudeCodeInput, home: HookHome): Promise<HookAnswer> {
  if (input.transcriptPath === undefined) return { ...NOTHING, notes: ['the input names no transcript_path.'] };
  if (home.isReadOnly) return { ...NOTHING, notes: ['a newer Mneme made this home; update this one to write to it.'] };
  const { captureLog } = await import('../../operations/session/capture-log.ts');
  try {
    await captureLog(home.sessionsHome, home.sessions, { file: input.transcriptPath });
  } catch (error) {
    // A session in which nothing was said has no log, and that is nothing to worry anybody with.
    if (isMnemeError(error, 'not-found')) return NOTHING;
    throw error;
  }
  return NOTHING;
}

async function endSession(input: ClaudeCodeInput, home: HookHome): Promise<HookAnswer> {
  const captured = await capture(input, home);
  const session = await sessionOf(input);
  if (home.isReadOnly || session === undefined) return captured;
  const notes = [...captured.notes];
  try {
    await home.sessions.end(session);
    await home.closeIdleSessions();
  } catch (error) {
    notes.push(`the transcript waits to be finished: ${errorMessage(error)} The next session’s end does it.`);
  }
  return { context: undefined, notes };
}

async function sessionOf({ transcriptPath }: ClaudeCodeInput): Promise<string | undefined> {
  if (transcriptPath === undefined) return undefined;
  const { sessionOfLog } = await import('../../operations/session/session-of-log.ts');
  return sessionOfLog(transcriptPath);
}

function shorten(prompt: string): string {
  if (prompt.length <= MAX_QUESTION_CHARS) return prompt;
  const half = MAX_QUESTION_CHARS / 2;
  return `${prompt.slice(0, half)}\n…\n${prompt.slice(-half)}`.toWellFormed();
}
