import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { humanGit, initTestHome, makeTemporaryFolder, writeWorkspaceFile } from '../support/home.ts';

/** What a job needs before it has something to do again, and how many days lie between its runs. */
export interface JobWork {
  readonly stepDays: number;
  readonly add?: ((mneme: Mneme, home: string, round: number) => Promise<void> | void) | undefined;
}

/** By job; every other one gets the conversation alone, a day later. */
export const JOB_WORK: Readonly<Record<string, JobWork>> = {
  index: { stepDays: 1, add: (_, home, round) => writeNotes(home, round) },
  checkpoint: { stepDays: 1, add: (mneme, _, round) => leaveOpen(mneme, round) },
  weekly: { stepDays: 7 },
  monthly: { stepDays: 31 },
  reflect: { stepDays: 8 },
  // What was painted fades far enough to be put away.
  decay: { stepDays: 30 },
  archive: { stepDays: 5 },
  'explore-prune': { stepDays: 9, add: (_, home, round) => void humanGit(home, 'branch', `explore/idea-${round}`) },
};

export interface JobHome {
  readonly home: string;
  readonly remote: string;
  readonly clock: { time: number; readonly now: () => number };
  /** A process that stays, and writes. */
  readonly writer: Mneme;
}

/** A home with a remote, in which a day makes old and nobody learns but the jobs. */
export async function makeJobHome(): Promise<JobHome> {
  const folder = makeTemporaryFolder();
  const home = path.join(folder, 'home');
  const remote = path.join(folder, 'remote.git');
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
  await initTestHome(home);
  const settings = [
    `git:\n  remote: ${JSON.stringify(remote)}`,
    'extract:\n  trigger: hourly',
    'retention:\n  sessions:\n    compress_after_days: 3',
    'proposals:\n  auto_archive: true',
  ];
  fs.appendFileSync(path.join(home, 'mneme.yaml'), `\n${settings.join('\n')}\n`);
  const clock = { time: Date.UTC(2031, 0, 6, 9), now: (): number => clock.time };
  const writer = await openMneme({ home, parts: { clock } });
  await writer.remember('The lighthouse keeper is called Ruth.');
  return { home, remote, clock, writer };
}

/** Something of everything: a conversation nobody has learned from, a decision, and what was remembered at once. */
export async function addTalk(mneme: Mneme, round: number): Promise<void> {
  const session = await mneme.session.start({ id: `ses_crash${String(round).padStart(4, '0')}` });
  await session.message('user', `I decided to rent boat number ${round} from Morag in Ullapool.`);
  await session.message('user', `My sister Fiona lives in harbour street ${round}.`);
  await session.end();
  await mneme.remember(`Buoy ${round} was painted.`);
}

/** Somebody's own editor writes beside Mneme. */
function writeNotes(home: string, round: number): void {
  for (const part of ['a', 'b', 'c']) {
    writeWorkspaceFile(
      home,
      `memory/notes/note-${round}${part}.md`,
      `# Note ${round}\n\nThe ${part} crane stands still.\n`,
    );
  }
}

async function leaveOpen(mneme: Mneme, round: number): Promise<void> {
  const session = await mneme.session.start({ id: `ses_open${String(round).padStart(4, '0')}` });
  for (let turn = 0; turn < 10; turn += 1) {
    await session.message('user', turn === 4 ? `We agreed that crane ${round} is repaired by Tom.` : 'Go on, please.');
  }
}
