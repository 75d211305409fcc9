import { expect } from 'vitest';
import { makeHome, openWorkspace } from './home.ts';
import { defaultConfig, type Config } from '../../src/model/config/schema.ts';
import { isMnemeError, type ErrorCode } from '../../src/model/errors.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { HOME_LAYOUT } from '../../src/workspace/formats/layout.ts';
import { createPolicy } from '../../src/workspace/policy.ts';
import type { WorkspaceParts, Workspace } from '../../src/workspace/workspace.ts';
import { Proposals } from '../../src/proposals/proposals.ts';
import type { ProposalRequest } from '../../src/proposals/request.ts';

/** Fixtures for the tests of proposals: a real home with one file in it, and a person to decide. */

const CLOCK = { now: () => Date.UTC(2026, 1, 16, 18, 45) };
export const ALEX = 'memory/graph/entities/person--alex.md';
export const TEXT = '# Alex\n\n- likes tea\n\n- lives in Rome\n\n- works at night\n';
export const COFFEE = TEXT.replace('tea', 'coffee');

export interface Desk {
  readonly home: string;
  readonly workspace: Workspace;
  readonly proposals: Proposals;
}

export async function openDesk(
  home?: string,
  config: Config = defaultConfig(),
  parts: WorkspaceParts = {},
): Promise<Desk> {
  const place = home ?? (await makeHome());
  const workspace = await openWorkspace(place, parts);
  workspace.registries.validators.push(createPolicy(HOME_LAYOUT));
  const proposals = new Proposals({ workspace, clock: CLOCK, random: systemRandom, config });
  if (home === undefined) await write(workspace, ALEX, TEXT);
  return { home: place, workspace, proposals };
}

export async function write(workspace: Workspace, path: string, text: string | undefined): Promise<void> {
  await workspace.commit({ actor: 'manual', summary: 'a test writes', changes: [{ path, edit: () => text }] });
}

export function request(overrides: Partial<ProposalRequest> = {}): ProposalRequest {
  return {
    kind: 'memory',
    title: 'Alex prefers coffee',
    why: 'Alex said so.',
    evidence: ['ses_1 turn 3'],
    actor: 'subagent:researcher',
    trust: 'agent',
    changes: [{ path: ALEX, after: COFFEE }],
    trigger: 'auto-detect',
    session: 'ses_1',
    ...overrides,
  };
}

export function failing(code: ErrorCode, message?: RegExp): unknown {
  return expect.toSatisfy((error) => isMnemeError(error, code) && (message?.test(error.message) ?? true));
}
