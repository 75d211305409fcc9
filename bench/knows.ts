/**
 * Whether a connected agent simply knows: what a prompt needs is injected by the real hook program, months after it was said.
 *
 *   npm run bench:knows -- [--data DIR] [--homes DIR] [--in-process] [--missed] [--json]
 *
 * Each file of the folder is a person (see `knows/person.ts`). Their conversations are taken in at their own times and learned from with the
 * default settings. Every prompt is a session of its own: its SessionStart hook, then its UserPromptSubmit hook, each a new
 * process whose clock says when the prompt is typed. `--homes` keeps the homes there, and uses those that exist already.
 * `--in-process` compiles the same without the hook program, for a busy machine: its times say nothing of hooks.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeTemporaryFolder } from '../test/support/home.ts';
import { HookRunner, type Runner } from './knows/hook-runner.ts';
import { InProcess } from './knows/in-process.ts';
import { learnHistory } from './knows/learn-history.ts';
import { blocksOf, isStale, isTold, isToldTwice, tokensOf } from './knows/measure.ts';
import { readPeople, type Need, type Person, type PersonPrompt, type SessionStart } from './knows/person.ts';
import { percentile, printResult, progress } from './support.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: path.join(import.meta.dirname, 'data/people') },
    homes: { type: 'string' },
    'in-process': { type: 'boolean', default: false },
    missed: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const KINDS_OF_TASKS: ReadonlySet<string> = new Set(['task-rule-applies', 'project-fact', 'names-a-person']);

interface Outcome {
  readonly person: string;
  readonly kind: string;
  readonly needs: readonly { readonly need: Need; readonly isTold: boolean }[];
  /** Undefined where nothing wrong could be injected. */
  readonly isStale: boolean | undefined;
  readonly isTwice: boolean;
  readonly tokens: number;
  readonly tookMs: number;
}

const people = readPeople(options.data);
const homes = options.homes ?? makeTemporaryFolder('mneme-knows-');
const prompts: Outcome[] = [];
const starts: Outcome[] = [];
let lateHooks = 0;
for (const person of people) {
  const home = path.join(homes, person.id);
  if (!fs.existsSync(home)) await learnHistory(home, person);
  const hooks: Runner = options['in-process'] ? new InProcess(home) : new HookRunner(home);
  progress(`${person.id}: ${person.prompts.length} prompts, ${person.sessionStart.length} session starts`);
  for (const prompt of person.prompts) prompts.push(await askPrompt(person, prompt, hooks));
  for (const start of person.sessionStart) starts.push(await askStart(person, start, hooks));
  lateHooks += hooks.late;
  await hooks.close();
}
if (options.homes === undefined) fs.rmSync(homes, { recursive: true, force: true });

const needing = prompts.filter(({ needs }) => needs.length > 0);
const silent = prompts.filter(({ kind }) => kind === 'needs-nothing');
const spoken = needing.filter(({ tokens }) => tokens > 0);
const careful = prompts.filter((one) => one.isStale !== undefined);
printResult(options.json, 'What a connected agent knows months later', {
  people: people.length,
  prompts: prompts.length,
  neededTold: shareTold(needing),
  tasksTold: shareTold(needing.filter(({ kind }) => KINDS_OF_TASKS.has(kind))),
  byKind: Object.fromEntries(
    [...new Set(needing.map(({ kind }) => kind))]
      .sort()
      .map((kind) => [kind, shareTold(needing.filter((one) => one.kind === kind))]),
  ),
  byPerson: Object.fromEntries(people.map(({ id }) => [id, shareTold(needing.filter(({ person }) => person === id))])),
  silentRight: share(silent, ({ tokens }) => tokens === 0),
  silentMeanTokens: mean(silent),
  staleTold: share(careful, (one) => one.isStale === true),
  stalePrompts: careful.length,
  toldTwice: share(spoken, ({ isTwice }) => isTwice),
  meanTokens: mean(spoken),
  maxTokens: Math.max(0, ...prompts.map(({ tokens }) => tokens)),
  sessionStartTold: shareTold(starts),
  sessionStartStale: share(
    starts.filter((one) => one.isStale !== undefined),
    (one) => one.isStale === true,
  ),
  sessionStartMeanTokens: mean(starts),
  lateHooks,
  hookP95Ms: percentile(
    prompts.map(({ tookMs }) => tookMs),
    0.95,
  ),
});

async function askPrompt(person: Person, prompt: PersonPrompt, hooks: Runner): Promise<Outcome> {
  const { start, answer, tookMs } = await hooks.ask(prompt);
  const injected = blocksOf(answer);
  const blocks = [...injected, ...blocksOf(start)];
  const outcome = {
    person: person.id,
    kind: prompt.kind,
    needs: prompt.needs.map((need) => ({ need, isTold: isTold(need, blocks) })),
    isStale: prompt.mustNot.length === 0 ? undefined : prompt.mustNot.some((wrong) => isStale(wrong, answer)),
    isTwice: isToldTwice(injected),
    tokens: tokensOf(answer),
    tookMs,
  };
  report(`${person.id} ${prompt.id} [${prompt.kind}] ${prompt.text}`, outcome);
  return outcome;
}

async function askStart(person: Person, start: SessionStart, hooks: Runner): Promise<Outcome> {
  const { text, tookMs } = await hooks.start(start);
  const blocks = blocksOf(text);
  const outcome = {
    person: person.id,
    kind: 'session-start',
    needs: start.needs.map((need) => ({ need, isTold: isTold(need, blocks) })),
    isStale: start.mustNot.length === 0 ? undefined : start.mustNot.some((wrong) => isStale(wrong, text)),
    isTwice: isToldTwice(blocks),
    tokens: tokensOf(text),
    tookMs,
  };
  report(`${person.id} ${start.id} [session-start ${start.project ?? '-'}]`, outcome);
  return outcome;
}

function report(title: string, { kind, needs, isStale: wrong, tokens }: Outcome): void {
  if (!options.missed) return;
  const missed = needs.filter((one) => !one.isTold).map(({ need }) => need.say);
  const faults = [
    ...missed.map((say) => `missed: ${say}`),
    ...(kind === 'needs-nothing' && tokens > 0 ? [`needs nothing, ${tokens} tokens`] : []),
    ...(wrong === true ? ['stale'] : []),
  ];
  if (faults.length > 0) process.stderr.write(`${title}\n${faults.map((fault) => `    ${fault}\n`).join('')}`);
}

function shareTold(some: readonly Outcome[]): number {
  return share(
    some.flatMap(({ needs }) => needs),
    (one) => one.isTold,
  );
}

function share<T>(some: readonly T[], test: (one: T) => boolean): number {
  return some.length === 0 ? 0 : some.filter(test).length / some.length;
}

function mean(some: readonly Outcome[]): number {
  return some.length === 0 ? 0 : some.reduce((sum, { tokens }) => sum + tokens, 0) / some.length;
}
