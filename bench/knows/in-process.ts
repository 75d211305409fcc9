import { randomUUID } from 'node:crypto';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { briefing, type BriefingInput } from '../../src/operations/briefing.ts';
import { runOperation } from '../../src/operations/operation.ts';
import type { Asked, Runner } from './hook-runner.ts';
import { FIRST_PROMPT_MS } from './hook-runner.ts';
import type { PersonPrompt, SessionStart } from './person.ts';

/** What Claude Code takes of a hook's answer. */
const MAX_CHARS = 9900;

/** Compiles what the hook would add, in one process for all of it: on a busy machine ten times as fast. */
export class InProcess implements Runner {
  readonly late = 0;
  readonly #clock = { ms: 0 };
  readonly #mneme: Promise<Mneme>;

  constructor(home: string) {
    const clock = { now: () => this.#clock.ms };
    this.#mneme = openMneme({ home, actor: 'bot:claude-code', parts: { clock } });
  }

  async start({ at, project }: Pick<SessionStart, 'at' | 'project'>): Promise<{ text: string; tookMs: number }> {
    return this.#compile(Date.parse(at), project, { event: 'session-start', source: 'startup' });
  }

  async ask({ at, project, text: message }: PersonPrompt): Promise<Asked> {
    const [session, atMs] = [randomUUID(), Date.parse(at)];
    const start = await this.#compile(atMs, project, { event: 'session-start', source: 'startup', session });
    const asked = { event: 'prompt', message, session } as const;
    const answer = await this.#compile(atMs + FIRST_PROMPT_MS, project, asked);
    return { start: start.text, answer: answer.text, tookMs: answer.tookMs };
  }

  async close(): Promise<void> {
    await (await this.#mneme).close();
  }

  async #compile(
    atMs: number,
    project = 'user',
    more: Partial<BriefingInput>,
  ): Promise<{ text: string; tookMs: number }> {
    const { internals } = await this.#mneme;
    this.#clock.ms = atMs;
    const startedMs = performance.now();
    const budget = internals.config.context.presets.hook_tokens;
    const place = { project: [project], scope: `project:${project}` as const, maxChars: MAX_CHARS };
    const { prompt } = await runOperation(briefing, internals, {
      preset: 'hook',
      budget,
      ...place,
      session: randomUUID(),
      ...more,
    });
    return { text: prompt, tookMs: performance.now() - startedMs };
  }
}
