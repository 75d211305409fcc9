import path from 'node:path';
import { hash } from 'node:crypto';
import { fadedAt, outlookOf } from '../../maintain/forgetting/due.ts';
import { readCheckpoint } from '../../memory/decay/checkpoint.ts';
import { DueTable, type DueRow } from '../../memory/decay/due-table.ts';
import type { Use } from '../../memory/decay/use-log.ts';
import type { Config } from '../../model/config/schema.ts';
import type { DocumentState, IndexView } from '../../search-index/port.ts';
import type { OperationContext } from '../context.ts';
import { describeDocument, listSurveyed, openIndex, readCheckpointText, type DescribedMemory } from './survey.ts';
import { FADING } from '../../memory/decay/relevance.ts';
import { AGES } from '../../maintain/retention/ages.ts';
import { GARBAGE } from '../../maintain/forgetting/candidates.ts';

export interface DueLook {
  readonly memories: number;
  /** The number of memories whose status changed since the checkpoint was written. */
  readonly transitions: number;
  readonly nowMs: number;
  /** The memories that may be archived as far as time, use and settings say. */
  readonly candidates: readonly DueRow[];
  readonly uses: ReadonlyMap<string, Use>;
  readonly view: IndexView;
}

/** Brings the table of what is due in step: only with what changed, was used, or has come due since. */
export async function lookAtDue(context: OperationContext): Promise<DueLook> {
  const { access, clock, workspace } = context;
  const index = await openIndex(context);
  const uses = access.readUses();
  const nowMs = access.fadingNow(clock.now());
  const view = await index.view({ scopes: ['shared'] });
  const { updatedMs } = readCheckpoint(readCheckpointText(context));
  const table = new DueTable(path.join(workspace.paths.state, 'fading.db'));
  try {
    const look = { nowMs, uses, rules: context.config, updatedMs };
    const isKept = isOfThese(table, look);
    const known = isKept ? table.documents() : new Map<string, string>();
    const documents = await listSurveyed(context, index);
    const changed = await readChanged(context, view, documents, known, uses);
    table.writing(() => {
      if (!isKept) table.clear();
      const present = new Set(documents.map(({ path: file }) => file));
      for (const file of known.keys()) if (!present.has(file)) table.removeDocument(file);
      for (const { path: file, hash: hashed, memories } of changed) putDocument(table, file, hashed, memories, look);
      for (const row of usedSince(table, uses)) table.put(reckon(row, row, look));
      // Only now: what was used is perhaps no longer due.
      for (const row of table.dueBy(nowMs)) table.put(reckon(row, row, look));
      table.writeNote('rules', rulesKey(context.config));
      table.writeNote('looked', String(nowMs));
    });
    return {
      memories: table.count(),
      transitions: updatedMs === undefined ? 0 : table.countChangedAfter(updatedMs),
      nowMs,
      candidates: table.candidates(),
      uses,
      view,
    };
  } finally {
    table.close();
  }
}

interface Look {
  readonly nowMs: number;
  readonly uses: ReadonlyMap<string, Use>;
  readonly rules: Pick<Config, 'decay' | 'retention'>;
  /** When the checkpoint was last written. */
  readonly updatedMs: number | undefined;
}

/** Other settings or constants, or a clock that went back, make everything that was reckoned out worthless. */
function isOfThese(table: DueTable, { nowMs, rules }: Look): boolean {
  return table.readNote('rules') === rulesKey(rules) && Number(table.readNote('looked')) <= nowMs;
}

function rulesKey({ decay, retention }: Look['rules']): string {
  return hash('sha256', JSON.stringify([decay, retention, FADING, GARBAGE, AGES]));
}

interface ChangedDocument {
  readonly path: string;
  readonly hash: string;
  readonly memories: readonly DescribedMemory[];
}

async function readChanged(
  context: OperationContext,
  view: IndexView,
  documents: readonly DocumentState[],
  known: ReadonlyMap<string, string>,
  uses: ReadonlyMap<string, Use>,
): Promise<readonly ChangedDocument[]> {
  const changed: ChangedDocument[] = [];
  for (const document of documents) {
    const { path: file, hash: hashed } = document;
    if (known.get(file) === hashed) continue;
    const memories = describeDocument(context, await view.readDocument(document), uses);
    changed.push({ path: file, hash: hashed, memories });
  }
  return changed;
}

function putDocument(
  table: DueTable,
  file: string,
  hashed: string,
  memories: readonly DescribedMemory[],
  look: Look,
): void {
  const before = new Map(table.rowsOf(file).map((row) => [row.id, row]));
  const rows = memories.flatMap((memory) => {
    const known = before.get(memory.id);
    return known !== undefined && isAsReckoned(known, memory, look.nowMs) ? [] : [reckon(memory, known, look)];
  });
  const present = new Set(memories.map(({ id }) => id));
  const gone = [...before.keys()].filter((id) => !present.has(id));
  table.putDocument(file, hashed, { rows, gone });
}

/** The fields an outlook is computed from. */
const RECKONED_FROM = [
  'kind',
  'store',
  'scope',
  'source',
  'type',
  'createdMs',
  'importance',
  'isPinned',
  'isStanding',
] as const;

/** In a page of years a day changes a line or two; the others stand as they were reckoned until they come due. */
function isAsReckoned(row: DueRow, memory: DescribedMemory, nowMs: number): boolean {
  return (
    (row.nextMs === undefined || row.nextMs > nowMs) &&
    RECKONED_FROM.every((key) => row[key] === memory[key]) &&
    row.use?.count === memory.use?.count &&
    row.use?.lastMs === memory.use?.lastMs
  );
}

/** Those whose uses are others than the table says. */
function usedSince(table: DueTable, uses: ReadonlyMap<string, Use>): readonly DueRow[] {
  const known = table.uses();
  const ids = [...uses].flatMap(([id, { count, lastMs }]) => {
    const before = known.get(id);
    return before?.count === count && before.lastMs === lastMs ? [] : [id];
  });
  const gone = [...known.keys()].filter((id) => !uses.has(id));
  const rows = [...ids, ...gone].flatMap((id) => table.withId(id));
  return rows.map((row) => Object.assign(row, { use: uses.get(row.id) }));
}

/** A memory as it stands now; `before` is what the table said of it. */
function reckon(
  memory: DescribedMemory | DueRow,
  before: DueRow | undefined,
  { nowMs, rules, updatedMs }: Look,
): DueRow {
  const { path: file, id, kind, store, scope, source, type, createdMs, importance, isPinned, isStanding, use } = memory;
  const { status, isCandidate, nextMs } = outlookOf(memory, nowMs, rules);
  const isOther = before === undefined ? isOtherSince(memory, status, updatedMs, rules) : before.status !== status;
  const changedMs = isOther ? nowMs : before?.changedMs;
  return {
    path: file,
    id,
    kind,
    store,
    scope,
    source,
    type,
    createdMs,
    importance,
    isPinned,
    isStanding,
    use,
    status,
    isCandidate,
    nextMs,
    changedMs,
  };
}

/** Of what the table does not know, whether it had another status then; used or written since, nobody can say. */
function isOtherSince(
  memory: DescribedMemory | DueRow,
  status: string,
  timeMs: number | undefined,
  { decay }: Look['rules'],
): boolean {
  if (timeMs === undefined || (memory.createdMs ?? 0) > timeMs || (memory.use?.lastMs ?? 0) > timeMs) return false;
  return fadedAt(memory, timeMs, decay).status !== status;
}
