import { sleep } from '../../platform/clock.ts';
import { findAllowedMs } from './allowed-time.ts';
import { findHookEvent, hookAgent, type HookEvent } from '../../runtime/connect/hook-agents.ts';
import { describeFailure, type Activity, type HookOrder, type HookReport, type ToldWishes } from './report.ts';
import { describeTooSlow } from './too-slow.ts';

export interface HookStreams {
  /** Chunks of standard input. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Resolves when the text is on its way. */
  readonly out: (text: string) => Promise<void>;
  readonly err: (text: string) => Promise<void>;
  /** Milliseconds since the program was started. */
  readonly elapsedMs: () => number;
}

export type HookCall = Omit<HookOrder, 'text'>;

/** Where the home does not say otherwise in `hooks.timeout_ms`. */
const DEFAULT_TIMEOUT_MS = 2000;

/** Unless its settings say otherwise, Claude Code cancels what still runs 1.5 s after a session has ended. */
const SESSION_END_TIMEOUT_MS = 1400;

/** For the last words, and for the program that waits to notice that we are gone. */
const MARGIN_MS = 200;

/** No prompt is this long; whatever is, is no hook input. */
const MAX_INPUT_BYTES = 32 * 1024 * 1024;

/**
 * Answers one hook. Never throws and never takes longer than the time allowed: a memory that fails must not keep the
 * agent from working, so every failure is one line on standard error and nothing else.
 */
export async function runHook(call: HookCall, streams: HookStreams): Promise<void> {
  const agent = hookAgent(call.agent);
  const { event, answer } = await answerInTime(call, streams);
  if (answer.context !== undefined && event !== undefined) {
    const output = {
      hookSpecificOutput: { hookEventName: agent.events[event] ?? event, additionalContext: answer.context },
    };
    await streams.out(`${JSON.stringify(output)}\n`);
    if (answer.told !== undefined) await noteTold(call.home, answer.told);
  }
  const name = event ?? findHookEvent(call.event, agent) ?? agent.title;
  for (const note of answer.notes) await streams.err(`mneme: ${name} hook: ${note}\n`);
}

/** Within the margin: what could not be noted is told once more, which harms nobody. */
async function noteTold(home: string, told: ToldWishes): Promise<void> {
  const noting = import('./wishes.ts').then((wishes) => wishes.noteTold(home, told));
  await Promise.race([noting.catch(() => undefined), sleep(MARGIN_MS)]);
}

type Outcome = Extract<HookReport, { kind: 'done' }>;

function answerInTime(call: HookCall, streams: HookStreams): Promise<Outcome> {
  return new Promise((resolve) => {
    const fail = (note: string, event?: HookEvent): void =>
      resolve({ kind: 'done', event, answer: { context: undefined, notes: [note] } });
    let timer = setTimeout(() => undefined, 0);
    let activity: Activity = 'input';
    const allow = (event: HookEvent | undefined, configuredMs: number): void => {
      clearTimeout(timer);
      const timeoutMs = timeoutFor(event, configuredMs);
      const waitMs = Math.max(0, timeoutMs - MARGIN_MS - streams.elapsedMs());
      const limit = { timeoutMs, isConfigured: timeoutMs === configuredMs };
      timer = setTimeout(() => fail(describeTooSlow(activity, limit), event), waitMs);
    };
    allow(findHookEvent(call.event, hookAgent(call.agent)), findAllowedMs(call.home) ?? DEFAULT_TIMEOUT_MS);
    const work = async (): Promise<void> => {
      // Loaded while the input is still on its way.
      const [{ doHookWork }, text] = await Promise.all([import('./work.ts'), readInput(streams.input)]);
      activity = 'opening';
      const order = { ...call, text };
      const hear = (report: HookReport): void => {
        if (report.kind === 'started') allow(report.event, report.timeoutMs);
        else if (report.kind === 'doing') ({ activity } = report);
        else if (report.kind === 'done') resolve(report);
        else followThread(order, hear, fail).catch((error: unknown) => fail(describeFailure(error)));
      };
      await doHookWork(order, hear, false);
    };
    work().catch((error: unknown) => fail(describeFailure(error)));
  });
}

async function followThread(
  order: HookOrder,
  hear: (report: HookReport) => void,
  fail: (note: string) => void,
): Promise<void> {
  const { startHookThread } = await import('./thread.ts');
  const thread = startHookThread(order);
  thread.on('message', hear);
  thread.on('error', (error) => fail(describeFailure(error)));
  thread.on('exit', () => fail('it stopped before it had an answer. `mneme check setup` says more.'));
}

/** Whoever allows hooks more than the usual time has told Claude Code so too. */
function timeoutFor(event: HookEvent | undefined, configuredMs: number): number {
  const isUsual = configuredMs <= DEFAULT_TIMEOUT_MS;
  return event === 'SessionEnd' && isUsual ? Math.min(configuredMs, SESSION_END_TIMEOUT_MS) : configuredMs;
}

async function readInput(input: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    bytes += chunk.length;
    if (bytes > MAX_INPUT_BYTES) throw new Error(`the input is larger than ${MAX_INPUT_BYTES / 1024 / 1024} MB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
