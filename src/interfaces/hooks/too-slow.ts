import type { Activity } from './report.ts';

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
