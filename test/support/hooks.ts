import type { HookAgentName } from '../../src/runtime/connect/hook-agents.ts';
import { runHook } from '../../src/interfaces/hooks/run-hook.ts';

/** Answers a hook in this process, as `mneme hook claude-code` does in one of its own. */
export async function answerHook(
  home: string,
  event: string,
  input: Record<string, unknown>,
  elapsedMs?: () => number,
  agent: HookAgentName = 'claude-code',
): Promise<{ readonly out: string; readonly err: string }> {
  let [out, err] = ['', ''];
  const startedMs = performance.now();
  await runHook(
    { home, agent, event },
    {
      input: (async function* wholeInput() {
        yield Promise.resolve(Buffer.from(JSON.stringify({ hook_event_name: event, ...input })));
      })(),
      out: (text) => {
        out += text;
        return Promise.resolve();
      },
      err: (text) => {
        err += text;
        return Promise.resolve();
      },
      elapsedMs: elapsedMs ?? ((): number => performance.now() - startedMs),
    },
  );
  return { out, err };
}
