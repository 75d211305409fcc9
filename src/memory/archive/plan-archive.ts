import fs from 'node:fs';
import path from 'node:path';
import { hash } from 'node:crypto';
import { MnemeError } from '../../model/errors.ts';
import type { Change } from '../../workspace/door/request.ts';
import { placeOf, type Layout } from '../../workspace/formats/layout.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { isPackedName, pack, unpack } from '../../workspace/packed.ts';
import { type Plan, type StoreParts, Told, findDamage, refuseDamaged, timestamp, today } from '../stores/plan.ts';
import { cutBlocks } from './cut.ts';
import { renderItemFile } from './item-file.ts';
import { locateMemory, type LocatedMemory } from './locate.ts';
import { type ArchiveRecord, archivePathOf, freePath, readRecord, withRecord } from './record.ts';

export interface ArchiveParts extends Pick<StoreParts, 'root' | 'clock' | 'timeZone'> {
  readonly layout: Layout;
}

/** The item taken out: one item of a file, or the file itself. */
export interface TakenOut {
  readonly path: string;
  /** Absent for a whole file. */
  readonly item?: string | undefined;
  /** `memoryHash` of what was shown to whoever decided; anything else is left alone. Not compared when absent. */
  readonly hash?: string | undefined;
}

export interface Archived {
  /** Where it was. */
  readonly from: string;
  readonly item: string | undefined;
  /** Where it is now. */
  readonly path: string;
}

/** By which a plan knows that a memory is still what it was. */
export function memoryHash(raw: string): string {
  return hash('sha256', raw).slice(0, 32);
}

/** Moves items and files to the archive of the month. One group: all of it or nothing. */
export function planArchive(
  parts: ArchiveParts,
  given: readonly TakenOut[],
  reason: string,
): Plan<readonly Archived[]> {
  const told = new Told<readonly Archived[]>();
  const month = today(parts).slice(0, 7);
  const taken = new Set<string>();
  const isTaken = (target: string): boolean => taken.has(target) || fs.existsSync(path.join(parts.root, target));
  const done = given.map(({ path: from, item }): Archived => {
    const target = freePath(archivePathOf(from, month, item), isTaken);
    taken.add(target);
    return { from, item, path: target };
  });
  const record = { at: timestamp(parts), reason };
  const contents = new Map<string, string>();
  const targets = done.map(({ path: target }): Change => ({
    path: target,
    edit: (current) => {
      if (current !== undefined) throw overtaken(target, 'exists already');
      told.set(done);
      return contents.get(target);
    },
  }));
  const changes = groupByFile(given, done).map(([file, members]): Change => ({
    path: file,
    edit: (current) => {
      let rest = requireText(file, current);
      for (const { taking, target } of members) {
        const outcome = takeOut(parts, rest, taking, record);
        contents.set(target, outcome.archived);
        if (outcome.rest === undefined) return undefined;
        rest = outcome.rest;
      }
      return rest;
    },
  }));
  return { changes: [...changes, ...targets], notes: [], outcome: () => told.get() };
}

/** Whether all of it left its files for this month's archive: what a crash may have left untold. */
export function isArchived(parts: ArchiveParts, given: readonly TakenOut[]): boolean {
  const month = today(parts).slice(0, 7);
  return given.every(({ path: from, item }) => {
    const text = findText(parts, from);
    const isGone = text === undefined || (item !== undefined && findMemory(parts, text, from, item) === undefined);
    const kept = findText(parts, archivePathOf(from, month, item));
    const record = kept === undefined ? undefined : readRecord(parseDocument(kept));
    return isGone && record?.from === from && record.item === item;
  });
}

function findText({ root }: ArchiveParts, file: string): string | undefined {
  const full = path.join(root, file);
  return fs.existsSync(full) ? fs.readFileSync(full, 'utf8') : undefined;
}

/** Takes items and files out and keeps nothing: the part of an erasure that leaves no empty bullet behind. */
export function planRemoval(parts: ArchiveParts, given: readonly TakenOut[]): Plan {
  const changes = groupByFile(given, given).map(([file, members]): Change => {
    if (isPackedName(file)) return removeFromPacked(parts, file, members);
    return { path: file, edit: (current) => removeFrom(parts, file, current, members) };
  });
  return { changes, notes: [], outcome: () => undefined };
}

function removeFrom(
  parts: ArchiveParts,
  file: string,
  current: string | undefined,
  members: readonly Member[],
): string | undefined {
  let rest = requireText(file, current);
  for (const { taking } of members) {
    if (taking.item === undefined) return undefined;
    rest = cutBlocks(rest, getMemory(parts, rest, taking).range).rest;
  }
  return rest;
}

/** The write path edits texts only, and refuses when the packed file has changed meanwhile. */
function removeFromPacked(parts: ArchiveParts, file: string, members: readonly Member[]): Change {
  const full = path.join(parts.root, file);
  const bytes = fs.existsSync(full) ? fs.readFileSync(full) : undefined;
  if (bytes === undefined) throw overtaken(file, 'is not there any more');
  const rest = removeFrom(parts, file, unpack(bytes, file).toString('utf8'), members);
  return { path: file, content: rest === undefined ? undefined : pack(Buffer.from(rest, 'utf8')), base: bytes };
}

interface Member {
  readonly taking: TakenOut;
  readonly target: string;
}

/** One change for each file, in the order given: the write path takes each file once. */
function groupByFile(
  given: readonly TakenOut[],
  done: readonly { readonly path: string }[],
): readonly (readonly [string, readonly Member[]])[] {
  const members = given.map((taking, index) => ({ taking, target: done[index]?.path ?? '' }));
  return [...Map.groupBy(members, ({ taking }) => taking.path)];
}

function takeOut(
  parts: ArchiveParts,
  text: string,
  taking: TakenOut,
  given: Pick<ArchiveRecord, 'at' | 'reason'>,
): { readonly rest: string | undefined; readonly archived: string } {
  const document = parseDocument(text);
  const record = { at: given.at, from: taking.path, item: taking.item, reason: given.reason };
  if (taking.item === undefined) {
    assertSame(taking, text);
    refuseDamaged(taking.path, findDamage(text, document.frontmatter));
    return { rest: undefined, archived: withRecord(text, record) };
  }
  const cut = cutBlocks(text, getMemory(parts, text, taking).range);
  const { kind } = placeOf(taking.path, parts.layout);
  const archived = renderItemFile({ path: taking.path, kind, document }, cut.source, { ...record, ...cut.place });
  return { rest: cut.rest, archived };
}

function findMemory({ layout }: ArchiveParts, text: string, file: string, item: string): LocatedMemory | undefined {
  return locateMemory(file, text, item, placeOf(file, layout).kind);
}

function getMemory(parts: ArchiveParts, text: string, taking: TakenOut): LocatedMemory {
  const { path: file, item = '' } = taking;
  const memory = findMemory(parts, text, file, item);
  if (memory === undefined) throw overtaken(`^${item}`, `is not in ${file} any more`);
  assertSame(taking, memory.raw);
  return memory;
}

function assertSame({ path: file, item, hash: expected }: TakenOut, raw: string): void {
  if (expected === undefined || memoryHash(raw) === expected) return;
  throw overtaken(item === undefined ? file : `^${item} in ${file}`, 'was changed since it was shown');
}

function requireText(file: string, current: string | undefined): string {
  if (current === undefined) throw overtaken(file, 'is not there any more');
  return current;
}

function overtaken(what: string, how: string): MnemeError {
  return new MnemeError('conflict', `${what} ${how}.`, { hint: 'Look it up again and decide on what it says now.' });
}
