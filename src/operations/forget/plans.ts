import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { encodeBase32 } from '../../model/ids.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { StateDatabase } from '../../platform/sqlite.ts';
import { DOCUMENT_SOURCES } from '../../search-index/passage.ts';
import { holdLock } from '../../workspace/lock.ts';
import type { OperationContext } from '../context.ts';

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
  /** `erasing`: begun and not known to be finished, so that it goes on when it is confirmed again. */
  state: z.enum(['waiting', 'erasing', 'used']),
  createdMs: z.number(),
  expiresMs: z.number(),
  actor: z.string(),
  permanently: z.boolean(),
  items: z.array(itemSchema),
  /** Of an erasure that has begun: the numbers that were chosen, and the process that began it. */
  chosen: z.array(z.number()).optional(),
  process: z.number().int().positive().optional(),
});

export type PlannedItem = z.infer<typeof itemSchema>;
export type PendingPlan = z.infer<typeof planSchema>;

/** Long enough to read a list and to answer; short enough that the list is still true. */
const LIFETIME_MS = 3_600_000;
/** So long a used or expired code can still be told apart from one that never was. */
const MEMORY_MS = 24 * 3_600_000;
const CODE_LENGTH = 6;
const PLAN_FILE = /^[0-9A-Z]{6}\.json$/u;

/** `journal/forget/CODE.json`: what was shown and waits for a yes. */
export class PendingPlans {
  readonly #context: OperationContext;
  readonly #folder: string;

  constructor(context: OperationContext) {
    this.#context = context;
    this.#folder = path.join(context.workspace.paths.journal, 'forget');
  }

  /** Keeps a plan until it is confirmed or an hour has passed; durable when the promise resolves. */
  async add(items: readonly PlannedItem[], permanently: boolean): Promise<PendingPlan> {
    this.#clearOld();
    const createdMs = this.#context.clock.now();
    const plan: PendingPlan = {
      code: this.#newCode(),
      state: 'waiting',
      createdMs,
      expiresMs: createdMs + LIFETIME_MS,
      actor: this.#context.actor,
      permanently,
      items: [...items],
    };
    await this.write(plan);
    return plan;
  }

  /** Codes of erasures that something interrupted. */
  listInterrupted(): string[] {
    const plans = nodeFileSystem.list(this.#folder).flatMap((name) => this.#find(name) ?? []);
    return plans.filter(({ state }) => state === 'erasing').map(({ code }) => code);
  }

  /** As somebody typed the code: in any case, with the letters that are mistaken for digits. */
  get(typed: string): PendingPlan {
    const code = normalCode(typed);
    const plan = code === undefined ? undefined : this.#find(`${code}.json`);
    if (plan === undefined) {
      throw new MnemeError('not-found', `No list of memories waits under the code ${typed}.`, {
        hint: '`mneme forget "what"` shows what would be forgotten and gives a code.',
      });
    }
    return plan;
  }

  async write(plan: PendingPlan): Promise<void> {
    nodeFileSystem.makeDirectory(this.#folder);
    const target = this.#file(plan.code);
    const temporary = `${target}.new`;
    const file = nodeFileSystem.open(temporary);
    try {
      file.truncate(0);
      file.write(Buffer.from(`${JSON.stringify(recode(plan, 'utf8', 'base64'))}\n`, 'utf8'), 0);
      await file.sync();
    } finally {
      file.close();
    }
    await nodeFileSystem.rename(temporary, target);
    nodeFileSystem.syncDirectory(this.#folder);
  }

  /** Only that there was such a code is kept, and nothing of what stood in the list. */
  markUsed(plan: PendingPlan): Promise<void> {
    return this.write({ ...plan, state: 'used', items: [], chosen: undefined, process: undefined });
  }

  /** Nobody else confirms anything meanwhile, in this process or another. */
  async exclusively<T>(body: () => Promise<T>): Promise<T> {
    nodeFileSystem.makeDirectory(this.#folder);
    // Beside the plans rather than in state/, which an erasure deletes while it holds this lock.
    const lock = new StateDatabase(path.join(this.#folder, 'lock.db'), 'CREATE TABLE IF NOT EXISTS lock (id INTEGER)');
    try {
      return await holdLock(lock.writable, 'forget', this.#context, body);
    } finally {
      lock.close();
    }
  }

  #find(name: string): PendingPlan | undefined {
    const bytes = PLAN_FILE.test(name) ? nodeFileSystem.read(path.join(this.#folder, name)) : undefined;
    return bytes === undefined ? undefined : parsePlan(bytes.toString('utf8'));
  }

  #newCode(): string {
    for (;;) {
      const code = encodeBase32(this.#context.random.bytes(CODE_LENGTH), CODE_LENGTH).toUpperCase();
      if (!fs.existsSync(this.#file(code))) return code;
    }
  }

  #file(code: string): string {
    return path.join(this.#folder, `${code}.json`);
  }

  /** An erasure that was begun is never given up: its words are half gone. */
  #clearOld(): void {
    const nowMs = this.#context.clock.now();
    for (const name of nodeFileSystem.list(this.#folder)) {
      if (!PLAN_FILE.test(name)) continue;
      const file = path.join(this.#folder, name);
      const plan = this.#find(name);
      if (plan?.state === 'erasing') continue;
      if (plan === undefined || plan.expiresMs + MEMORY_MS < nowMs) nodeFileSystem.remove(file);
      else if (plan.expiresMs <= nowMs && plan.items.length > 0) {
        // The words of an expired list serve nobody any more.
        nodeFileSystem.write(file, Buffer.from(`${JSON.stringify({ ...plan, items: [] })}\n`, 'utf8'));
      }
    }
  }
}

/**
 * The words of an erasure that has begun, so that the erasure itself does not find them: interrupted, it has to know
 * what is left to do. Lists that wait are as readable as anything else, and erased like it.
 */
function recode(plan: PendingPlan, from: 'utf8' | 'base64', to: 'utf8' | 'base64'): PendingPlan {
  if (plan.state !== 'erasing') return plan;
  const recoded = (piece: string): string => Buffer.from(piece, from).toString(to);
  return { ...plan, items: plan.items.map((item) => Object.assign({}, item, { pieces: item.pieces.map(recoded) })) };
}

function normalCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replaceAll(/[\s-]/gu, '').replaceAll('O', '0').replaceAll(/[IL]/gu, '1');
  return /^[0-9A-Z]{6}$/u.test(code) ? code : undefined;
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
