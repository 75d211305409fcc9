import { SeededRandom } from '../support/seeded-random.ts';
import { mutate } from './mutate.ts';
import type { Target } from './targets.ts';

export interface FuzzReport {
  readonly target: string;
  readonly inputs: number;
  readonly slowestMs: number;
  /** What went wrong, with the input in base64. */
  readonly findings: readonly string[];
}

/** Feeds a target with changed seeds; the same seed gives the same inputs. */
export async function fuzz(target: Target, inputs: number, seed: number): Promise<FuzzReport> {
  const random = new SeededRandom(seed);
  const feeding = await target.open();
  const findings: string[] = [];
  let slowestMs = 0;
  for (let count = 0; count < inputs; count += 1) {
    const bytes = mutate(random.pick(target.seeds), random);
    const startedMs = performance.now();
    const fault = await feeding.feed(bytes).catch((error: unknown) => `threw ${String(error)}`);
    slowestMs = Math.max(slowestMs, performance.now() - startedMs);
    if (fault !== undefined) findings.push(`${fault}\n${bytes.toString('base64').slice(0, 2000)}`);
  }
  await feeding.close();
  return { target: target.name, inputs, slowestMs: Math.round(slowestMs), findings };
}
