import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { PersonPrompt, SessionStart } from './person.ts';

const output = z.object({ hookSpecificOutput: z.object({ additionalContext: z.string() }) });

/** Time between the start of a session and its first prompt. */
export const FIRST_PROMPT_MS = 20_000;
const PROGRAM = path.resolve(import.meta.dirname, '../../bin/mneme');
const CLOCK = pathToFileURL(path.join(import.meta.dirname, 'clock.mjs')).href;

const MAX_ATTEMPTS = 3;

/** What was injected at the start of a session and for its first prompt. */
export interface Asked {
  readonly start: string;
  readonly answer: string;
  readonly tookMs: number;
}

export interface Runner {
  /** Hooks that ran out of time. */
  readonly late: number;
  start(start: SessionStart): Promise<{ readonly text: string; readonly tookMs: number }>;
  /** The session's start and the prompt. */
  ask(prompt: PersonPrompt): Promise<Asked>;
  close(): Promise<void>;
}

interface HookCall {
  readonly event: string;
  readonly session: string;
  readonly project: string | undefined;
  readonly atMs: number;
  readonly more: Readonly<Record<string, string>>;
}

interface HookOutcome {
  readonly text: string;
  readonly tookMs: number;
}

/** Starts the hook program of Claude Code as Claude Code does, at a time of the benchmark's. */
export class HookRunner implements Runner {
  readonly #home: string;
  readonly #folders: string;
  late = 0;

  constructor(home: string) {
    this.#home = home;
    this.#folders = path.join(path.dirname(home), 'folders');
  }

  async start(
    { at, project }: Pick<SessionStart, 'at' | 'project'>,
    session = randomUUID(),
  ): Promise<{ text: string; tookMs: number }> {
    return this.#run({ event: 'SessionStart', session, project, atMs: Date.parse(at), more: { source: 'startup' } });
  }

  async close(): Promise<void> {}

  async ask(prompt: PersonPrompt): Promise<Asked> {
    const session = randomUUID();
    const { at, project, text: typed } = prompt;
    const { text: start } = await this.start(prompt, session);
    const atMs = Date.parse(at) + FIRST_PROMPT_MS;
    const { text, tookMs } = await this.#run({
      event: 'UserPromptSubmit',
      session,
      project,
      atMs,
      more: { prompt: typed },
    });
    return { start, answer: text, tookMs };
  }

  /** A machine that is busy with others may let a hook run out of time: it is asked again, and counted. */
  async #run(given: HookCall): Promise<HookOutcome> {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#start(given);
      if (outcome !== 'late') return outcome;
      this.late += 1;
      if (attempt === MAX_ATTEMPTS) throw new Error('The hook ran out of time again and again.');
    }
  }

  #start(given: HookCall): Promise<HookOutcome | 'late'> {
    // A person who works on no project works in their own folder.
    const folder = path.join(this.#folders, given.project ?? 'user');
    fs.mkdirSync(folder, { recursive: true });
    const env = {
      ...process.env,
      MNEME_WORKER: 'off',
      BENCH_CLOCK_MS: String(given.atMs),
      NODE_OPTIONS: `--import ${CLOCK}`,
    };
    const startedMs = performance.now();
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [PROGRAM, '--home', this.#home, 'hook', 'claude-code'], {
        stdio: 'pipe',
        env,
      });
      let [out, complaint] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
      child.on('close', (code) => {
        const tookMs = performance.now() - startedMs;
        if (/given up after/u.test(complaint)) resolve('late');
        else if (code !== 0) reject(new Error(`The hook ended with ${code}: ${complaint}`));
        else
          resolve({
            text: out === '' ? '' : output.parse(JSON.parse(out)).hookSpecificOutput.additionalContext,
            tookMs,
          });
      });
      const transcript = path.join(folder, `${given.session}.jsonl`);
      child.stdin.end(
        JSON.stringify({
          hook_event_name: given.event,
          session_id: given.session,
          cwd: folder,
          transcript_path: transcript,
          ...given.more,
        }),
      );
    });
  }
}
