import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Loopback } from './loopback.ts';
import { packageFolder, type Place, type Program } from './programs.ts';
import { plainEnvironment, runProgram, type Ended } from './run-program.ts';

export const STEPS = ['connected', 'captured', 'told', 'tool', 'alone', 'restored'] as const;
export type Step = (typeof STEPS)[number];

/** What was seen of a program: by step, what failed; nothing where it worked. */
export interface Tried {
  readonly name: string;
  /** Why it could not be installed; then nothing was tried. */
  readonly notInstalled?: string | undefined;
  readonly failures: Readonly<Partial<Record<Step, string>>>;
}

const FACT = 'My sister Ottilie plays the bassoon in the orchestra of Bergen.';
const QUESTION = 'Which instrument does my sister Ottilie play?';

/** Installs the pinned version into its own folder. Resolves to what went wrong, or to nothing. */
export async function installProgram({ name }: Program): Promise<string | undefined> {
  const npm = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, out } = await runProgram('npm', npm, { cwd: packageFolder(name), env: process.env, limitMs: 400_000 });
  return code === 0 ? undefined : out.slice(-400);
}

/** Connects the program, tells it something, asks for it in another session, has it call a tool, and disconnects it. */
export async function tryProgram(program: Program, mneme: string): Promise<Tried> {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-program-')));
  const loopback = await Loopback.start();
  const trial = new Trial(program, { root, mneme }, loopback);
  try {
    return { name: program.name, failures: await trial.run() };
  } finally {
    await loopback.stop();
    fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

class Trial {
  readonly #program: Program;
  readonly #mnemePath: string;
  readonly #place: Place;
  readonly #loopback: Loopback;
  readonly #failures: Partial<Record<Step, string>> = {};

  constructor(
    program: Program,
    { root, mneme }: { readonly root: string; readonly mneme: string },
    loopback: Loopback,
  ) {
    this.#program = program;
    this.#mnemePath = mneme;
    this.#loopback = loopback;
    this.#place = { user: path.join(root, 'user'), project: path.join(root, 'project'), url: loopback.url };
  }

  async run(): Promise<Partial<Record<Step, string>>> {
    const before = this.#writeSettings();
    await this.#mneme('init', '--yes');
    await this.#mneme('config', 'set', 'hooks.timeout_ms', '20000');
    const connected = await this.#connect();
    this.#expect('connected', connected.code === 0, connected.out);
    const first = await this.#ask(FACT);
    const found = await this.#mneme('search', 'bassoon', '--json');
    this.#expect('captured', found.out.includes('Ottilie'), `${first.out}\n${found.out}`);
    const since = this.#loopback.requests.length;
    const second = await this.#ask(QUESTION);
    // Only memory can have said it: the question itself names neither.
    this.#expect('told', this.#loopback.wasTold('bassoon', since), second.out);
    const third = await this.#ask('CALL TOOL memory_search please');
    this.#expect('tool', /The tool says:.*bassoon/u.test(third.out), third.out);
    await this.#expectAnswersAlone();
    const removed = await this.#disconnect();
    const changed = [...before].filter(([file, text]) => !this.#isRestored(file, text)).map(([file]) => file);
    this.#expect('restored', removed.code === 0 && changed.length === 0, `${removed.out} ${changed.join(' ')}`);
    return this.#failures;
  }

  /** Connected to a Mneme that fails at once, and to one that is gone, the program must answer as if it had none. */
  async #expectAnswersAlone(): Promise<void> {
    const kept = `${this.#mnemePath}.kept`;
    fs.renameSync(this.#mnemePath, kept);
    fs.writeFileSync(this.#mnemePath, 'console.log("{ no JSON"); console.error("broken"); process.exit(1);\n');
    const broken = await this.#ask('Hello there');
    fs.rmSync(this.#mnemePath);
    const gone = await this.#ask('Hello again');
    fs.renameSync(kept, this.#mnemePath);
    for (const { code, out } of [broken, gone]) {
      this.#expect('alone', code === 0 && out.includes('That is noted'), `exit ${String(code)}: ${out}`);
    }
  }

  #connect(): Promise<Ended> {
    const { own, name } = this.#program;
    if (own === undefined) return this.#mneme('install', name, '--yes');
    return this.#runAll(own.connect(this.#packed()));
  }

  #disconnect(): Promise<Ended> {
    const { own, name } = this.#program;
    return own === undefined ? this.#mneme('uninstall', name, '--yes') : this.#runAll(own.disconnect(this.#packed()));
  }

  #packed(): string {
    return path.resolve(path.dirname(this.#mnemePath), '..');
  }

  /** A program that edits its settings by its own commands writes them in its own way; its slots must not name Mneme. */
  #isRestored(file: string, text: string | undefined): boolean {
    const now = this.#read(file);
    return this.#program.own === undefined ? now === text : now !== undefined && !now.includes(': "mneme"');
  }

  #expect(step: Step, isTrue: boolean, otherwise: string): void {
    if (!isTrue) this.#failures[step] = otherwise.slice(-1500).trim() || 'nothing was printed';
  }

  /** The settings files, and what install may make beside them, by content. */
  #writeSettings(): ReadonlyMap<string, string | undefined> {
    const { user, project } = this.#place;
    fs.mkdirSync(user, { recursive: true });
    fs.mkdirSync(project, { recursive: true });
    for (const [name, text] of Object.entries(this.#program.settings(this.#place))) {
      fs.mkdirSync(path.dirname(path.join(user, name)), { recursive: true });
      fs.writeFileSync(path.join(user, name), text);
    }
    return new Map(Object.keys(this.#program.settings(this.#place)).map((name) => [name, this.#read(name)]));
  }

  #read(name: string): string | undefined {
    const file = path.join(this.#place.user, name);
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
  }

  #ask(prompt: string): Promise<Ended> {
    return this.#run(this.#program.ask(prompt, this.#place));
  }

  async #runAll(calls: readonly (readonly string[])[]): Promise<Ended> {
    let ended: Ended = { code: 0, out: '' };
    for (const args of calls) {
      ended = await this.#run(args);
      if (ended.code !== 0) return ended;
    }
    return ended;
  }

  #run(args: readonly string[]): Promise<Ended> {
    const { bin, name } = this.#program;
    const command = path.join(packageFolder(name), 'node_modules', '.bin', bin);
    return this.#start(command, args, this.#program.environment(this.#place));
  }

  #mneme(...args: readonly string[]): Promise<Ended> {
    return this.#start(process.execPath, [this.#mnemePath, ...args], this.#program.environment(this.#place));
  }

  #start(command: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
    const { user, project } = this.#place;
    const own = { ...plainEnvironment(), HOME: user, NO_COLOR: '1', ...env };
    return runProgram(command, args, { cwd: project, env: own, limitMs: 120_000 });
  }
}
