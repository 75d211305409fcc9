import fs from 'node:fs';
import path from 'node:path';
import type { CommitRequest } from '../../src/workspace/door/request.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { humanGit, makeHome, openWorkspace } from '../support/home.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { Expectation } from './expectation.ts';
import { blockLine } from './ledger.ts';
import { LossyFileSystem, type CutKind } from './lossy-fs.ts';
import { verifyHome } from './verify.ts';

/** So small that every few mutations start a segment and drop another. */
const PARTS = { segmentBytes: 2048, staleSaveWindowMs: 0 } as const;

/** Cuts in a row on one home, each time going on from what the last one left. */
const CUTS_PER_HOME = 5;

const FILES = ['a.md', 'deep/er/b.md', 'c.md'] as const;
const LOG = 'conversations/log.md';

export interface PowerSummary {
  cuts: number;
  acknowledged: number;
  lost: number;
  duplicated: number;
  recoveryMaxMs: number;
  readonly problems: string[];
}

/** Turns the power off at random instants and looks whether anything acknowledged is missing. */
export async function runPowerCuts(options: {
  seed: number;
  cuts: number;
  onProgress?: (line: string) => void;
}): Promise<PowerSummary> {
  const summary: PowerSummary = { cuts: 0, acknowledged: 0, lost: 0, duplicated: 0, recoveryMaxMs: 0, problems: [] };
  const random = new SeededRandom(options.seed);
  while (summary.cuts < options.cuts) {
    const run = new PoweredHome(random, await makeHome(), summary);
    await run.cutAgainAndAgain(Math.min(CUTS_PER_HOME, options.cuts - summary.cuts));
    options.onProgress?.(`power cut ${summary.cuts}: ${summary.problems.length} problems`);
  }
  return summary;
}

class PoweredHome {
  readonly #random: SeededRandom;
  readonly #summary: PowerSummary;
  readonly #expected = new Expectation();
  /** Lines of the append-only log, in order; the last ones may not be acknowledged. */
  readonly #logLines: { text: string; isAcknowledged: boolean }[] = [];
  #home: string;
  #count = 0;

  constructor(random: SeededRandom, home: string, summary: PowerSummary) {
    this.#random = random;
    this.#home = home;
    this.#summary = summary;
  }

  async cutAgainAndAgain(cuts: number): Promise<void> {
    for (let cut = 0; cut < cuts; cut += 1) {
      const kind: CutKind = this.#random.chance(0.5) ? 'strict' : 'partial';
      const lossy = new LossyFileSystem(this.#home, this.#random);
      await this.#workUntilCut(lossy, `boot-${this.#summary.cuts}`);
      const next = `${this.#home.replace(/-cut\d+$/, '')}-cut${cut + 1}`;
      lossy.crash(next, kind);
      for (const old of [this.#home, `${this.#home}-git`]) fs.rmSync(old, { recursive: true, force: true });
      this.#home = next;
      this.#summary.cuts += 1;
      if (!(await this.#recoverAndVerify(kind))) return;
    }
    this.#summary.acknowledged += this.#expected.acknowledged.size;
    fs.rmSync(this.#home, { recursive: true, force: true });
  }

  async #workUntilCut(lossy: LossyFileSystem, bootId: string): Promise<void> {
    const quiet = this.#random.chance(0.1);
    if (!quiet) lossy.cutAfter(this.#random.between(5, 400));
    try {
      const workspace = await openWorkspace(this.#home, { ...PARTS, fs: lossy, bootId });
      const background = this.#drainUntilCut(workspace, lossy);
      // The quiet ones end without an operation under way.
      for (let step = 0; step < (quiet ? 12 : 1000) && !lossy.isOff; step += 1) await this.#mutate(workspace);
      await background;
    } catch (error) {
      if (!lossy.isOff) throw error;
    }
  }

  async #drainUntilCut(workspace: Workspace, lossy: LossyFileSystem): Promise<void> {
    const rounds = this.#random.integer(6);
    for (let round = 0; round < rounds && !lossy.isOff; round += 1) {
      try {
        await workspace.drain();
      } catch (error) {
        if (!lossy.isOff) throw error;
      }
    }
  }

  /** A few callers at once, so that they share a sync. */
  async #mutate(workspace: Workspace): Promise<void> {
    const callers = this.#random.between(1, 4);
    const done = await Promise.allSettled(Array.from({ length: callers }, () => this.#commitOne(workspace)));
    const failed = done.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async #commitOne(workspace: Workspace): Promise<void> {
    this.#count += 1;
    const token = `w-${this.#count}`;
    if (this.#random.chance(0.15)) return this.#appendToLog(workspace, token);
    const first = this.#random.pick(FILES);
    const second = this.#random.pick(FILES.filter((file) => file !== first));
    const files = this.#random.chance(0.25) ? [first, second] : [first];
    const kind = files.length === 2 ? 'group' : 'append';
    this.#expected.add([{ type: 'attempt', token, kind, files }]);
    const changes = files.map((file) => ({ path: file, edit: (text = '') => `${text}${blockLine(token)}\n` }));
    const { mutation } = await workspace.commit({ actor: 'bot:test', summary: token, changes });
    if (mutation !== undefined) this.#expected.add([{ type: 'acknowledged', token, mutation }]);
  }

  async #appendToLog(workspace: Workspace, token: string): Promise<void> {
    const line = { text: `${blockLine(token)}\n`, isAcknowledged: false };
    this.#logLines.push(line);
    const request: CommitRequest = {
      repository: 'raw',
      actor: 'bot:test',
      summary: token,
      changes: [{ path: LOG, append: Buffer.from(line.text) }],
    };
    await workspace.commit(request);
    line.isAcknowledged = true;
  }

  async #recoverAndVerify(kind: CutKind): Promise<boolean> {
    const startedAt = performance.now();
    const workspace = await openWorkspace(this.#home, { ...PARTS, bootId: `after-${this.#summary.cuts}` });
    this.#summary.recoveryMaxMs = Math.max(this.#summary.recoveryMaxMs, performance.now() - startedAt);
    const problems = [...(await workspace.scan())];
    problems.push(...(await workspace.close()).postponed);
    const findings = verifyHome(this.#home, this.#expected);
    problems.push(...findings.problems, ...this.#verifyLog(), ...findBogusEdits(this.#home));
    if (problems.length === 0) return true;
    this.#summary.lost += findings.lost;
    this.#summary.duplicated += findings.duplicated;
    this.#summary.problems.push(`${kind} power cut ${this.#summary.cuts} in ${this.#home}`, ...problems);
    return false;
  }

  /** What was acknowledged, in order; what was not may be missing. Afterwards the log is what the file says. */
  #verifyLog(): string[] {
    const file = path.join(this.#home, 'raw', LOG);
    const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    const present = new Set(text.split(/(?<=\n)/u));
    const kept = this.#logLines.filter((line) => line.isAcknowledged || present.has(line.text));
    this.#logLines.splice(0, this.#logLines.length, ...kept.map((line) => ({ ...line, isAcknowledged: true })));
    const wanted = kept.map((line) => line.text).join('');
    if (text !== wanted) return [`the log is ${JSON.stringify(text)} instead of ${JSON.stringify(wanted)}`];
    if (text === '') return [];
    if (!fs.existsSync(path.join(this.#home, 'raw', '.git'))) return ['git has no repository for the log'];
    const committed = humanGit(this.#home, '-C', '../raw', 'show', `HEAD:${LOG}`);
    return committed === text ? [] : [`git has ${JSON.stringify(committed)} for the log ${JSON.stringify(text)}`];
  }
}

/** Nobody edited anything by hand: a commit that says so blames a person for the power cut. */
function findBogusEdits(home: string): string[] {
  return humanGit(home, 'log', '--format=%h %s', '--author=external')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `nobody did this: ${line}`);
}
