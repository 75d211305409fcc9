import { must, MnemeError } from '../model/errors.ts';
import { roleOf } from '../model/mutation.ts';
import { scopeFolder, type Scope, type Source, type Trust } from '../model/provenance.ts';
import type { FactMetadata, ItemMetadata } from '../model/schemas/item.ts';
import { localTime } from '../model/time.ts';
import { importanceOf, splitByTopic } from '../memory/episodes/read-episodes.ts';
import { Episodes } from '../memory/stores/episodes.ts';
import type { Change } from '../workspace/door/request.ts';
import { addCoreBullet, type CoreBlockName } from '../workspace/formats/core.ts';
import type { Item } from '../workspace/formats/item.ts';
import { newVaultNote } from '../workspace/formats/body.ts';
import { parseDocument, serializeDocument } from '../workspace/markdown/document.ts';
import { slugify } from '../workspace/safety/paths.ts';
import type { OperationContext } from './context.ts';
import type { EpisodeType } from '../model/schemas/time.ts';

interface Given {
  readonly text: string;
  readonly store: 'episodic' | 'core' | 'vault';
  readonly block: CoreBlockName;
  readonly type: EpisodeType;
  readonly tags: string[];
  readonly importance?: number | undefined;
  readonly confidence?: 'high' | 'medium' | 'low' | undefined;
  readonly source: Source;
  readonly trust: Trust;
  readonly scope: Scope;
  readonly session?: string | undefined;
  readonly turn?: string | undefined;
}

/** The change that keeps a memory in its store, in the words in which it was told. */
export function placeMemory(
  context: OperationContext,
  given: Given,
  { id, related }: { readonly id: string; readonly related: readonly string[] },
): { change: Change; path: string } {
  const folder = scopeFolder(given.scope);
  if (given.store === 'core') {
    if (given.scope !== 'shared') throw new MnemeError('usage', 'Core memory is shared; --scope does not go with it.');
    const path = 'MEMORY.md';
    const meta = coreMetadata(context, given);
    return { path, change: { path, edit: (current) => addToCore(current, given, { id, text: given.text, meta }) } };
  }
  if (given.store === 'vault') {
    const { date } = localTime(context.clock.now(), context.config.time_zone);
    const path = `${folder}memory/vault/${date}-${slugify(given.text, 40)}-${id.slice(0, 5)}.md`;
    return {
      path,
      change: { path, edit: () => newVaultNote({ id, date, text: given.text, tags: given.tags, trust: given.trust }) },
    };
  }
  const { clock, random, config, workspace } = context;
  const episodes = new Episodes({ root: workspace.root, clock, random, timeZone: config.time_zone });
  const { type, scope } = given;
  const [text = given.text, ...others] = splitByTopic(given.text);
  const first = { id, type, text, scope, meta: episodeMetadata(given, text), related };
  // Unrelated statements made together are stored beside it and name it.
  const rest = others.map((each) => ({ type, text: each, scope, meta: episodeMetadata(given, each), related: [id] }));
  const { path, changes } = episodes.planEntries([first, ...rest]);
  return { path, change: must(changes[0], 'the change of an episode file') };
}

function episodeMetadata(given: Given, text: string): ItemMetadata {
  const { type, source, trust, importance, confidence = 'high', tags, session, turn } = given;
  return {
    source,
    trust,
    confidence,
    importance: importance ?? importanceOf({ type, text, source }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(session === undefined ? {} : { session }),
    ...(session === undefined || turn === undefined ? {} : { turn }),
  };
}

/**
 * Core memory is told unasked in every session. A line of it that says nothing of its author counts as the user's, so
 * what an agent puts there says whose it is and since when.
 */
function coreMetadata({ actor, clock, config }: OperationContext, { trust, source }: Given): FactMetadata {
  if (roleOf(actor) === 'human' && trust === 'user') return {};
  const { date } = localTime(clock.now(), config.time_zone);
  const isUsers = trust === 'user';
  return { learned: date, trust, ...(isUsers ? { source } : {}) };
}

function addToCore(current: string | undefined, { block }: Given, item: Item<FactMetadata>): string {
  return serializeDocument(addCoreBullet(parseDocument(current ?? ''), block, item));
}
