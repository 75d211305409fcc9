import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { itemOfProposal } from '../../src/proposals/agents/statement.ts';
import type { Proposal } from '../../src/proposals/proposal.ts';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';

/** Many agents propose from processes of their own while the main agent reviews: `npm run test:agents`. */

export interface AgentsSummary {
  readonly agents: number;
  readonly proposals: number;
  readonly conflicts: number;
  /** The others: one was kept before the other was filed, which then names it. */
  readonly markedOnBothSides: number;
  readonly reviews: number;
  readonly lost: number;
  readonly appliedTwice: number;
  readonly unmarked: number;
  readonly seconds: number;
  readonly problems: readonly string[];
}

interface Filed {
  readonly agent: number;
  readonly k: number;
  readonly id: string;
  readonly outcome: string;
}

export async function runAgents(options: { readonly agents: number; readonly each: number }): Promise<AgentsSummary> {
  const startedMs = performance.now();
  const home = path.join(makeTemporaryFolder('mneme-agents-'), 'home');
  await initTestHome(home);
  const main = await openMneme({ home, actor: 'bot:main' });
  let isProposing = true;
  const proposing = Promise.all(
    Array.from({ length: options.agents }, (_, agent) => propose(home, agent, options.each)),
  ).finally(() => {
    isProposing = false;
  });
  let reviews = 0;
  while (isProposing) {
    await main.agents.commit({ all: true });
    reviews += 1;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const filed = (await proposing).flat();
  // What contradicts something is kept beside it, linked, at low confidence.
  await main.agents.review();
  await main.agents.commit({ all: true, conflict: 'keep-both' });
  const findings = verify(main, home, filed, options);
  await main.close();
  if (findings.problems.length === 0) fs.rmSync(path.dirname(home), { recursive: true, force: true });
  return {
    agents: options.agents,
    proposals: filed.length,
    reviews,
    ...findings,
    seconds: Math.round((performance.now() - startedMs) / 100) / 10,
  };
}

async function propose(home: string, agent: number, each: number): Promise<Filed[]> {
  const script = path.join(import.meta.dirname, 'agents-worker.ts');
  const child = spawn(process.execPath, [script, home, String(agent), String(each)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`agent ${agent} ended with ${code ?? 'a signal'}`);
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Filed);
}

type Findings = Pick<
  AgentsSummary,
  'conflicts' | 'markedOnBothSides' | 'lost' | 'appliedTwice' | 'unmarked' | 'problems'
>;

function verify(
  main: Mneme,
  home: string,
  filed: readonly Filed[],
  { agents, each }: { readonly agents: number; readonly each: number },
): Findings {
  const all = new Map(main.internals.proposals.list().proposals.map((proposal) => [proposal.id, proposal]));
  const memory = readMemory(path.join(home, 'workspace/memory'));
  const counts = filed.map(({ id }) => memory.split(`^${itemOfProposal(id)}`).length - 1);
  const pairs = filed
    .filter(({ agent, k }) => k % 5 === 0 && agent % 2 === 0)
    .flatMap((one) => {
      const other = filed.find(({ agent, k }) => agent === one.agent + 1 && k === one.k);
      return other === undefined ? [] : [[one.id, other.id] as const];
    });
  const unmarked = pairs.filter(([one, other]) => !isMarked(all.get(one), all.get(other)));
  const lost = filed.filter(({ id }, at) => all.get(id)?.state !== 'applied' || counts[at] === 0);
  const appliedTwice = counts.filter((count) => count > 1).length;
  const expected = agents * each;
  const falseConflicts = filed.filter(({ id, k }) => k % 5 !== 0 && (all.get(id)?.conflictsWith.length ?? 0) > 0);
  return {
    conflicts: pairs.length,
    markedOnBothSides: pairs.filter(([one, other]) => isMarkedTwice(all.get(one), all.get(other))).length,
    lost: lost.length,
    appliedTwice,
    unmarked: unmarked.length,
    problems: [
      ...(filed.length === expected ? [] : [`${filed.length} of ${expected} were filed`]),
      ...(new Set(filed.map(({ id }) => id)).size === filed.length ? [] : ['two answers name one proposal']),
      ...lost.map(({ id }) => `${id} is ${all.get(id)?.state ?? 'gone'}`),
      ...(appliedTwice === 0 ? [] : [`${appliedTwice} stand in the memory twice`]),
      ...unmarked.map((pair) => `not marked: ${pair.join(' and ')}`),
      ...falseConflicts.map(({ id }) => `${id} conflicts with nothing and says it does`),
    ],
  };
}

/** On one side at least: the first may have been kept before the second was there to be named. */
function isMarked(one: Proposal | undefined, other: Proposal | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return names(one, other) || names(other, one);
}

function names(from: Proposal, to: Proposal): boolean {
  return from.conflictsWith.includes(to.id) || from.statement?.contradicts.includes(itemOfProposal(to.id)) === true;
}

function isMarkedTwice(one: Proposal | undefined, other: Proposal | undefined): boolean {
  return one !== undefined && other !== undefined && names(one, other) && names(other, one);
}

function readMemory(folder: string): string {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.startsWith('meta'))
    .map((file) => fs.readFileSync(path.join(folder, file), 'utf8'))
    .join('\n');
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { agents: { type: 'string', default: '10' }, each: { type: 'string', default: '100' } },
  });
  const summary = await runAgents({ agents: Number(values.agents), each: Number(values.each) });
  process.stdout.write(`${JSON.stringify(summary)}\n`);
  process.exitCode = summary.problems.length === 0 ? 0 : 1;
}
