import path from 'node:path';
import { ContextStore } from '../../compile/working/context-store.ts';
import {
  EMPTY_WORKING_MEMORY,
  CONTEXT_FORMAT,
  type SavedContext,
  type WorkingMemory,
} from '../../compile/working/agent-context.ts';
import { MnemeError } from '../../model/errors.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { StateDatabase } from '../../platform/sqlite.ts';
import { holdLock } from '../../workspace/lock.ts';
import type { OperationContext } from '../context.ts';
import { assertNotPrivateHere } from '../may-learn.ts';
import { assertNotPrivate } from '../session/open-sessions.ts';

/** Identifies a context by its agent and conversation. */
export interface ContextName {
  readonly agent: string;
  readonly session: string;
}

/** An agent that says nothing else; and what it holds in mind outside of any conversation. */
export const DEFAULT_AGENT = 'main';
export const NO_SESSION = 'standing';

export function contextStore({ workspace }: OperationContext): ContextStore {
  return new ContextStore(nodeFileSystem, workspace.paths.journal);
}

/** Changes a context while nobody else does, and saves it durably. */
export async function changeContext(
  context: OperationContext,
  { agent, session }: ContextName,
  change: (working: WorkingMemory) => WorkingMemory,
  expectedRevision?: number,
): Promise<SavedContext> {
  assertNotPrivate(context, session);
  assertNotPrivateHere(context, 'working memory');
  return exclusively(context, async () => {
    const store = contextStore(context);
    const before = store.find(agent, session);
    const revision = before?.revision ?? 0;
    if (expectedRevision !== undefined && expectedRevision !== revision) {
      throw new MnemeError(
        'conflict',
        `The context of ${agent} in ${session} is at revision ${revision}, not ${expectedRevision}: somebody saved it meanwhile.`,
        { hint: 'Load it again and save on top of that. Nothing was changed.' },
      );
    }
    const working = await withoutSecrets(context, change(before?.working ?? EMPTY_WORKING_MEMORY));
    const saved: SavedContext = {
      format: CONTEXT_FORMAT,
      agent,
      session,
      revision: revision + 1,
      savedMs: context.clock.now(),
      working,
    };
    await store.write(saved);
    return saved;
  });
}

export async function exclusively<T>(context: OperationContext, body: () => Promise<T>): Promise<T> {
  const file = path.join(context.workspace.paths.state, 'working.db');
  const lock = new StateDatabase(file, 'CREATE TABLE IF NOT EXISTS working (id INTEGER)');
  try {
    return await holdLock(lock.connection, 'working memory', context, body);
  } finally {
    lock.close();
  }
}

/** Redacts secrets: typed or printed text may hold some, and all of this is written to a file. */
async function withoutSecrets<T>({ workspace }: OperationContext, working: T): Promise<T> {
  const clean = async (value: unknown): Promise<unknown> => {
    if (typeof value === 'string') return (await workspace.redactor.redact(value)).text;
    if (Array.isArray(value)) return Promise.all(value.map((each) => clean(each)));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(async ([key, each]) => [key, await clean(each)] as const);
    return Object.fromEntries(await Promise.all(entries));
  };
  return (await clean(working)) as T;
}
