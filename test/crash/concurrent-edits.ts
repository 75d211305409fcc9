import fs from 'node:fs';
import type { Step } from '../../src/workspace/door/context.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { humanGit, makeHome, openWorkspace, readWorkspaceFile, workspaceFile } from '../support/home.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { blockLine, countTokens } from './ledger.ts';
import { findRepositoryProblems } from './verify.ts';

const FILE = 'notes.md';
const STEPS_PER_RUN = 25;

/** Longer than a save counts as made from a stale buffer. */
const LATER_MS = 60_000;

/** Instants at which the person may come in between. None is between the last look at a file and its renaming. */
const INTERRUPTIBLE: ReadonlySet<Step> = new Set<Step>([
  'lock-taken',
  'temporary-written',
  'journaled',
  'old-file-linked',
  'file-renamed',
  'files-applied',
  'indexed',
]);

export interface EditSummary {
  runs: number;
  agentBlocks: number;
  personBlocks: number;
  deletions: number;
  lost: number;
  duplicated: number;
  readonly problems: string[];
}

/** An agent and a person at the same file, in every order chance can think of, against a model of what must remain. */
export async function runConcurrentEdits(options: {
  seed: number;
  runs: number;
  onProgress?: (line: string) => void;
}): Promise<EditSummary> {
  const summary: EditSummary = {
    runs: 0,
    agentBlocks: 0,
    personBlocks: 0,
    deletions: 0,
    lost: 0,
    duplicated: 0,
    problems: [],
  };
  for (let run = 0; run < options.runs; run += 1) {
    const seed = options.seed * 10_000 + run;
    await new EditRun(seed, await makeHome(), summary).play();
    summary.runs += 1;
    if (run % 20 === 19) options.onProgress?.(`${run + 1} runs: ${summary.problems.length} problems`);
  }
  return summary;
}

class EditRun {
  readonly #seed: number;
  readonly #home: string;
  readonly #full: string;
  readonly #random: SeededRandom;
  readonly #summary: EditSummary;
  readonly #log: string[] = [];
  /** Blocks that must be in the file. */
  readonly #agent = new Set<string>();
  readonly #person = new Set<string>();
  readonly #deleted = new Set<string>();
  #offsetMs = 0;
  /** Set while the person does nothing, so that the model knows what the file is. */
  #isQuiet = false;
  #count = 0;
  /** What the person's editor shows; edits elsewhere wait until it is saved or closed. */
  #buffer: string | undefined;
  #openFile: number | undefined;
  /** What the agent read a while ago. */
  #base: string | undefined;

  constructor(seed: number, home: string, summary: EditSummary) {
    this.#seed = seed;
    this.#home = home;
    this.#full = workspaceFile(home, FILE);
    this.#random = new SeededRandom(seed);
    this.#summary = summary;
  }

  async play(): Promise<void> {
    const clock = { now: () => Date.now() + this.#offsetMs };
    const onStep = (step: Step): void => {
      if (!this.#isQuiet && INTERRUPTIBLE.has(step) && this.#random.chance(0.08)) this.#act(step);
    };
    const workspace = await openWorkspace(this.#home, { clock, onStep });
    await this.#append(workspace);
    for (let step = 0; step < STEPS_PER_RUN; step += 1) await this.#step(workspace);
    await this.#settle(workspace);
    await workspace.close();
    this.#verify();
  }

  /** Everything the person did is recorded, and long ago. */
  async #settle(workspace: Workspace): Promise<void> {
    this.#isQuiet = true;
    this.#buffer = undefined;
    this.#base = undefined;
    this.#closeLateFile();
    this.#offsetMs += LATER_MS;
    await workspace.drain();
    await workspace.scan();
    this.#offsetMs += LATER_MS;
    this.#isQuiet = false;
  }

  async #step(workspace: Workspace): Promise<void> {
    const what = this.#random.pickWeighted({
      append: 6,
      put: 4,
      read: 3,
      person: 6,
      scan: 2,
      drain: 1,
      wait: 1,
      delete: 1,
    });
    if (what === 'append') await this.#append(workspace);
    else if (what === 'put') await this.#put(workspace);
    else if (what === 'read') this.#base = readWorkspaceFile(this.#home, FILE);
    else if (what === 'person') this.#act('between');
    else if (what === 'scan') await workspace.scan();
    else if (what === 'drain') await workspace.drain();
    else if (what === 'wait') this.#offsetMs += this.#random.between(100, 3000);
    else await this.#deleteDeliberately(workspace);
  }

  async #append(workspace: Workspace): Promise<void> {
    const token = this.#next('w');
    this.#note(`agent appends ${token}`);
    const changes = [{ path: FILE, edit: (text = '') => `${text}${blockLine(token)}\n` }];
    await workspace.commit({ actor: 'bot:test', summary: token, changes });
    this.#acknowledge(token);
  }

  /** What the agent read a while ago, with a block more somewhere. */
  async #put(workspace: Workspace): Promise<void> {
    const base = this.#base ?? readWorkspaceFile(this.#home, FILE);
    this.#base = undefined;
    const token = this.#next('w');
    const changes = [{ path: FILE, content: this.#insert(base, token), base }];
    this.#note(`agent puts ${token}`);
    await workspace.commit({ actor: 'bot:test', summary: token, changes });
    this.#acknowledge(token);
  }

  /** The person does one thing, at once, whatever the write path is doing. */
  #act(when: string): void {
    if (!fs.existsSync(this.#full)) return;
    const choices =
      this.#buffer === undefined
        ? { echo: 3, quick: 2, load: 4, late: 2 }
        : { save: 5, quit: 1, echo: 0, quick: 0, load: 0, late: 0 };
    const what = this.#random.pickWeighted<'echo' | 'quick' | 'load' | 'late' | 'save' | 'quit'>({
      save: 0,
      quit: 0,
      ...choices,
    });
    if (what === 'load') this.#buffer = fs.readFileSync(this.#full, 'utf8');
    else if (what === 'quit') this.#buffer = undefined;
    else if (what === 'late') this.#useLateFile();
    else if (what === 'echo') this.#write('echo', (token) => fs.appendFileSync(this.#full, `${blockLine(token)}\n`));
    else {
      const text = this.#buffer ?? fs.readFileSync(this.#full, 'utf8');
      this.#buffer = undefined;
      const how = this.#random.chance(0.5) ? 'in place' : 'by renaming';
      this.#write(`${what} ${how}`, (token) => this.#save(this.#insert(text, token), how));
    }
    this.#note(`person: ${what} (${when})`);
  }

  #write(what: string, body: (token: string) => void): void {
    const token = this.#next('p');
    body(token);
    this.#touch();
    this.#note(`person ${what} ${token}`);
    this.#person.add(token);
  }

  /** Opens the file, and some time later writes through what was opened. */
  #useLateFile(): void {
    if (this.#openFile === undefined) this.#openFile = fs.openSync(this.#full, 'a');
    else this.#closeLateFile();
  }

  #closeLateFile(): void {
    const descriptor = this.#openFile;
    this.#openFile = undefined;
    if (descriptor === undefined) return;
    // Beyond a second nobody waits for a late writer any more; then it only closes the file.
    const isLinked = fs.fstatSync(descriptor).nlink > 0;
    if (isLinked) this.#write('late', (token) => fs.writeSync(descriptor, `${blockLine(token)}\n`));
    fs.closeSync(descriptor);
  }

  async #deleteDeliberately(workspace: Workspace): Promise<void> {
    await this.#settle(workspace);
    const lines = readWorkspaceFile(this.#home, FILE).split('\n');
    const [line] = lines.splice(this.#random.integer(lines.length - 1), 1);
    const [token] = countTokens(`${line}\n`).keys();
    if (token === undefined) return;
    this.#note(`person deletes ${token}`);
    this.#save(lines.join('\n'), this.#random.chance(0.5) ? 'in place' : 'by renaming');
    this.#touch();
    for (const blocks of [this.#agent, this.#person]) blocks.delete(token);
    this.#deleted.add(token);
    if (this.#random.chance(0.5)) await workspace.scan();
  }

  #save(text: string, how: 'in place' | 'by renaming'): void {
    if (how === 'in place') fs.writeFileSync(this.#full, text);
    else {
      fs.writeFileSync(`${this.#full}.tmp`, text);
      fs.renameSync(`${this.#full}.tmp`, this.#full);
    }
  }

  /** The modification time of the file is the time of the write path's clock. */
  #touch(): void {
    const seconds = (Date.now() + this.#offsetMs) / 1000;
    fs.utimesSync(this.#full, seconds, seconds);
  }

  #insert(text: string, token: string): string {
    const lines = text.split('\n');
    lines.splice(this.#random.integer(lines.length), 0, blockLine(token));
    return lines.join('\n');
  }

  #next(prefix: 'w' | 'p'): string {
    this.#count += 1;
    return `${prefix}-${this.#count}`;
  }

  #acknowledge(token: string): void {
    this.#note(`acknowledged ${token}`);
    this.#agent.add(token);
  }

  #note(line: string): void {
    this.#log.push(line);
  }

  #verify(): void {
    const counts = countTokens(readWorkspaceFile(this.#home, FILE));
    const problems = findRepositoryProblems(this.#home);
    for (const token of [...this.#agent, ...this.#person]) {
      const count = counts.get(token) ?? 0;
      if (count === 0) this.#summary.lost += 1;
      if (count > 1) this.#summary.duplicated += 1;
      if (count !== 1) problems.push(`${token} is there ${count} times`);
    }
    for (const token of this.#deleted) if (counts.has(token)) problems.push(`${token} is back`);
    this.#summary.agentBlocks += this.#agent.size;
    this.#summary.personBlocks += this.#person.size;
    this.#summary.deletions += this.#deleted.size;
    if (problems.length === 0) fs.rmSync(this.#home, { recursive: true, force: true });
    else
      this.#summary.problems.push(
        `seed ${this.#seed} in ${this.#home}`,
        ...problems,
        ...this.#log.slice(-60),
        historyOf(this.#home),
      );
  }
}

function historyOf(home: string): string {
  return humanGit(home, 'log', '--reverse', '--format=%an %s', '-p', '--unified=0', '--', FILE)
    .split('\n')
    .filter((line) => !/^(?:diff|index|---|\+\+\+|@@|$)/.test(line))
    .join('\n');
}
