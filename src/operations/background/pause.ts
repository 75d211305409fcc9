import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { MnemeError, systemCode } from '../../model/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { replaceFile } from '../../platform/fs.ts';
import { type View, showTime } from '../command-line/style.ts';
import { defineVerb } from '../verb.ts';

const pauseFile = z.object({ since: z.iso.datetime(), until: z.iso.datetime().nullable() });

/** No background work on this machine. */
export interface Pause {
  readonly since: string;
  /** Null: until `mneme daemon resume`. */
  readonly until: string | null;
}

/** Not in state/, which can be deleted at any time: the user has decided this. */
function fileIn(journal: string): string {
  return path.join(journal, 'pause.json');
}

/** The pause that holds now; undefined when there is none, or it is over. */
export function findPause(journal: string, clock: Clock): Pause | undefined {
  try {
    const pause = pauseFile.safeParse(JSON.parse(fs.readFileSync(fileIn(journal), 'utf8'))).data;
    const isOver = pause !== undefined && pause.until !== null && Date.parse(pause.until) <= clock.now();
    return isOver ? undefined : pause;
  } catch (error) {
    // No file, or nothing that `pause` wrote.
    if (systemCode(error) === undefined && !(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 };
const LONGEST_MS = 365 * 86_400_000;

function parseLength(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(s|min|m|h|d)$/u.exec(text.trim());
  const milliseconds = Number(match?.[1]) * (UNITS_MS[match?.[2] ?? ''] ?? Number.NaN);
  if (milliseconds > 0 && milliseconds <= LONGEST_MS) return milliseconds;
  throw new MnemeError('usage', `"${text}" is not a length of time.`, {
    hint: 'Write 30m, 2h or 1d; leave it out to pause until `mneme daemon resume`.',
  });
}

const input = z.object({
  for: z
    .string()
    .min(1)
    .optional()
    .describe('How long, such as 30m, 2h or 1d; until `mneme daemon resume` when not given.'),
});

export type PauseInput = z.input<typeof input>;

export interface PauseState {
  /** Null: background work goes on. */
  readonly pause: Pause | null;
}

export const pause = defineVerb({
  name: 'pause',
  examples: ['mneme daemon pause --for 2h'],
  summary: 'Stop background work on this machine, for a time or until `mneme daemon resume`.',
  input,
  effect: 'write',
  withoutLease: 'own',
  async run({ workspace, clock }, { for: length }): Promise<PauseState> {
    const nowMs = clock.now();
    const until = length === undefined ? null : new Date(nowMs + parseLength(length)).toISOString();
    const made = { since: new Date(nowMs).toISOString(), until };
    replaceFile(fileIn(workspace.paths.journal), `${JSON.stringify(made)}\n`);
    return { pause: made };
  },
  cli: { path: 'daemon pause', formerly: ['pause'], options: { for: { value: 'time' } } },
  render,
});

export const resume = defineVerb({
  name: 'resume',
  summary: 'Let background work go on after `mneme daemon pause`.',
  input: z.object({}),
  effect: 'write',
  withoutLease: 'own',
  async run({ workspace, worker }): Promise<PauseState> {
    fs.rmSync(fileIn(workspace.paths.journal), { force: true });
    worker?.wake();
    return { pause: null };
  },
  cli: { path: 'daemon resume', formerly: ['resume'] },
  render,
});

function render({ style, timeZone }: View, { pause: made }: PauseState): string {
  if (made === null) return `${style.green('Background work goes on.')}\n`;
  const until =
    made.until === null ? 'until `mneme daemon resume`' : `until ${showTime(Date.parse(made.until), timeZone)}`;
  return `${style.yellow('Paused')} ${until}: nothing is learned or embedded in the background, no job runs.\n`;
}
