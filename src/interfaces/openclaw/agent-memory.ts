import { hash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { openclawWords } from '../../exchange/import/openclaw.ts';
import { errorMessage, isMnemeError } from '../../model/errors.ts';
import { isScope } from '../../model/provenance.ts';
import { readEnvironment } from '../../platform/environment.ts';
import { Mneme } from '../../mneme.ts';
import { sessionIdOf } from '../../exchange/import/session-writer.ts';
import type { SessionHandle } from '../../operations/session/session.ts';
import { withinTime } from '../mcp/call-queue.ts';
import type { HostLogger, HostMessage } from './host.ts';

/** Around what we put before a prompt: it may come back to us in the history, and is nobody's words. */
const OPEN = '<mneme-context>';
const CLOSE = '</mneme-context>';

export function wrapContext(text: string): string {
  return `${OPEN}\n${text.replaceAll(CLOSE, '')}\n${CLOSE}`;
}

type SaidTurn =
  | {
      readonly kind: 'words';
      readonly role: 'user' | 'agent';
      readonly text: string;
      readonly name?: string | undefined;
    }
  | { readonly kind: 'tool'; readonly name: string; readonly result: string };

/** The words of a message, without the parts that OpenClaw or we put around it; undefined when there are none. */
export function turnOf({ role, content, toolName }: HostMessage): SaidTurn | undefined {
  const text = textOf(content);
  if (role === 'toolResult' || role === 'tool') {
    return text === '' ? undefined : { kind: 'tool', name: toolName ?? 'tool', result: text };
  }
  if (role === 'assistant') return text === '' ? undefined : { kind: 'words', role: 'agent', text };
  if (role !== 'user') return undefined;
  const { text: words, name } = openclawWords(withoutContext(text));
  return words === '' ? undefined : { kind: 'words', role: 'user', text: words, name };
}

/** The last run: what the user asked, and everything that followed. */
export function lastRun(messages: readonly HostMessage[]): readonly HostMessage[] {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  return start === -1 ? [] : messages.slice(start);
}

/** The user's last text; '' when there is none. */
export function questionIn(messages: readonly HostMessage[]): string {
  const last = messages.findLast(({ role }) => role === 'user');
  const turn = last === undefined ? undefined : turnOf(last);
  return turn?.kind === 'words' ? turn.text : '';
}

function withoutContext(text: string): string {
  let rest = text;
  for (let start = rest.indexOf(OPEN); start !== -1; start = rest.indexOf(OPEN)) {
    const end = rest.indexOf(CLOSE, start);
    rest = rest.slice(0, start) + (end === -1 ? '' : rest.slice(end + CLOSE.length));
  }
  return rest.trim();
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content.trim();
  if (!Array.isArray(content)) return '';
  const parts: readonly unknown[] = content;
  return parts
    .flatMap((part) => {
      if (typeof part !== 'object' || part === null || !('type' in part) || part.type !== 'text') return [];
      return 'text' in part && typeof part.text === 'string' ? [part.text] : [];
    })
    .join('\n')
    .trim();
}

/** `plugins.entries.mneme.config` of openclaw.json; the manifest describes the same for OpenClaw. */
export const pluginSettings = z.object({
  home: z
    .string()
    .min(1)
    // OpenClaw passes on what the user wrote; no shell has seen it.
    .transform((home) => path.resolve(home.replace(/^~(?=$|[\\/])/u, os.homedir())))
    .optional(),
  recall: z.boolean().default(true),
  capture: z.boolean().default(true),
  maxTokens: z.number().int().min(100).max(20_000).default(1500),
  timeoutMs: z.number().int().min(100).max(60_000).default(2000),
  scope: z.string().refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME').optional(),
});

export type PluginSettings = z.output<typeof pluginSettings>;

const hostSettings = z.object({
  plugins: z.object({ slots: z.object({ contextEngine: z.string().optional() }).optional() }).optional(),
});

/** Whether OpenClaw was told to assemble prompts with this plugin: then the hooks leave that to it. */
export function isContextEngine(config: unknown, id: string): boolean {
  return hostSettings.safeParse(config).data?.plugins?.slots?.contextEngine === id;
}

/**
 * One home for all agents of a gateway, opened when it is first needed. Nothing that goes wrong here, and nothing that
 * takes long, keeps an agent from answering: it is logged, and the agent answers without.
 */
export class AgentMemory {
  readonly #settings: PluginSettings;
  readonly #logger: HostLogger;
  readonly #sessions = new Map<string, Promise<SessionHandle>>();
  /** The last captured turns, by session: a run may be reported by a hook and by the engine. */
  readonly #taken = new Map<string, Set<string>>();
  #opened: Promise<Mneme> | undefined;
  #work: Promise<unknown> = Promise.resolve();

  constructor(settings: PluginSettings, logger: HostLogger) {
    this.#settings = settings;
    this.#logger = logger;
  }

  open(): Promise<Mneme> {
    const { home, scope } = this.#settings;
    const onProblem = (message: string): void => this.#logger.warn?.(`mneme: ${message}`);
    this.#opened ??= Mneme.open({
      home: home ?? readEnvironment().home,
      actor: 'bot:openclaw',
      watch: true,
      onProblem,
      ...(scope === undefined ? {} : { scope }),
    }).catch((error: unknown) => {
      // Tried again by whoever asks next: a disk may not be there yet.
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  /** Memories about a prompt, or for the beginning of a session; '' without any, or when they come too late. */
  async brief(hostSession: string, prompt: string, isStart: boolean): Promise<string> {
    const briefing = await this.#attempt('recall', async () => {
      const mneme = await this.open();
      const { maxTokens: budget, scope } = this.#settings;
      const session = sessionOf(hostSession);
      return isStart
        ? mneme.context('', { budget, session, scope, event: 'session-start' })
        : mneme.context(prompt, { budget, session, scope, event: 'prompt', preset: 'hook' });
    });
    return briefing?.prompt ?? '';
  }

  /** Takes in what was said in the last run of an agent. */
  async capture(hostSession: string, messages: readonly HostMessage[]): Promise<number> {
    if (!this.#settings.capture) return 0;
    const taken = await this.#attempt('capture', () => this.#inTurn(() => this.#take(hostSession, messages)));
    return taken ?? 0;
  }

  /** Saves what matters of a conversation whose window is about to be shortened. */
  async flush(hostSession: string): Promise<void> {
    await this.#attempt('flush', () =>
      this.#inTurn(async () => (await this.open()).flush(sessionOf(hostSession), { now: true })),
    );
  }

  /** The window is emptied: what was said becomes a transcript, and what was told may be told again. */
  async reset(hostSession: string): Promise<void> {
    await this.#attempt('reset', () => this.#inTurn(async () => (await this.#session(hostSession)).reset()));
  }

  async end(hostSession: string): Promise<void> {
    await this.#attempt('end', () =>
      this.#inTurn(async () => {
        if (!this.#sessions.has(hostSession)) return;
        const session = await this.#session(hostSession);
        this.#sessions.delete(hostSession);
        this.#taken.delete(hostSession);
        await session.end();
      }),
    );
  }

  async close(): Promise<void> {
    await this.#work;
    const opened = this.#opened;
    this.#opened = undefined;
    this.#sessions.clear();
    await (await opened)?.close();
  }

  #session(hostSession: string): Promise<SessionHandle> {
    const known = this.#sessions.get(hostSession);
    if (known !== undefined) return known;
    const { scope } = this.#settings;
    const started = this.open().then((mneme) =>
      mneme.session.start({
        id: sessionOf(hostSession),
        channel: 'openclaw',
        ...(scope === undefined ? {} : { scope }),
      }),
    );
    this.#sessions.set(hostSession, started);
    started.catch(() => this.#sessions.delete(hostSession));
    return started;
  }

  async #take(hostSession: string, messages: readonly HostMessage[]): Promise<number> {
    const known = this.#taken.get(hostSession) ?? new Set<string>();
    const fresh = lastRun(messages).filter((message) => !known.has(markOf(message)));
    this.#taken.set(hostSession, new Set(lastRun(messages).map(markOf)));
    let count = 0;
    for (const message of fresh) {
      const turn = turnOf(message);
      if (turn === undefined) continue;
      const session = await this.#session(hostSession);
      const when = message.timestamp === undefined ? {} : { time: new Date(message.timestamp) };
      if (turn.kind === 'tool') await session.tool(turn.name, '', turn.result, when);
      else
        await session.message(turn.role, turn.text, {
          ...when,
          ...(turn.name === undefined ? {} : { name: turn.name }),
        });
      count += 1;
    }
    return count;
  }

  /** One after the other: turns of a conversation have an order. */
  #inTurn<T>(body: () => Promise<T>): Promise<T> {
    const next = this.#work.then(body, body);
    this.#work = next.catch(() => undefined);
    return next;
  }

  async #attempt<T>(what: string, body: () => Promise<T>): Promise<T | undefined> {
    try {
      return await withinTime(this.#settings.timeoutMs, new AbortController().signal, body);
    } catch (error) {
      const hint = isMnemeError(error) && error.hint !== undefined ? ` ${error.hint}` : '';
      this.#logger.warn?.(`mneme: ${what}: ${errorMessage(error)}${hint}`);
      return undefined;
    }
  }
}

/** The same id that an import of OpenClaw's logs gives the session. */
function sessionOf(hostSession: string): string {
  return sessionIdOf(`openclaw:${hostSession}`);
}

function markOf({ role, content, timestamp }: HostMessage): string {
  return hash('sha256', JSON.stringify([role, timestamp ?? null, content ?? null]));
}
