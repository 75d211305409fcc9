import { CHECKPOINT_FILE } from '../../memory/decay/checkpoint.ts';
import { fadesFrom, fadingOf } from '../../memory/decay/fading.ts';
import { relevanceOf, statusOf } from '../../memory/decay/relevance.ts';
import type { Use } from '../../memory/decay/use-log.ts';
import { fadedAt, type FadingMemory } from '../../maintain/forgetting/due.ts';
import type { SurveyedMemory } from '../../maintain/forgetting/memory.ts';
import { oneLineOf } from '../../search-index/chunk/draft.ts';
import { PINNED_TAG } from '../../search-index/passage.ts';
import { scanFiles } from '../../retrieve/settings.ts';
import type { DocumentState, IndexView, SearchIndex, StoredPassage } from '../../search-index/port.ts';
import { placeOf, type FileKind } from '../../workspace/formats/layout.ts';
import type { OperationContext } from '../context.ts';

/** Kinds of files that hold memories which fade; the index also knows tables, logs and views. */
const SURVEYED: ReadonlySet<FileKind> = new Set([
  'memory',
  'episode',
  'journal',
  'entity',
  'procedure',
  'reference',
  'vault',
]);
/** One memory however many paragraphs they have. */
const WHOLE_FILES: ReadonlySet<FileKind> = new Set(['journal', 'procedure', 'vault']);
const MAX_TEXT = 160;

export interface Survey {
  readonly memories: readonly SurveyedMemory[];
  /** The time it was made for: the present, but never before one that was reckoned with earlier. */
  readonly nowMs: number;
  /** The passages a memory is made of, by `keyOf`. */
  readonly passages: ReadonlyMap<string, readonly StoredPassage[]>;
  readonly uses: ReadonlyMap<string, Use>;
  readonly view: IndexView;
}

/** By which two memories differ: an id may stand in two files. */
export function keyOf({ id, path: file }: { readonly id: string; readonly path: string }): string {
  return `${file}\0${id}`;
}

/** Every memory that is at hand, from the index: reading all files again would take as long as making it. */
export async function surveyMemories(context: OperationContext): Promise<Survey> {
  const { access, config, clock } = context;
  const index = await openIndex(context);
  const uses = access.readUses();
  const nowMs = access.fadingNow(clock.now());
  const view = await index.view({ scopes: ['shared'] });
  const memories: SurveyedMemory[] = [];
  const passages = new Map<string, readonly StoredPassage[]>();
  for (const key of await listSurveyed(context, index)) {
    for (const { members, ...memory } of describeDocument(context, await view.readDocument(key), uses)) {
      const faded = fadedAt(memory, nowMs, config.decay);
      const surveyed = { ...memory, ...faded };
      memories.push(surveyed);
      passages.set(keyOf(surveyed), members);
    }
  }
  return { memories, nowMs, passages, uses, view };
}

/** The documents that hold memories which fade. */
export async function listSurveyed(
  { layout }: OperationContext,
  index: SearchIndex,
): Promise<readonly DocumentState[]> {
  return (await index.listDocuments()).filter(({ source, path: file }) => {
    if (source !== 'workspace') return false;
    const { kind, isArchived } = placeOf(file, layout);
    return !isArchived && SURVEYED.has(kind);
  });
}

export interface DescribedMemory extends FadingMemory, Pick<SurveyedMemory, 'text' | 'confidence'> {
  readonly members: readonly StoredPassage[];
}

/** The memories of a document, by its passages. */
export function describeDocument(
  { layout }: OperationContext,
  passages: readonly StoredPassage[],
  uses: ReadonlyMap<string, Use>,
): readonly DescribedMemory[] {
  const [head] = passages;
  if (head === undefined) return [];
  const { kind } = placeOf(head.document.path, layout);
  return memoriesIn(passages, kind).flatMap((members) => {
    const [first] = members;
    return first === undefined ? [] : [describe(members, first, WHOLE_FILES.has(kind), uses)];
  });
}

export async function openIndex(context: OperationContext): Promise<SearchIndex> {
  const { index } = await context.homeIndex.prepare();
  return index ?? scanFiles(context.homeIndex.files, context.chunkContext);
}

function memoriesIn(passages: readonly StoredPassage[], kind: FileKind): readonly (readonly StoredPassage[])[] {
  if (WHOLE_FILES.has(kind)) return passages.length === 0 ? [] : [passages];
  // The frontmatter of an entity is not an item of it.
  const items = kind === 'entity' ? passages.filter(({ id, entities }) => !entities.includes(id)) : passages;
  return [...Map.groupBy(items, ({ id }) => id).values()];
}

function describe(
  members: readonly StoredPassage[],
  first: StoredPassage,
  isFile: boolean,
  uses: ReadonlyMap<string, Use>,
): DescribedMemory {
  const { document, source, type, confidence, tags } = first;
  const id = isFile ? document.path : first.id;
  const ratings = members.flatMap(({ importance }) => importance ?? []);
  const times = members.flatMap((member) => fadesFrom(member) ?? []);
  // A file is as young and as important as the youngest and most important thing in it.
  const createdMs = times.length === 0 ? undefined : Math.max(...times);
  return {
    id,
    path: document.path,
    kind: isFile ? 'file' : 'item',
    store: document.store,
    scope: document.scope,
    source,
    type,
    createdMs,
    importance: ratings.length === 0 ? undefined : Math.max(...ratings),
    confidence,
    isPinned: tags.includes(PINNED_TAG),
    isStanding: members.some((member) => member.isStanding === true),
    use: uses.get(id),
    text: oneLineOf(isFile ? document.title : members.map(({ text }) => text).join(' '), MAX_TEXT),
    members,
  };
}

/** The status it had at another time, as far as what is known now tells; used since then, it was less than it is. */
export function statusAt(
  { config }: OperationContext,
  { memories, passages, uses }: Survey,
  timeMs: number,
): ReadonlyMap<string, string> {
  const before = new Map<string, string>();
  for (const memory of memories) {
    const [first] = passages.get(keyOf(memory)) ?? [];
    if (first === undefined || (memory.createdMs ?? 0) > timeMs || (memory.use?.lastMs ?? 0) > timeMs) continue;
    const fading = { ...fadingOf(first, uses), createdMs: memory.createdMs };
    before.set(keyOf(memory), statusOf(relevanceOf(fading, timeMs, config.decay)));
  }
  return before;
}

export function readCheckpointText({ homeIndex }: OperationContext): string | undefined {
  return homeIndex.files.read({ source: 'workspace', path: CHECKPOINT_FILE })?.text;
}
