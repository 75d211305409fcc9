import { enableCompileCache } from 'node:module';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { errorMessage, isMnemeError } from '../../model/errors.ts';
import { parseClaudeCodeInput, type ClaudeCodeEvent } from './claude-code-input.ts';
import type { HookAnswer } from './claude-code.ts';

/**
 * The work of a hook happens in a thread of its own. Whatever holds it up there, a lock, a huge index, a loop that
 * never yields, the main thread keeps the time and can always let the agent pass.
 */
interface HookOrder {
  readonly mnemeHook: 'claude-code';
  readonly home: string;
}

/** What the thread reports. */
export type HookReport =
  | { readonly kind: 'started'; readonly event: ClaudeCodeEvent; readonly timeoutMs: number }
  | { readonly kind: 'done'; readonly answer: HookAnswer; readonly event: ClaudeCodeEvent | undefined };

/** Starts the thread; what Claude Code says follows by `postMessage`, so that both can begin at once. */
export function startHookThread(home: string): Worker {
  const order: HookOrder = { mnemeHook: 'claude-code', home };
  // Its streams are its own: whatever some library prints must reach neither the model nor the protocol.
  return new Worker(new URL(import.meta.url), { workerData: order, stdout: true, stderr: true });
}

export interface HookMessage {
  readonly text: string;
  readonly event: string | undefined;
}

async function serve({ home }: HookOrder): Promise<void> {
  enableCompileCache();
  const message = new Promise<HookMessage>((resolve) => {
    parentPort?.once('message', resolve);
  });
  // Loaded while the main thread is still reading its input.
  const [{ answerClaudeCode }, { HookHome }] = await Promise.all([
    import('./claude-code.ts'),
    import('./hook-home.ts'),
  ]);
  const report = (sent: HookReport): void => parentPort?.postMessage(sent, []);
  const opening = HookHome.open(home);
  // Told below, when it is awaited.
  opening.catch(() => undefined);
  let event: ClaudeCodeEvent | undefined;
  try {
    const { text, event: named } = await message;
    const input = parseClaudeCodeInput(text, named);
    event = input.event;
    const opened = await opening;
    report({ kind: 'started', event, timeoutMs: opened.settings.config.hooks.timeout_ms });
    report({ kind: 'done', event, answer: await answerClaudeCode(input, opened) });
  } catch (error) {
    report({ kind: 'done', event, answer: { context: undefined, notes: [describeFailure(error)] } });
  }
}

/** One line: what failed and what to do. */
export function describeFailure(error: unknown): string {
  const hint = isMnemeError(error) ? error.hint : undefined;
  return `${errorMessage(error)} ${hint ?? '`mneme doctor` says more.'}`.replaceAll(/\s+/gu, ' ').trim();
}

function isHookOrder(value: unknown): value is HookOrder {
  return typeof value === 'object' && value !== null && 'mnemeHook' in value;
}

if (!isMainThread && isHookOrder(workerData)) await serve(workerData);
