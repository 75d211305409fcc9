import fs from 'node:fs';
import path from 'node:path';
import { periodOf } from '../../maintain/consolidate/periods.ts';
import { daysToCondense, planDay } from '../../maintain/consolidate/day-journal.ts';
import { planRollUp } from '../../maintain/consolidate/roll-up.ts';
import { readEpisodes } from '../../memory/episodes/read-episodes.ts';
import { errorMessage, isMnemeError, systemCode } from '../../model/errors.ts';
import { addDays } from '../../model/time.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { Change, CommitResult } from '../../workspace/door/request.ts';
import { journalPath, parseJournal, type Journal } from '../../workspace/formats/journal.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { type OperationContext, storePartsOf } from '../context.ts';
import { counted } from '../../model/text.ts';
import { CONSOLIDATOR, report, type Step, type StepReport, type Target } from './step.ts';

/** Number of files in one mutation: an imported home has years of days. */
const FILES_PER_COMMIT = 50;

export const dayJournals: Step = {
  name: 'journal',
  async run(context, target, { signal }): Promise<StepReport> {
    const { root } = context.workspace;
    const { last, doneUpTo, only } = target;
    const since = only ?? (doneUpTo === undefined ? undefined : addDays(doneUpTo, -1));
    const episodes = readEpisodes(root, { since, until: last });
    const found = { episodes: episodes.map(({ date }) => date), journals: listDays(root) };
    const days = daysToCondense(found, doneUpTo, last).filter((day) => only === undefined || day === only);
    const changes = days.map((day) =>
      planDay(
        storePartsOf(context),
        day,
        episodes.filter(({ date }) => date === day),
      ),
    );
    return write(context, target, changes, { what: 'day', signal });
  },
};

export const rollUp: Step = {
  name: 'roll-up',
  async run(context, target, { signal }): Promise<StepReport> {
    const { period, last, doneUpTo, only } = target;
    if (period === 'day') return report('');
    const { root } = context.workspace;
    const since = doneUpTo === undefined ? '' : periodOf(period, addDays(doneUpTo, -1));
    const wanted = only === undefined ? undefined : periodOf(period, only);
    const groups = new Map<string, Journal[]>();
    for (const day of listDays(root)) {
      const name = periodOf(period, day);
      if (day > last || name < since || (wanted !== undefined && name !== wanted)) continue;
      const journal = readDay(root, day);
      if (journal !== undefined) groups.set(name, [...(groups.get(name) ?? []), journal]);
    }
    const changes = Array.from(groups, ([name, days]) => planRollUp(storePartsOf(context), period, name, days));
    return write(context, target, changes, { what: period, signal });
  },
};

/** The days that have a journal, in order. */
function listDays(root: string): string[] {
  try {
    return fs
      .readdirSync(path.join(root, 'memory/journal'))
      .filter((name) => /^\d{4}-\d{2}-\d{2}\.md$/u.test(name))
      .map((name) => name.slice(0, 10))
      .sort();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Undefined for a day without a journal. */
export function readDay(root: string, day: string): Journal | undefined {
  const file = journalPath('day', day);
  const text = nodeFileSystem.read(path.join(root, file))?.toString('utf8');
  return text === undefined ? undefined : parseJournal(parseDocument(text), file);
}

async function write(
  context: OperationContext,
  { period, isDryRun }: Target,
  changes: readonly Change[],
  { what, signal }: { readonly what: string; readonly signal: AbortSignal | undefined },
): Promise<StepReport> {
  const planned = changes.map(({ path: file }) => file);
  if (isDryRun) return report(`${counted(changes.length, what)} would be looked at`, { files: planned });
  const mutations: string[] = [];
  const files: string[] = [];
  const notes: string[] = [];
  for (let at = 0; at < changes.length; at += FILES_PER_COMMIT) {
    signal?.throwIfAborted();
    const batch = changes.slice(at, at + FILES_PER_COMMIT);
    for (const result of await commitWhatFits(context, batch, { period, what, notes })) {
      if (result.mutation !== undefined) mutations.push(result.mutation);
      files.push(...result.files.map(({ path: file }) => file));
      notes.push(...result.warnings);
    }
  }
  return report(`${counted(files.length, `${what} told`, `${what}s told`)}`, { mutations, files, notes });
}

/** All at once; where a file must be mended by a person first, the others one by one. */
async function commitWhatFits(
  { workspace }: Pick<OperationContext, 'workspace'>,
  changes: readonly Change[],
  { period, what, notes }: { readonly period: string; readonly what: string; readonly notes: string[] },
): Promise<CommitResult[]> {
  try {
    const result = await workspace.commit({
      actor: CONSOLIDATOR,
      approval: 'auto',
      trigger: `consolidate ${period}`,
      summary: `journal of ${counted(changes.length, what)}`,
      changes,
    });
    return [result];
  } catch (error) {
    if (!isMnemeError(error, 'conflict')) throw error;
    if (changes.length <= 1) {
      notes.push(errorMessage(error));
      return [];
    }
  }
  const results: CommitResult[] = [];
  for (const change of changes)
    results.push(...(await commitWhatFits({ workspace }, [change], { period, what, notes })));
  return results;
}
