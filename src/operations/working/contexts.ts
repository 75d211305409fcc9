import path from 'node:path';
import {
  type ActiveFact,
  CONTEXT_FORMAT,
  ContextStore,
  EMPTY_WORKING_MEMORY,
  type SavedContext,
  type WorkingMemory,
} from '../../compile/working/agent-context.ts';
import { MnemeError, isMnemeError } from '../../model/errors.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { StateDatabase } from '../../platform/sqlite.ts';
import { scanFiles } from '../../retrieve/settings.ts';
import { placeOf } from '../../workspace/formats/layout.ts';
import { holdLock } from '../../workspace/lock.ts';
import type { OperationContext } from '../context.ts';
import { findTurn, looksLikeTurnId } from '../find-turn.ts';
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

/** The state of the memory that a fact comes from. */
export type SourceState = 'held' | 'gone' | 'replaced';

/** Of items, turns, entities and files, by their ids. */
export async function statesOfSources(
  context: OperationContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SourceState>> {
  const wanted = [...new Set(ids)];
  const lines = wanted.length === 0 ? [] : await findLines(context, wanted);
  const states = new Map<string, SourceState>();
  for (const id of wanted)
    states.set(id, stateInLines(id, lines) ?? ((await isElsewhere(context, id)) ? 'held' : 'gone'));
  return states;
}

/** Refuses facts of memories that nobody knows; those that were saved before may have gone meanwhile. */
export async function assertSourcesKnown(
  context: OperationContext,
  facts: readonly ActiveFact[],
  before: readonly ActiveFact[],
): Promise<void> {
  const saved = new Set(before.map(({ id }) => id));
  const added = facts.flatMap(({ id }) => (id === undefined || saved.has(id) ? [] : [id]));
  for (const [id, state] of await statesOfSources(context, added)) {
    if (state !== 'gone') continue;
    throw new MnemeError('not-found', `Nothing remembered has the id ${id}, so no fact can come from it.`, {
      hint: 'Name an item, a turn (SESSION#t12), an entity or a file as `mneme recall --json` shows it, or leave the id out.',
    });
  }
}

function stateInLines(id: string, lines: readonly string[]): SourceState | undefined {
  const line = lines.find((each) => each.trimEnd().endsWith(`^${id}`)) ?? lines.find((each) => each.includes(`^${id}`));
  if (line === undefined) return undefined;
  return /^\s*[-*] ~~/u.test(line) ? 'replaced' : 'held';
}

async function isElsewhere(context: OperationContext, id: string): Promise<boolean> {
  return (await isTurn(context, id)) || (await isEntity(context, id)) || isIndexed(context, id);
}

async function isTurn(context: OperationContext, id: string): Promise<boolean> {
  if (!looksLikeTurnId(id)) return false;
  try {
    await findTurn(context, id);
    return true;
  } catch (error) {
    if (isMnemeError(error, 'not-found')) return false;
    throw error;
  }
}

async function isEntity({ entities }: OperationContext, id: string): Promise<boolean> {
  await entities.sync();
  return entities.all().some((record) => record.id === id && record.mergedInto === undefined);
}

/** Files, and items that carry no anchor. */
async function isIndexed({ homeIndex, chunkContext, layout }: OperationContext, id: string): Promise<boolean> {
  const isListed = homeIndex.files.list(({ path }) => path === id, ['workspace']).length > 0;
  if (isListed) return true;
  const { index } = await homeIndex.prepare();
  const view = await (index ?? (await scanFiles(homeIndex.files, chunkContext))).view({ scopes: ['shared'] });
  const found = await view.read(await view.findItem(id));
  // The index may be a moment behind, and knows what was forgotten: the file has the last word.
  return found.some(({ document, text }) => {
    const [firstLine = ''] = text.split('\n');
    if (document.source === 'workspace' && placeOf(document.path, layout).isArchived) return false;
    return homeIndex.files.read(document)?.text.includes(firstLine) === true;
  });
}

/** Forgotten memories lie in the archive, to be restored. */
const OUTSIDE_ARCHIVE = ['--', ':(exclude,glob)**/memory/archive/**'];

/** The lines of the workspace that end in one of these anchors, in one look at the files. */
async function findLines({ workspace }: OperationContext, ids: readonly string[]): Promise<string[]> {
  const patterns = ids.flatMap((id) => ['-e', `^${id}`]);
  const args = ['grep', '-h', '--untracked', '--no-color', '-F', ...patterns, ...OUTSIDE_ARCHIVE];
  const { stdout } = await workspace.git.workspace.attempt(args);
  return stdout.toString('utf8').split('\n');
}
