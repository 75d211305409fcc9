import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { openMneme } from '../../src/mneme.ts';
import { initHome } from '../../src/operations/home/init.ts';
import { syncIndex } from '../../src/operations/search/index-operations.ts';
import { SeededRandom } from '../../test/support/seeded-random.ts';
import { fillGraph, type MadeEntity } from '../graph/home.ts';
import { SyntheticCorpus, TURNS_PER_SESSION, writeTranscripts } from '../search/corpus.ts';

export interface LargeHome {
  /** Facts and entries of the journal together. */
  readonly memories: number;
  readonly entities: number;
  readonly outsideEdits: number;
  readonly proposals: number;
  readonly turns: number;
}

const ENTRIES_PER_DAY = 10;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2025, 0, 1);

/** A home as large as years of use make it, the same for the same sizes. */
export async function makeLargeHome(home: string, sizes: LargeHome): Promise<void> {
  await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
  const workspace = path.join(home, 'workspace');
  const corpus = new SyntheticCorpus(1);
  writeTranscripts(path.join(home, 'raw'), corpus, Math.ceil(sizes.turns / TURNS_PER_SESSION));
  const made = fillGraph(workspace, {
    entities: sizes.entities,
    relations: sizes.entities * 2,
    facts: sizes.memories / 2,
  });
  writeEpisodes(workspace, corpus, sizes.memories / 2);
  writeProposals(workspace, made, sizes.proposals);
  execFileSync('git', ['add', '-A'], { cwd: workspace });
  execFileSync('git', ['commit', '-q', '-m', 'a large home'], { cwd: workspace });
  await open(home, async (mneme) => {
    await syncIndex(mneme.internals);
    // What has just been written by git is the person's own.
    await mneme.audit.ack({ isMine: true });
  });
  const folder = path.join(workspace, 'memory/reference/outside');
  fs.mkdirSync(folder, { recursive: true });
  for (let number = 0; number < sizes.outsideEdits; number += 1)
    fs.writeFileSync(path.join(folder, `note-${number}.md`), `# Note ${number}\n\n${corpus.sentence(12)}\n`);
  // What was written outside is looked for when a home is opened.
  await open(home, (mneme) => syncIndex(mneme.internals));
}

async function open(
  home: string,
  use: (mneme: Awaited<ReturnType<typeof openMneme>>) => Promise<unknown>,
): Promise<void> {
  const mneme = await openMneme({ home, actor: 'human:mira' });
  await use(mneme);
  await mneme.close();
}

function writeEpisodes(workspace: string, corpus: SyntheticCorpus, count: number): void {
  const folder = path.join(workspace, 'memory/episodes');
  fs.mkdirSync(folder, { recursive: true });
  for (let day = 0; day * ENTRIES_PER_DAY < count; day += 1) {
    const date = new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10);
    const entries = Array.from(
      { length: ENTRIES_PER_DAY },
      (_, at) =>
        `## ${String(8 + at).padStart(2, '0')}:00 | fact | confidence:high\n<!-- source:user-explicit -->\n${corpus.sentence(14)} ^e${String(day * ENTRIES_PER_DAY + at).padStart(12, '0')}\n`,
    );
    fs.writeFileSync(
      path.join(folder, `${date}.md`),
      `---\ntype: episodes\ndate: ${date}\n---\n\n# ${date} — what happened\n\n${entries.join('\n')}`,
    );
  }
}

const ULID_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function writeProposals(workspace: string, made: readonly MadeEntity[], count: number): void {
  const folder = path.join(workspace, 'memory/meta/proposals');
  fs.mkdirSync(folder, { recursive: true });
  const random = new SeededRandom(11);
  const start = Date.UTC(2026, 0, 1);
  for (let number = 0; number < count; number += 1) {
    const created = start + number * 60_000;
    const id = ulidAt(created, random);
    const words = `${made[number % made.length]?.name ?? 'Ada'} keeps the spare key number ${number}`;
    fs.writeFileSync(
      path.join(folder, `${id}.md`),
      `---\ntype: proposal\nid: ${id}\nstate: pending\nkind: memory\ntitle: ${words}\nactor: subagent:researcher\ntrust: agent\ncreated: ${new Date(created).toISOString()}\nbase: ${id}\nconfidence: medium\nstore: episodic\nentities: []\ncore_worthy: false\n---\n\n# ${words}\n\n## Memory\n\n${words}\n`,
    );
  }
}

function ulidAt(time: number, random: SeededRandom): string {
  let rest = time;
  let id = '';
  for (let at = 0; at < 10; at += 1) {
    id = (ULID_DIGITS[rest % 32] ?? '0') + id;
    rest = Math.floor(rest / 32);
  }
  return id + Array.from({ length: 16 }, () => ULID_DIGITS[Math.floor(random.number() * 32)] ?? '0').join('');
}
