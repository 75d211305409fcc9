import path from 'node:path';
import { z } from 'zod';
import type { FileSystem } from '../../platform/fs.ts';

/** A decision about a topic, with the fields of S0 §5.5. The message is known by its hash alone. */
const decisionSchema = z.object({
  id: z.string(),
  timestamp: z.string(),
  message_hash: z.string(),
  topic_name: z.string(),
  tier1_matched: z.boolean(),
  tier2_score: z.number(),
  /** Null when the gate was not asked. */
  gate_result: z.boolean().nullable(),
  /** Whether the reply drew on what was injected; null until there is one. */
  was_useful: z.boolean().nullable().default(null),
  topic_path: z.string(),
  session: z.string().nullable(),
  side: z.enum(['input', 'output']),
  outcome: z.enum(['active', 'left-out']),
  reason: z.string(),
  /** The source of the gate's answer. */
  by: z.string().nullable(),
  /** The triggers that matched, by kind and place in the file: `keywords:2`. */
  triggers: z.array(z.string()),
});
export type GateDecision = z.output<typeof decisionSchema>;

const usefulnessSchema = z.object({ decision: z.string(), was_useful: z.boolean() });

/**
 * `journal/topics/gate-YYYY-MM.jsonl`, append-only, unsynced: a lost line costs evidence, not a memory. Whether something
 * was useful is known a turn later and appended as a line of its own.
 */
export class GateLog {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, journal: string) {
    this.#fs = fs;
    this.#folder = path.join(journal, 'topics');
  }

  record(decisions: readonly GateDecision[]): void {
    this.#append(decisions[0]?.timestamp, decisions);
  }

  recordUse(timestamp: string, uses: readonly { readonly decision: string; readonly was_useful: boolean }[]): void {
    this.#append(timestamp, uses);
  }

  /** The latest decisions, oldest first, with what became known of them later. */
  read(sinceIso = ''): GateDecision[] {
    const decisions = new Map<string, GateDecision>();
    for (const name of this.#fs.list(this.#folder).filter(isLog).sort()) {
      if (name < `gate-${sinceIso.slice(0, 7)}`) continue;
      const text = this.#fs.read(path.join(this.#folder, name))?.toString('utf8') ?? '';
      for (const line of text.split('\n')) this.#take(line, decisions);
    }
    return [...decisions.values()].filter(({ timestamp }) => timestamp >= sinceIso);
  }

  /** A line that does not parse was torn by a crash or erased from; it is evidence of nothing. */
  #take(line: string, decisions: Map<string, GateDecision>): void {
    const value = parseLine(line);
    const decision = decisionSchema.safeParse(value).data;
    if (decision !== undefined) decisions.set(decision.id, decision);
    const use = usefulnessSchema.safeParse(value).data;
    const known = use === undefined ? undefined : decisions.get(use.decision);
    if (use !== undefined && known !== undefined) decisions.set(known.id, { ...known, was_useful: use.was_useful });
  }

  #append(timestamp: string | undefined, records: readonly unknown[]): void {
    if (timestamp === undefined || records.length === 0) return;
    this.#fs.makeDirectory(this.#folder);
    const file = this.#fs.open(path.join(this.#folder, `gate-${timestamp.slice(0, 7)}.jsonl`));
    try {
      const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
      file.write(Buffer.from(lines, 'utf8'), file.size());
    } finally {
      file.close();
    }
  }
}

function isLog(name: string): boolean {
  return /^gate-\d{4}-\d{2}\.jsonl$/u.test(name);
}

function parseLine(line: string): unknown {
  try {
    return line === '' ? undefined : JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
