import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../model/config/schema.ts';
import type { Scope } from '../model/provenance.ts';
import { hideForeignItems, seesPrompt, visibleTo, type Requester } from './visible-to.ts';

const config = defaultConfig();
const admitted = { agents: { ...config.agents, scopes: { eye: ['project:apollo' as const] } } };

function requester(actor: string, confinedTo?: Scope, settings: Requester['config'] = config): Requester {
  return { actor, confinedTo, config: settings };
}

// SPEC SCOPE-3
describe('what somebody sees', () => {
  it.each<[string, Requester, Scope, boolean]>([
    ['a person', requester('manual'), 'user:anna', true],
    ['the main agent', requester('bot:main'), 'project:apollo', true],
    ['a sub-agent, of others', requester('subagent:eye'), 'project:apollo', false],
    ['a sub-agent, of its own', requester('subagent:Eye'), 'agent:eye', true],
    ['a sub-agent that was let in', requester('subagent:eye', undefined, admitted), 'project:apollo', true],
    ['another sub-agent', requester('subagent:constructor', undefined, admitted), 'project:apollo', false],
    ['a reader', requester('reader:eye'), 'channel:ops', false],
    ['a confined person', requester('manual', 'project:zeus'), 'project:apollo', false],
    ['who is confined, of its own', requester('subagent:x', 'project:zeus'), 'project:zeus', true],
    ['anybody, of what is shared', requester('reader:eye', 'project:zeus'), 'shared', true],
  ])('%s', (_who, who, owner, expected) => {
    expect(visibleTo(who).sees(owner)).toBe(expected);
  });

  it('is one scope a call, their own when none is named', () => {
    const confined = visibleTo(requester('bot:main', 'project:zeus'));
    expect(confined.enter(undefined)).toBe('project:zeus');
    expect(confined.enter('shared')).toBe('shared');
    expect(confined.enterToWrite(undefined)).toBe('project:zeus');
    expect(() => confined.enterToWrite('shared')).toThrow(/not into what is shared/u);
    expect(() => confined.enter('project:apollo')).toThrow(/does not see/u);
    expect(() => confined.enter('../x')).toThrow(/no scope/u);
    expect(visibleTo(requester('bot:main')).enter(undefined)).toBe('shared');
  });

  it('keeps what was asked outside of scopes between those two who spoke', () => {
    expect(seesPrompt(requester('reader:eye'), 'shared')).toBe(false);
    expect(seesPrompt(requester('bot:main', 'project:apollo'), 'project:apollo')).toBe(true);
    expect(seesPrompt(requester('bot:main', 'project:zeus'), 'project:apollo')).toBe(false);
    expect(seesPrompt(requester('manual'), undefined)).toBe(true);
  });

  it('leaves out items that are marked as another scope’s', () => {
    const text = '- for all\n- for one <!-- scope:project:apollo -->\n';
    expect(hideForeignItems(visibleTo(requester('reader:eye')), text)).toBe('- for all\n');
    const nested = '- for one\n  and more <!-- scope:project:apollo -->\n  - below it\n- for all\n';
    expect(hideForeignItems(visibleTo(requester('reader:eye')), nested)).toBe('- for all\n');
    expect(hideForeignItems(visibleTo(requester('reader:eye', 'project:apollo')), text)).toBe(text);
    expect(hideForeignItems(visibleTo(requester('manual')), text)).toBe(text);
  });
});
