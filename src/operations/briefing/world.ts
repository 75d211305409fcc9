import path from 'node:path';
import type { World } from '../../compile/world.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { scanFiles } from '../../retrieve/scan.ts';
import type { TopicSource } from '../../topics/port.ts';
import type { OperationContext } from '../context.ts';
import { listNotices } from './notices.ts';
import { OutsideLines } from './outside-lines.ts';

/** The home as it is. */
export async function openWorld(context: OperationContext): Promise<World> {
  const { homeIndex, search, config, layout, chunkContext, clock, parts } = context;
  const { index, models, notes } = await homeIndex.prepare();
  const procedures = await parts.procedures();
  const outside = new OutsideLines(context);
  return {
    nowMs: clock.now(),
    index: index ?? (await scanFiles(homeIndex.files, chunkContext)),
    search,
    config,
    layout,
    isPast: false,
    models,
    readFile: async (path) => {
      const text = homeIndex.files.read({ source: 'workspace', path })?.text;
      return text === undefined ? undefined : outside.mark(path, text);
    },
    listActiveEntities: () => parts.activeEntities.list(),
    listProcedures: () => procedures.all(),
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
    activeTopics: async (request) => (await context.parts.topics()).topics.activeTopics(request),
  };
}
