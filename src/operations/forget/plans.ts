import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import { encodeBase32 } from '../../model/ids.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { StateDatabase } from '../../platform/sqlite.ts';
import { holdLock } from '../../workspace/lock.ts';
import type { OperationContext } from '../context.ts';
import { findPlan, PLAN_FILE, planFolder, serializePlan, type PendingPlan, type PlannedItem } from './plan-file.ts';

/** Long enough to read a list and to answer; short enough that the list is still true. */
const LIFETIME_MS = 3_600_000;
/** For this long a used or expired code is distinguished from an unknown one. */
const MEMORY_MS = 24 * 3_600_000;
const CODE_LENGTH = 6;

/** `journal/forget/CODE.json`: what was shown and waits for a yes. */
export class PendingPlans {
  readonly #context: OperationContext;
  readonly #folder: string;

  constructor(context: OperationContext) {
    this.#context = context;
    this.#folder = planFolder(context.workspace.paths.journal);
  }

  /** Keeps a plan until it is confirmed or an hour has passed; durable when the promise resolves. */
  async add(items: readonly PlannedItem[], permanently: boolean, turns: readonly string[] = []): Promise<PendingPlan> {
    const plan = { ...this.create(items, permanently), turns: [...turns] };
    await this.write(plan);
    return plan;
  }

  /** A plan that is not written down yet: words are erased without a list, and are never kept in the clear. */
  create(items: readonly PlannedItem[], permanently: boolean): PendingPlan {
    this.#clearOld();
    const createdMs = this.#context.clock.now();
    return {
      code: this.#newCode(),
      state: 'waiting',
      createdMs,
      expiresMs: createdMs + LIFETIME_MS,
      actor: this.#context.actor,
      permanently,
      items: [...items],
    };
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
      file.write(Buffer.from(serializePlan(plan), 'utf8'), 0);
      await file.sync();
    } finally {
      file.close();
    }
    await nodeFileSystem.rename(temporary, target);
    nodeFileSystem.syncDirectory(this.#folder);
  }

  /** Only that there was such a code is kept, and nothing of what stood in the list. */
  markUsed(plan: PendingPlan): Promise<void> {
    const { code, createdMs, expiresMs, actor, permanently } = plan;
    return this.write({ code, createdMs, expiresMs, actor, permanently, state: 'used', items: [] });
  }

  /** Ensures that nothing else is confirmed meanwhile, in this process or another. */
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
    return findPlan(this.#context.workspace.paths.journal, name);
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

function normalCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replaceAll(/[\s-]/gu, '').replaceAll('O', '0').replaceAll(/[IL]/gu, '1');
  return /^[0-9A-Z]{6}$/u.test(code) ? code : undefined;
}
