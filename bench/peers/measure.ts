/** One peer on one set of conversations, in a process of its own, so that its memory can be told: run by bench/peers.ts. */
import fs from 'node:fs';
import path from 'node:path';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import type { Conversation } from '../retrieval/conversations.ts';
import { BUDGETS, Scores, type Budget, type SystemAnswer } from '../retrieval/measure.ts';
import { PEERS } from './all.ts';
import type { BuiltPeer, Peer } from './peer.ts';
import { readAny } from './read-any.ts';

export interface Measured {
  readonly questions: number;
  readonly recall: Readonly<Record<string, number>>;
  readonly indexSeconds: number;
  readonly searchMs: { readonly p50: number; readonly p95: number };
  /** Null where each search is a process that has ended before it could be weighed. */
  readonly peakMegabytes: number | null;
  readonly diskMegabytes: number;
}

async function measure(peer: Peer, conversations: readonly Conversation[], limit: number): Promise<Measured> {
  const scores = new Scores();
  let indexMs = 0;
  let bytes = 0;
  let otherBytes = 0;
  for (const conversation of conversations) {
    const folder = makeTemporaryFolder('mneme-peer-');
    const startedMs = performance.now();
    const built = await peer.build(conversation, folder);
    indexMs += performance.now() - startedMs;
    const asked = everyNth(conversation.questions, Math.min(limit, peer.maxQuestions ?? Infinity));
    for (const question of asked) {
      const beforeMs = performance.now();
      const answer = await built.ask(question.text);
      const tookMs = performance.now() - beforeMs;
      // The one that depends on the budget was asked for each.
      scores.add(question, byBudget(answer), 'texts' in answer ? tookMs : tookMs / BUDGETS.length);
    }
    otherBytes = Math.max(otherBytes, memoryOf(built));
    bytes += bytesIn(built.folder ?? folder);
    await built.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
  const { p50, p95 } = scores.latency();
  return {
    questions: scores.questions,
    recall: scores.recall(),
    indexSeconds: indexMs / 1000,
    searchMs: { p50, p95 },
    peakMegabytes: peer.maxQuestions === undefined ? process.resourceUsage().maxRSS / 1024 + otherBytes / 1e6 : null,
    diskMegabytes: bytes / 1e6,
  };
}

function byBudget(answer: SystemAnswer | ReadonlyMap<Budget, SystemAnswer>): ReadonlyMap<Budget, SystemAnswer> {
  return 'texts' in answer ? new Map(BUDGETS.map((budget) => [budget, answer])) : answer;
}

function everyNth<T>(all: readonly T[], count: number): T[] {
  return all.length <= count
    ? [...all]
    : Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)] as T);
}

/** The most that the peer's own processes took, where the system tells. */
function memoryOf({ processes = [] }: BuiltPeer): number {
  return processes.reduce((sum, id) => {
    const status = `/proc/${id}/status`;
    const kilobytes = fs.existsSync(status) ? /VmHWM:\s+(\d+)/u.exec(fs.readFileSync(status, 'utf8'))?.[1] : undefined;
    return sum + Number(kilobytes ?? 0) * 1024;
  }, 0);
}

function bytesIn(folder: string): number {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + fs.statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

if (process.argv[1] === import.meta.filename) {
  const [name, limit = '', ...data] = process.argv.slice(2);
  const peer = PEERS.find((one) => one.name === name);
  if (peer === undefined) throw new Error(`There is no peer ${name}.`);
  const measured = await measure(peer, data.flatMap(readAny), Number(limit));
  // Some peers leave timers and sockets behind.
  process.stdout.write(`${JSON.stringify(measured)}\n`, () => process.exit());
}
