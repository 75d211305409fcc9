import path from 'node:path';
import { z } from 'zod';
import { nodeFileSystem } from '../../platform/fs.ts';
import { DOCUMENT_SOURCES } from '../../search-index/passage.ts';

const itemSchema = z.object({
  kind: z.enum(['item', 'file', 'turn']),
  id: z.string(),
  source: z.enum(DOCUMENT_SOURCES),
  path: z.string(),
  hash: z.string(),
  isProtected: z.boolean(),
  /** The words themselves, only where they are to be erased: nothing else could say afterwards what is left to do. */
  pieces: z.array(z.string()),
});

const planSchema = z.object({
  code: z.string(),
  /** `erasing`: begun and not known to be finished, so that it goes on at the next opening. */
  state: z.enum(['waiting', 'erasing', 'used']),
  createdMs: z.number(),
  expiresMs: z.number(),
  actor: z.string(),
  permanently: z.boolean(),
  items: z.array(itemSchema),
  /** Turns of conversations that are hidden with it. */
  turns: z.array(z.string()).optional(),
  /** Words to erase that belong to no listed memory. */
  texts: z.array(z.string()).optional(),
  /** Of an erasure that has begun: the numbers that were chosen, who confirmed it, and the process that is at it. */
  chosen: z.array(z.number()).optional(),
  confirmedBy: z.string().optional(),
  process: z.number().int().positive().optional(),
  /** The boot in which that process ran, and its start: the system gives its number to another process later. */
  boot: z.string().optional(),
  started: z.string().optional(),
  /** The steps that the last try could not do, and its time; absent when it was interrupted. */
  left: z.array(z.object({ step: z.string(), what: z.string() })).optional(),
  triedMs: z.number().optional(),
});

export type PlannedItem = z.infer<typeof itemSchema>;
export type PendingPlan = z.infer<typeof planSchema>;

export const PLAN_FILE = /^[0-9A-Z]{6}\.json$/u;

/** `journal/forget/`: lists that wait for a yes, and erasures that are not finished. */
export function planFolder(journal: string): string {
  return path.join(journal, 'forget');
}

export function findPlan(journal: string, name: string): PendingPlan | undefined {
  const bytes = PLAN_FILE.test(name) ? nodeFileSystem.read(path.join(planFolder(journal), name)) : undefined;
  return bytes === undefined ? undefined : parsePlan(bytes.toString('utf8'));
}

export function serializePlan(plan: PendingPlan): string {
  return `${JSON.stringify(recode(plan, 'utf8', 'base64'))}\n`;
}

/** Undefined for what nobody can read: a crash may have left it so, and a list can be asked for again. */
function parsePlan(text: string): PendingPlan | undefined {
  try {
    const plan = planSchema.safeParse(JSON.parse(text)).data;
    return plan === undefined ? undefined : recode(plan, 'base64', 'utf8');
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * The words of an erasure that has begun, so that the erasure itself does not find them: interrupted, it has to know
 * what is left to do. Lists that wait are as readable as anything else, and erased like it.
 */
function recode(plan: PendingPlan, from: 'utf8' | 'base64', to: 'utf8' | 'base64'): PendingPlan {
  if (plan.state !== 'erasing') return plan;
  const recoded = (piece: string): string => Buffer.from(piece, from).toString(to);
  return {
    ...plan,
    items: plan.items.map((item) => Object.assign({}, item, { pieces: item.pieces.map(recoded) })),
    texts: plan.texts?.map(recoded),
    // The reason may name a file that is called after the words.
    left: plan.left?.map(({ step, what }) => ({ step, what: recoded(what) })),
  };
}
