import { describe, expect, it } from 'vitest';
import { defaultConfig, type Config } from '../model/config/schema.ts';
import { isMnemeError } from '../model/errors.ts';
import type { Trust } from '../model/provenance.ts';
import { makeChange } from './patch.ts';
import * as policy from './policy.ts';
import type { Proposal } from './proposal.ts';

const RULES = policy.reviewRules(defaultConfig());
const TRUSTING: policy.ReviewRules = { ...RULES, autoApproves: true, trustedAgents: ['coder'] };

function proposal(overrides: Partial<Proposal> & { path?: string } = {}): Proposal {
  const { path = 'memory/graph/entities/person--alex.md', ...rest } = overrides;
  return {
    id: '01KHK0000000000000000000AB',
    state: 'pending',
    kind: 'memory',
    title: 'A title',
    why: '',
    evidence: [],
    actor: 'subagent:coder',
    trust: 'agent',
    created: '2026-02-16T18:45:00.000Z',
    changes: [makeChange(1, { path, before: undefined, after: 'text\n' })],
    conflictsWith: [],
    ...rest,
  };
}

function isRefused(act: () => void): boolean {
  try {
    act();
    return false;
  } catch (error) {
    if (isMnemeError(error, 'refused') && error.hint !== undefined) return true;
    throw error;
  }
}

function mayApprove(actor: string, what: Proposal, rules = RULES): boolean {
  return !isRefused(() => policy.assertMayApprove(what, what.changes, actor, rules));
}

// SPEC PROPOSAL-2, TRUST-5, SCOPE-2
describe('who may approve', () => {
  const entity = 'memory/graph/entities/person--alex.md';
  it.each<[approver: string, proposer: string, path: string, trust: Trust, isAllowed: boolean]>([
    ['manual', 'subagent:coder', 'SOUL.md', 'external', true],
    ['human:alex', 'human:alex', entity, 'user', true],
    ['human:alex', 'reflection:r-1', 'MEMORY.md', 'agent', true],
    ['bot:main', 'subagent:coder', entity, 'agent', true],
    ['bot:main', 'subagent:coder', entity, 'external', true],
    ['bot:main', 'subagent:coder', 'MEMORY.md', 'agent', true],
    ['bot:main', 'subagent:coder', 'MEMORY.md', 'tool', false],
    ['bot:main', 'subagent:coder', 'MEMORY.md', 'import', false],
    ['bot:main', 'subagent:coder', 'topics/email.md', 'external', false],
    ['bot:main', 'subagent:coder', 'memory/procedures/deploy.md', 'import', false],
    ['bot:main', 'subagent:coder', 'memory/scopes/project--x/procedures/deploy.md', 'import', false],
    ['bot:main', 'subagent:coder', 'SOUL.md', 'user', false],
    ['bot:main', 'subagent:coder', 'USER.md', 'user', false],
    ['bot:main', 'subagent:coder', 'memory/vault/a.md', 'user', false],
    ['bot:main', 'subagent:coder', 'mneme.yaml', 'user', false],
    ['bot:main', 'bot:main', entity, 'user', false],
    ['bot:main', 'reflection:r-1', entity, 'user', false],
    ['bot:main', 'system:decay', entity, 'user', false],
    ['subagent:coder', 'subagent:coder', entity, 'agent', false],
    ['subagent:reviewer', 'subagent:coder', entity, 'agent', false],
    ['reader:web', 'subagent:coder', entity, 'agent', false],
    ['external', 'subagent:coder', entity, 'agent', false],
    ['manual', 'subagent:coder', 'memory/meta/proposals/01KHK0000000000000000000AB.md', 'agent', false],
  ])('%s, of what %s proposed for %s with trust %s: %s', (approver, proposer, path, trust, isAllowed) => {
    expect(mayApprove(approver, proposal({ actor: proposer, path, trust }))).toBe(isAllowed);
  });

  it('leaves everything to a person when the home says so', () => {
    const config: Config = { ...defaultConfig(), agents: { ...defaultConfig().agents, review: 'manual' } };
    expect(mayApprove('bot:main', proposal(), policy.reviewRules(config))).toBe(false);
    expect(mayApprove('manual', proposal(), policy.reviewRules(config))).toBe(true);
  });

  it('looks at where a rename leads', () => {
    const change = makeChange(1, { path: 'memory/a.md', before: 'x\n', after: 'x\n', renameTo: 'memory/vault/a.md' });
    expect(mayApprove('bot:main', proposal({ changes: [change] }))).toBe(false);
  });
});

describe('who may do the rest', () => {
  it.each<[actor: string, withdraw: boolean, reject: boolean, defer: boolean]>([
    ['manual', true, true, true],
    ['bot:main', false, true, true],
    ['subagent:coder', true, false, true],
    ['subagent:reviewer', false, false, false],
    ['reader:web', false, false, false],
    ['external', false, false, false],
  ])('%s, of a sub-agent’s proposal: withdraw %s, reject %s, defer %s', (actor, withdraw, reject, defer) => {
    expect(isRefused(() => policy.assertMayWithdraw(proposal(), actor))).toBe(!withdraw);
    expect(isRefused(() => policy.assertMayReject(proposal(), actor))).toBe(!reject);
    expect(isRefused(() => policy.assertMayPostpone(proposal(), actor))).toBe(!defer);
  });

  it('lets the main agent withdraw, but not reject, what a process of its own such as reflection proposed', () => {
    const own = proposal({ actor: 'reflection:r-1' });
    expect(isRefused(() => policy.assertMayWithdraw(own, 'bot:main'))).toBe(false);
    expect(isRefused(() => policy.assertMayReject(own, 'bot:main'))).toBe(true);
  });

  it.each([
    ['reader:web', 'memory/a.md', false],
    ['external', 'memory/a.md', false],
    ['subagent:coder', 'memory/a.md', true],
    ['subagent:coder', 'SOUL.md', true],
    ['bot:main', 'memory/graph/index.md', false],
    ['bot:main', 'memory/meta/proposals/01KHK0000000000000000000AB.md', false],
  ])('%s may propose a change of %s: %s', (actor, path, isAllowed) => {
    expect(isRefused(() => policy.assertMayPropose(actor, [{ path }], RULES))).toBe(!isAllowed);
  });
});

describe('approval by itself', () => {
  const sure = proposal({ confidence: 'high' });
  const rewrite = makeChange(1, { path: 'memory/a.md', before: 'x\n', after: 'y\n' });
  const addition = makeChange(1, { path: 'memory/a.md', before: 'x\n', after: 'x\ny\n' });
  it.each<[what: string, proposal: Proposal, rules: policy.ReviewRules, isApproved: boolean]>([
    ['is off by default', sure, RULES, false],
    ['is for a trusted agent that is sure', sure, TRUSTING, true],
    ['takes additions', { ...sure, changes: [addition] }, TRUSTING, true],
    ['leaves rewrites', { ...sure, changes: [rewrite] }, TRUSTING, false],
    ['leaves what is less sure', { ...sure, confidence: 'medium' }, TRUSTING, false],
    ['leaves what does not say', { ...sure, confidence: undefined }, TRUSTING, false],
    ['leaves agents that are not listed', { ...sure, actor: 'subagent:other' }, TRUSTING, false],
    ['leaves what somebody contradicts', { ...sure, conflictsWith: ['X'] }, TRUSTING, false],
    ['leaves what needs a person', proposal({ confidence: 'high', path: 'SOUL.md' }), TRUSTING, false],
  ])('%s', (_what, subject, rules, isApproved) => {
    expect(policy.mayAutoApprove(subject, rules)).toBe(isApproved);
  });
});

describe('names in the history', () => {
  it('show on whose behalf the main agent commits', () => {
    expect(policy.committerOf(proposal(), 'bot:main')).toBe('bot:commit-from:coder');
    expect(policy.committerOf(proposal(), 'manual')).toBe('manual');
    expect(policy.committerOf(proposal({ actor: 'reflection:r-1' }), 'human:alex')).toBe('human:alex');
  });
});
