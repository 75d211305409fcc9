import fs from 'node:fs';
import { systemCode } from '../../model/errors.ts';
import { sleep } from '../../platform/clock.ts';
import { findHookEvent, hookAgent, type HookEvent } from '../../runtime/connect/hook-agents.ts';
import { homePaths } from '../../workspace/home-paths.ts';
import { type Activity, type HookOrder, type HookReport, type ToldWishes, describeFailure } from './report.ts';

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

/** A user who sets a longer timeout than the default must have set it in Claude Code as well. */
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

/** The section as `mneme config set` writes it, up to the setting. */
const SETTING = /^hooks:[ \t]*(?:#.*)?\n(?:(?:[ \t].*)?\n)*?[ \t]+timeout_ms:[ \t]*(\d+)[ \t]*(?:#.*)?$/mu;

/**
 * The home's `hooks.timeout_ms`, without understanding its settings: on a busy machine loading what does takes longer
 * than a hook has by default, and whoever allowed more time for that reason would never get it. Undefined when the file
 * does not say it this plainly; the settings themselves are read in any case, and then count.
 */
export function findAllowedMs(home: string): number | undefined {
  const allowed = SETTING.exec(readText(homePaths(home).configFile))?.[1];
  return allowed === undefined ? undefined : Number(allowed);
}

/** Nothing when it cannot be read: what is wrong with a home is told by whoever opens it. */
function readText(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return '';
  }
}

const MORE_TIME = 'allow hooks more time (`mneme config set hooks.timeout_ms 5000`)';

/** The activity at the time limit, and advice against it. */
const ACTIVITIES: Readonly<Record<Activity, { readonly doing: string; readonly advice: string }>> = {
  input: {
    doing: 'waiting for standard input',
    advice: 'Whoever runs a hook writes its JSON there and closes it; Claude Code does.',
  },
  opening: {
    doing: 'starting',
    advice: `The machine is busy; if that happens again, ${MORE_TIME}.`,
  },
  lock: {
    doing: 'waiting for another process that writes to this home',
    advice: 'The next hook does it. If that happens again, `mneme check setup` says whether one hangs.',
  },
  log: {
    doing: 'reading the log of this session, which is long',
    advice: 'What was read is kept, the next hook goes on; `mneme import claude-code` takes over all of it.',
  },
  wish: {
    doing: 'remembering what you asked for',
    advice: 'The next hook, or `mneme learn extract`, does it.',
  },
  flush: {
    doing: 'saving what matters before the window is compacted',
    advice: 'Everything said is kept; `mneme learn extract` does the rest.',
  },
  transcript: {
    doing: 'writing the transcript',
    advice: 'The next session’s end, or any `mneme` command, completes it.',
  },
  search: {
    doing: 'searching',
    advice: `If that happens again, ${MORE_TIME}.`,
  },
  index: {
    doing: 'bringing the index up to date',
    advice: 'Run `mneme index sync` once.',
  },
};

/** One line for a hook that ran out of time. */
export function describeTooSlow(
  activity: Activity,
  { timeoutMs, isConfigured }: { readonly timeoutMs: number; readonly isConfigured: boolean },
): string {
  const { doing, advice } = ACTIVITIES[activity];
  const limit = isConfigured ? ' (hooks.timeout_ms)' : '';
  return `given up after ${timeoutMs} ms${limit} while ${doing}; the agent goes on without it. ${advice}`;
}
