import type { World } from '../../compile/world.ts';
import { isEntityPath } from '../../memory/stores/registry/entity-files.ts';
import { readRecord } from '../../memory/stores/registry/entity-record.ts';
import type { KnownProcedure } from '../../memory/procedures/procedures.ts';
import { MnemeError } from '../../model/errors.ts';
import type { Git } from '../../workspace/git/git.ts';
import { filesAt, isRegularFile, readBlobs } from '../../workspace/git/objects.ts';
import { placeOf, scopeOfPath } from '../../workspace/formats/layout.ts';
import { parseProcedure } from '../../workspace/formats/procedure.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { decodeText } from '../../workspace/safety/limits.ts';
import type { OperationContext } from '../context.ts';
import { openHistory, resolvePoint } from '../history/open-history.ts';
import { openPast } from '../search/past.ts';
import { isActive } from './active-entities.ts';

/** Watchers and what waited for a person leave no history. */
const MISSING = 'Topics, notices and conversations that were still going on are not part of the past.';

/** The home as it was at a point of its history; `nowMs` when that is known better than the point says. */
export async function openPastWorld(context: OperationContext, at: string, nowMs?: number): Promise<World> {
  const { search, config, layout, homeIndex } = context;
  const past = await openPast(context, at, nowMs);
  const files = await readFilesAt(context, at);
  const records = [...files]
    .filter(([path]) => isEntityPath(path, layout))
    .map(([path, text]) => readRecord(path, text))
    .filter(isActive);
  const procedures = [...files].flatMap(([path, text]) => toProcedure(context, path, text));
  return {
    nowMs: past.nowMs,
    index: past.index,
    search,
    config,
    layout,
    isPast: true,
    models: await homeIndex.modelsOf(past.index),
    readFile: (path) => Promise.resolve(files.get(path)),
    listActiveEntities: () => Promise.resolve(records),
    listProcedures: () => procedures,
    topics: undefined,
    listNotices: () => Promise.resolve([]),
    notes: [...past.notes, MISSING],
  };
}

/** Texts of the workspace then; none where the history begins later. */
async function readFilesAt(context: OperationContext, at: string): Promise<ReadonlyMap<string, string>> {
  const { git } = await openHistory(context);
  const commit = await findCommit(context, git, at);
  if (commit === undefined) return new Map();
  const files = (await filesAt(git, commit)).filter((file) => isRegularFile(file) && /\.md$/iu.test(file.path));
  const blobs = await readBlobs(
    git,
    files.map(({ blob }) => blob),
  );
  const texts = files.map(({ path, blob }): [string, string] => {
    const decoded = decodeText(blobs.get(blob) ?? Buffer.alloc(0));
    return [path, decoded.kind === 'text' ? decoded.text : ''];
  });
  return new Map(texts);
}

async function findCommit(context: OperationContext, git: Git, at: string): Promise<string | undefined> {
  try {
    return (await resolvePoint(context, git, at)).commit;
  } catch (error) {
    // `openPast` has answered for it already: what is dated so early is known from conversations only.
    if (error instanceof MnemeError && error.code === 'not-found') return undefined;
    throw error;
  }
}

function toProcedure({ layout }: OperationContext, path: string, text: string): KnownProcedure[] {
  const { kind, isArchived } = placeOf(path, layout);
  if (kind !== 'procedure' || isArchived) return [];
  const procedure = parseProcedure(parseDocument(text), path);
  return [{ path, scope: scopeOfPath(path), procedure, damage: undefined }];
}
