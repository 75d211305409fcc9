import { MnemeError } from '../../model/errors.ts';
import { isMutationId, ulidTimeMs } from '../../model/ids.ts';
import type { Git } from './git.ts';
import { TAG_ROOT } from './tags.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../model/time.ts';

/** By which reading the text named a commit. */
export type RevisionKind = 'mutation' | 'tag' | 'time' | 'branch' | 'commit';

export interface Revision {
  readonly commit: string;
  readonly how: RevisionKind;
}

/** Turns what a person types (a mutation, tag, date, time, branch or commit) into a commit. */
export async function resolveRevision(
  git: Git,
  text: string,
  nowMs: number,
  timeZone: string,
  edge: DayEdge = 'end',
): Promise<Revision> {
  const wanted = text.trim();
  if (isMutationId(wanted.toUpperCase())) return { commit: await getMutationCommit(git, wanted), how: 'mutation' };
  const tagged =
    (await findCommit(git, `refs/tags/${wanted}`)) ?? (await findCommit(git, `refs/tags/${TAG_ROOT}${wanted}`));
  if (tagged !== undefined) return { commit: tagged, how: 'tag' };
  const momentMs = parseMoment(wanted, nowMs, timeZone, edge);
  if (momentMs !== undefined) return { commit: await getCommitAt(git, momentMs, wanted), how: 'time' };
  const branch = await findCommit(git, `refs/heads/${wanted}`);
  if (branch !== undefined) return { commit: branch, how: 'branch' };
  const commit = await findCommit(git, wanted);
  if (commit !== undefined) return { commit, how: 'commit' };
  const mutation = await findMutationId(git, wanted);
  if (mutation !== undefined) return { commit: await getMutationCommit(git, mutation), how: 'mutation' };
  throw new MnemeError('not-found', `"${wanted}" names no point in the history.`, {
    hint:
      'Use a mutation id, a tag such as daily/2026-02-01, a date or time (2026-02-01, 2026-02-01T18:30, yesterday, ' +
      '3 days ago), a branch or a commit.',
  });
}

async function findCommit(git: Git, revision: string): Promise<string | undefined> {
  const result = await git.attempt(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
  // Before 2.43 git echoes the separator itself; the commit is always the last line.
  return result.code === 0 ? result.stdout.toString('utf8').trim().split('\n').at(-1) : undefined;
}

/**
 * The state this workspace was in at a moment; undefined before its first commit. First parents only: what another
 * machine did counts from the time it was merged here.
 */
export async function findCommitAt(git: Git, timeMs: number): Promise<string | undefined> {
  const until = new Date(timeMs).toISOString();
  const commit = await git.text(['rev-list', '--max-count=1', '--first-parent', `--until=${until}`, 'HEAD', '--']);
  return commit === '' ? undefined : commit;
}

async function getCommitAt(git: Git, timeMs: number, asked: string): Promise<string> {
  const commit = await findCommitAt(git, timeMs);
  if (commit !== undefined) return commit;
  const first = await git.text(['log', '--reverse', '--first-parent', '--format=%cI', 'HEAD', '--']);
  throw new MnemeError('not-found', `Nothing had been recorded at ${asked} (${new Date(timeMs).toISOString()}).`, {
    hint: `The history begins at ${first.split('\n')[0] ?? 'an unknown time'}.`,
  });
}

/**
 * Around a ULID's own time: first tightly, for a clock that ran true and a drain that came within the hour; then for
 * clocks that were off and journals that waited; last everything. At 100 K commits only the last one is slow (1 s).
 */
const SEARCH_WINDOWS_MS = [
  { before: HOUR_MS / 60, after: HOUR_MS },
  { before: 48 * HOUR_MS, after: 30 * 24 * HOUR_MS },
  undefined,
];

/** Dropped and merged explorations stay findable; the drain's private refs hold commits that may be made anew. */
const ALL_HISTORIES = ['--branches', '--tags', '--remotes', '--glob=refs/mneme/dropped', '--glob=refs/mneme/merged'];

/** The commit that holds a mutation: the current branch first, then whatever else is kept. */
export async function findMutationCommit(git: Git, mutation: string): Promise<string | undefined> {
  const id = mutation.toUpperCase();
  if (!isMutationId(id)) return undefined;
  for (const window of SEARCH_WINDOWS_MS) {
    for (const where of [['HEAD'], ALL_HISTORIES]) {
      const found = await git.text([
        'log',
        '--fixed-strings',
        `--grep=Mutation: ${id}`,
        '--max-count=1',

        '--format=%H',
        ...(window === undefined ? [] : windowArguments(ulidTimeMs(id), window)),
        ...where,
        '--',
      ]);
      if (found !== '') return found;
    }
  }
  return undefined;
}

function windowArguments(timeMs: number, window: { readonly before: number; readonly after: number }): string[] {
  return [
    `--since=${new Date(timeMs - window.before).toISOString()}`,
    `--until=${new Date(timeMs + window.after).toISOString()}`,
  ];
}

/** Fewer characters name too many mutations to be meant as one. */
const MIN_PART_LENGTH = 6;

/** From here on a second mutation with the same characters is as good as impossible: the first one found is it. */
const SURE_PART_LENGTH = 8;

/** A mutation as people are shown it: its end, which differs even between mutations of one millisecond. */
export function shortMutationId(mutation: string): string {
  return mutation.slice(-SURE_PART_LENGTH);
}

/** The mutation that a person means by its id, or by the beginning or end of it. */
export async function findMutationId(git: Git, text: string): Promise<string | undefined> {
  const part = text.trim().toUpperCase();
  if (isMutationId(part)) return (await findMutationCommit(git, part)) === undefined ? undefined : part;
  if (part.length < MIN_PART_LENGTH || !/^[0-9A-HJKMNP-TV-Z]{1,25}$/.test(part)) return undefined;
  const limit = part.length >= SURE_PART_LENGTH ? ['--max-count=1'] : [];
  const found = await git.text([
    'log',
    '--extended-regexp',
    `--grep=^Mutation: (${part}.*|.*${part})$`,
    ...limit,

    '--format=%(trailers:key=Mutation,valueonly)',
    'HEAD',
    ...ALL_HISTORIES,
    '--',
  ]);
  const isMeant = (mutation: string): boolean => mutation.startsWith(part) || mutation.endsWith(part);
  const mutations = [...new Set(found.split('\n').filter(isMeant))];
  if (mutations.length < 2) return mutations[0];
  throw new MnemeError('usage', `"${text}" is part of ${mutations.length} mutation ids.`, {
    hint: `Write more of it: ${mutations.slice(0, 3).join(', ')}.`,
  });
}

export async function getMutationCommit(git: Git, mutation: string): Promise<string> {
  const commit = await findMutationCommit(git, mutation);
  if (commit !== undefined) return commit;
  throw new MnemeError('not-found', `No commit holds the mutation ${mutation}.`, {
    hint: 'It may not have reached git yet (`mneme drain`), or belong to another repository of the home.',
  });
}

const UNIT_MS: Readonly<Record<string, number>> = {
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
};

const AGO_PATTERN = /^(\d{1,6}) (minute|hour|day|week)s? ago$/;
const DATE_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME_PATTERN = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:?\d{2})?$/i;

/** The end of a day that a date without a time means. */
export type DayEdge = 'start' | 'end';

/**
 * The instant a person means, in UTC milliseconds; undefined when the text is no time at all. A day stands for its
 * end unless said otherwise, because what one knew "on Monday" includes what one learnt on Monday. Its start is the
 * last millisecond before it: the state in which the day began.
 */
export function parseMoment(text: string, nowMs: number, timeZone: string, edge: DayEdge = 'end'): number | undefined {
  const words = text.trim().toLowerCase();
  if (words === 'now') return nowMs;
  const today = localDate(nowMs, timeZone);
  if (words === 'today') return edge === 'start' ? startOfDay(today, timeZone) - 1 : nowMs;
  if (words === 'yesterday') return edgeOfDay(dayBefore(today), timeZone, edge);
  const ago = AGO_PATTERN.exec(words);
  if (ago !== null) return nowMs - Number(ago[1]) * (UNIT_MS[ago[2] ?? ''] ?? 0);
  if (DATE_PATTERN.test(words)) return isDate(words) ? edgeOfDay(words, timeZone, edge) : undefined;
  const time = TIME_PATTERN.exec(words);
  if (time === null || !isDate(time[1] ?? '')) return undefined;
  return parseTime(time[1] ?? '', time[2] ?? '', time[3]?.toUpperCase(), timeZone);
}

function parseTime(date: string, clock: string, offset: string | undefined, timeZone: string): number | undefined {
  if (offset === undefined) {
    const wallMs = Date.parse(`${date}T${clock}Z`);
    return Number.isNaN(wallMs) ? undefined : instantOf(wallMs, timeZone);
  }
  const timeMs = Date.parse(`${date}T${clock}${offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`);
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

/** Refuses 2026-02-30, which Date would turn into March. */
function isDate(text: string): boolean {
  const timeMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(text);
}

function startOfDay(date: string, timeZone: string): number {
  return instantOf(Date.parse(`${date}T00:00:00Z`), timeZone);
}

function edgeOfDay(date: string, timeZone: string, edge: DayEdge): number {
  if (edge === 'start') return startOfDay(date, timeZone) - 1;
  return instantOf(Date.parse(`${date}T00:00:00Z`) + DAY_MS, timeZone) - 1;
}

function dayBefore(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);
}

/** The date a wall calendar in the zone shows. */
function localDate(timeMs: number, timeZone: string): string {
  return new Date(timeMs + zoneOffsetMs(timeMs, timeZone)).toISOString().slice(0, 10);
}

/** The instant at which clocks in the zone show `wallMs` (a time written as if it were UTC). */
function instantOf(wallMs: number, timeZone: string): number {
  const guessMs = wallMs - zoneOffsetMs(wallMs, timeZone);
  // The offset holds at the guess, not at the wall time itself: they differ within hours of a clock change.
  return wallMs - zoneOffsetMs(guessMs, timeZone);
}

function zoneOffsetMs(timeMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(timeMs).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = /([+-])(\d{2}):(\d{2})(?::(\d{2}))?/.exec(name) ?? [];
  const offset = Number(hours) * 60 * MINUTE_MS + Number(minutes) * MINUTE_MS + Number(seconds) * 1000;
  return sign === '-' ? -offset : offset;
}
