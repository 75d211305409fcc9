import fs from 'node:fs';
import path from 'node:path';
import { isMnemeError } from '../../src/model/errors.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import { walkTree } from '../../src/platform/walk-tree.ts';
import { makeTemporaryFolder } from '../support/home.ts';
import { serveTestHome, type TestServer } from '../support/http-server.ts';

/** What stands outside of the home and must never come in, nor change. */
export const OUTSIDE = 'quicksilver stands outside of every home';

/** A served home with something beside it that is nobody's business. */
export interface World {
  readonly server: TestServer;
  readonly workspace: string;
  /** A folder beside the home, with `outside.md` in it. */
  readonly outside: string;
}

export async function makeWorld(): Promise<World> {
  const server = await serveTestHome();
  const outside = makeTemporaryFolder();
  fs.writeFileSync(path.join(outside, 'outside.md'), `${OUTSIDE}\n`);
  fs.writeFileSync(path.join(path.dirname(server.home), 'outside.md'), `${OUTSIDE}\n`);
  return { server, workspace: path.join(server.home, 'workspace'), outside };
}

export function contextAs(
  { server }: World,
  actor: string,
  confinedTo?: OperationContext['confinedTo'],
): OperationContext {
  return { ...server.mneme.internals, actor, confinedTo };
}

/** Undefined when it was refused in words of ours; what came instead otherwise. */
export async function mustBeRefused(run: () => Promise<unknown>): Promise<string | undefined> {
  try {
    return `was let through: ${JSON.stringify((await run()) ?? null).slice(0, 300)}`;
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    return error.message.includes(OUTSIDE) ? `told in its refusal: ${error.message}` : undefined;
  }
}

/** Undefined when it went through. */
export async function mustGoThrough(run: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    return `was refused: ${error.message}`;
  }
}

/** Every plain byte below a folder, names too. */
export function everyByte(folder: string): string {
  return walkTree(folder)
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name}\n${fs.readFileSync(path.join(entry.parentPath, entry.name), 'latin1')}`)
    .join('\n');
}
