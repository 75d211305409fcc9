import { UNMET_RETRACTION } from '../../extract/take-in.ts';
import { underPermit } from '../../workspace/door/request.ts';
import type { OperationContext } from '../context.ts';
import { listWaiting } from '../extract/waiting.ts';
import type { SessionExtraction } from '../extract/extract-session.ts';
import { wishesOf } from '../session/fulfil-wishes.ts';
import { learnsByItself } from './background-worker.ts';
import type { Progress } from './progress.ts';

/**
 * So many are learned from in the order they were held, the newest so many first. Within them, what was said later meets
 * what it replaces or takes back; across them, dates decide.
 */
const AT_A_TIME = 10;

/** Conversations that wait to be learned from, in the order in which they are. */
export class WaitingSessions {
  readonly #context: OperationContext;
  readonly #failed: () => Progress['failed'];
  readonly #tried = new Set<string>();
  #queue: string[] = [];

  constructor(context: OperationContext, failed: () => Progress['failed']) {
    this.#context = context;
    this.#failed = failed;
  }

  /** Undefined when none is left that has not been tried. */
  take(): string | undefined {
    if (this.#queue.length === 0) this.#queue = this.#list().slice(0, AT_A_TIME).reverse();
    const session = this.#queue.shift();
    if (session !== undefined) this.#tried.add(session);
    return session;
  }

  /** Those that were taken excepted. */
  count(): number {
    return this.#list().length;
  }

  /** The newest first. */
  #list(): string[] {
    if (!learnsByItself(this.#context)) return [];
    const { config, clock } = this.#context;
    const sessions = this.#context.parts.sessions();
    // A request that failed is tried again, whatever was learned meanwhile.
    const wishes = wishesOf(this.#context)
      .listWaiting()
      .filter((session) => !sessions.isOpen(session));
    const waiting = listWaiting(this.#context)
      .filter(({ isImported }) => config.extract.imports || !isImported)
      .map(({ session }) => session);
    const failed = this.#failed();
    return [...new Set([...wishes, ...waiting])].filter(
      (session) => !this.#tried.has(session) && (failed[session]?.retryMs ?? 0) <= clock.now(),
    );
  }
}

/** Learns from one conversation, `again` also from turns that were processed before. Undefined where another machine writes: it waits for this one's turn. */
export async function learnFrom(
  context: OperationContext,
  session: string,
  { signal, again = false }: { readonly signal: AbortSignal; readonly again?: boolean },
): Promise<SessionExtraction | undefined> {
  if ((await context.writer?.whyNot()) !== undefined) return undefined;
  const { extract, runExtract } = await import('../extract/extract.ts');
  const given = extract.input.parse({ sessions: [session], again });
  return underPermit(
    context.writer?.permit(),
    async () => (await runExtract(context, given, { signal, isUnasked: true })).sessions[0],
  );
}

/** Whether it takes back something that is not known, and may be said in a conversation that is still to be learned from. */
export function missesOlder({ items }: SessionExtraction): boolean {
  return items.some(({ reason }) => reason === UNMET_RETRACTION);
}

/** Looks back on conversations that were long enough for it. Proposes, never applies. */
export async function reflectOn(context: OperationContext, learned: readonly SessionExtraction[]): Promise<void> {
  const { isLongEnough } = await import('../reflect/due.ts');
  const ends = learned.map(({ to }) => to);
  if (!isLongEnough(context, ends)) return;
  const { reflect } = await import('../reflect/reflect.ts');
  await reflect.run(context, reflect.input.parse({ trigger: 'session-end' }));
}
