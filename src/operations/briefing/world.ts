import path from 'node:path';
import type { ActiveEntity, World } from '../../compile/world.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { scanFiles } from '../../retrieve/scan.ts';
import type { TopicSource } from '../../topics/port.ts';
import type { OperationContext } from '../context.ts';
import { listNotices } from './notices.ts';
import { procedureStore } from './procedure-store.ts';

/** The home as it is. */
export async function openWorld(context: OperationContext): Promise<World> {
  const { homeIndex, search, config, layout, chunkContext, clock } = context;
  const { index, models, notes } = await homeIndex.prepare();
  return {
    nowMs: clock.now(),
    index: index ?? (await scanFiles(homeIndex.files, chunkContext)),
    search,
    config,
    layout,
    isPast: false,
    models,
    readFile: (path) => Promise.resolve(homeIndex.files.read({ source: 'workspace', path })?.text),
    listActiveEntities: () => activeEntities(context),
    listProcedures: () => procedureStore(context).all(),
    topics: watchersOf(context),
    listNotices: (scope) => listNotices(context, scope),
    notes,
  };
}

/** Where topics may stand. */
const TOPIC_FOLDERS = ['topics', 'memory/scopes'];

/** Loaded only in a home that has topics: a hook has no time for watchers that watch nothing. */
function watchersOf(context: OperationContext): TopicSource | undefined {
  const { root } = context.workspace;
  const hasSome = TOPIC_FOLDERS.some((folder) => nodeFileSystem.list(path.join(root, folder)).length > 0);
  if (!hasSome) return undefined;
  return {
    activeTopics: async (request) => {
      const { openTopics } = await import('../topics/open-topics.ts');
      return openTopics(context).topics.activeTopics(request);
    },
  };
}

/** Kept as long as nobody writes: every prompt asks, and reading the table of a large graph takes longer than a search. */
const active = new WeakMap<OperationContext, { readonly at: string; readonly found: readonly ActiveEntity[] }>();

async function activeEntities(context: OperationContext): Promise<readonly ActiveEntity[]> {
  const { entities, workspace } = context;
  const at = workspace.journalEnd;
  const known = active.get(context);
  if (known?.at === at) return known.found;
  await entities.sync();
  const found = entities.all().filter(isActive);
  active.set(context, { at, found });
  return found;
}

/** DESIGN §2: the list of active projects is made of entities whose status says so. */
export function isActive({
  status,
  mergedInto,
}: {
  status: string | undefined;
  mergedInto: string | undefined;
}): boolean {
  return status === 'active' && mergedInto === undefined;
}
