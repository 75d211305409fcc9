import path from 'node:path';
import { compareItems, type ItemComparison } from '../../maintain/reconstruct/compare-items.ts';
import {
  DERIVED_KINDS,
  type DerivedItem,
  type DerivedRule,
  derivedItems,
  withoutItems,
} from '../../maintain/reconstruct/derived-items.ts';
import { MnemeError } from '../../model/errors.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { isArchivePath } from '../../memory/archive/record.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import { kindOfPath } from '../../workspace/formats/layout.ts';
import type { Git } from '../../workspace/git/git.ts';
import type { OperationContext } from '../context.ts';
import { type ReconstructionPlaces, assertReconstructionName, reconstructionPlaces } from './places.ts';
import { type ReconstructionRecord, getRecord, readDone, writeRecord } from './record.ts';
import { openScratch } from './scratch-home.ts';

export const RECONSTRUCTOR = 'system:reconstruct';
const FILES_PER_COMMIT = 50;

/** Takes out of the copy what is to be found again. A person's words, and what they asked to be kept, stay. */
export async function prepareScratch(
  context: OperationContext,
  scratch: OperationContext,
  places: ReconstructionPlaces,
  record: ReconstructionRecord,
): Promise<ReconstructionRecord> {
  if (record.state !== 'begun') return record;
  const rule = await derivedRule(context, record);
  const byFile = [...Map.groupBy(readDerived(scratch, rule), ({ path: file }) => file)];
  for (let start = 0; start < byFile.length; start += FILES_PER_COMMIT) {
    const files = byFile.slice(start, start + FILES_PER_COMMIT);
    await scratch.workspace.commit({
      actor: RECONSTRUCTOR,
      approval: 'auto',
      trigger: `reconstruct ${record.name}`,
      summary: `took out what ${record.versions.join(', ')} are to find again`,
      changes: files.map(([file, items]) => ({
        path: file,
        edit: (current) => {
          const ids = items.map(({ id }) => id);
          return current === undefined ? undefined : withoutItems(file, current, kindOfPath(file, scratch.layout), ids);
        },
      })),
    });
  }
  const prepared: ReconstructionRecord = { ...record, state: 'prepared' };
  writeRecord(places, prepared);
  return prepared;
}

export async function derivedRule(
  { workspace }: OperationContext,
  { extractors }: Pick<ReconstructionRecord, 'extractors'>,
): Promise<DerivedRule> {
  const touched = await touchedByPeople(workspace.git.workspace);
  return { isChosen: (extractor) => extractors.includes(extractor), touched };
}

/** All statements in a home that extractors found; archived ones are out of sight and stay as they are. */
export function readDerived({ workspace, layout }: OperationContext, rule: DerivedRule): DerivedItem[] {
  return nodeFileSystem
    .listFiles(path.join(workspace.root, 'memory'))
    .map((file) => `memory/${file.replaceAll(path.sep, '/')}`)
    .filter((file) => file.endsWith('.md') && !isArchivePath(file) && DERIVED_KINDS.has(kindOfPath(file, layout)))
    .toSorted()
    .flatMap((file) => {
      const text = nodeFileSystem.read(path.join(workspace.root, file))?.toString('utf8') ?? '';
      return derivedItems(file, text, kindOfPath(file, layout), rule);
    });
}

const ANCHOR = /^\+.*\^([0-9a-z]{4,40})[ \t]*$/gmu;
/** Everybody who is no person says so in a trailer. */
const MACHINES = '^Actor: (bot|system|reflection|skill|subagent|reader|main)';

/** Ids in lines that a person wrote or changed, ever. */
async function touchedByPeople(git: Git): Promise<Set<string>> {
  const log = ['log', '--no-color', '--unified=0', '--format=', '--patch', '--extended-regexp'];
  const diff = await git.bytes([...log, '--invert-grep', `--grep=${MACHINES}`, 'HEAD', '--', 'memory']);
  return new Set([...diff.toString('utf8').matchAll(ANCHOR)].flatMap(([, id]) => (id === undefined ? [] : [id])));
}

export interface BothSides {
  readonly record: ReconstructionRecord;
  readonly places: ReconstructionPlaces;
  readonly scratch: OperationContext;
  readonly before: readonly DerivedItem[];
  readonly after: readonly DerivedItem[];
  readonly comparison: ItemComparison;
  readonly done: number;
}

/** Opens the known facts and those a reconstruction found, while no other process works on it. */
export async function withBothSides<T>(
  context: OperationContext,
  name: string,
  body: (sides: BothSides) => Promise<T>,
): Promise<T> {
  assertReconstructionName(name);
  const record = getRecord(context.workspace.paths, name);
  const places = reconstructionPlaces(context.workspace.paths, name);
  const lock = ProcessLock.tryTake(places.lock);
  if (lock === undefined) {
    throw new MnemeError('locked', `${name} is being worked on by another process.`, { hint: 'Wait for it.' });
  }
  try {
    if (record.state === 'begun') throw unfinished(name, 'nothing of it was replayed yet');
    const scratch = await openScratch(context, places, record);
    try {
      await context.workspace.scan();
      const rule = await derivedRule(context, record);
      const within = await replayed(record, places);
      const before = readDerived(context, rule).filter((item) => within(item));
      const after = readDerived(scratch.context, rule);
      const comparison = compareItems(before, after);
      const done = readDone(places).size;
      return await body({ record, places, scratch: scratch.context, before, after, comparison, done });
    } finally {
      await scratch.close();
    }
  } finally {
    lock.release();
  }
}

/** Skips knowledge learned from conversations that a reconstruction did not cover. */
async function replayed(
  { sessions }: ReconstructionRecord,
  places: ReconstructionPlaces,
): Promise<(item: DerivedItem) => boolean> {
  const done = readDone(places);
  const known = new Set(sessions.filter((session) => done.has(session)));
  return ({ meta }) => meta.session === undefined || known.has(meta.session);
}

export function unfinished(name: string, why: string): MnemeError {
  return new MnemeError('conflict', `${name} is not complete: ${why}.`, {
    hint: `\`mneme learn reconstruct start ${name}\` goes on with it.`,
  });
}
