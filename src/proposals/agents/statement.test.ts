import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { must } from '../../model/errors.ts';
import { parseProposal } from '../parse.ts';
import type { Proposal } from '../proposal.ts';
import { renderProposal } from '../render.ts';
import { numberProposals, renderPendingMemories } from './pending-memories.ts';
import { findStatementTwin, itemOfProposal, SUGGESTED_STORES, type ProposedStatement } from './statement.ts';

const ID = '01KHPXK7V5T9QZ3M8N2R4W6Y0A';

function proposal(
  content: string,
  overrides: Partial<Proposal> = {},
  store: ProposedStatement['store'] = 'episodic',
): Proposal {
  return {
    id: ID,
    state: 'pending',
    kind: 'memory',
    title: 'a title',
    why: '',
    evidence: [],
    actor: 'subagent:coder',
    trust: 'agent',
    created: '2026-02-16T18:45:00.000Z',
    changes: [],
    conflictsWith: [],
    statement: { content, store, entities: ['person--alex'], isCoreWorthy: true, contradicts: ['7k2m9x0q4t1za'] },
    ...overrides,
  };
}

describe('a statement', () => {
  it('is read back from its file as it was said', () => {
    const words = fc.constantFrom(
      '# Memory',
      '## Memory',
      '## Change 1: edit `x`',
      '```diff',
      '---',
      '- [ ] x',
      'plain',
      'two  spaces',
    );
    const content = fc.array(words, { minLength: 1, maxLength: 6 }).map((lines) => lines.join('\n\n'));
    fc.assert(
      fc.property(content, fc.constantFrom(...SUGGESTED_STORES), (text, store) => {
        const { proposal: read } = parseProposal(renderProposal(proposal(text, {}, store)), ID);
        const { statement, changes } = must(read, 'proposal');
        expect(changes).toEqual([]);
        expect(statement).toMatchObject({
          store,
          entities: ['person--alex'],
          isCoreWorthy: true,
          contradicts: ['7k2m9x0q4t1za'],
        });
        expect(statement?.content.split('\n')[0]?.trim()).toBe(text.split('\n')[0]?.trim());
      }),
    );
  });

  it('becomes the same item however often it is tried', () => {
    expect(itemOfProposal(ID)).toBe(itemOfProposal(ID));
    expect(itemOfProposal(ID)).not.toBe(itemOfProposal(ID.replace('A', 'B')));
  });

  it('has a twin where another says the same, in its own scope only', () => {
    const open = proposal('The gate is open.');
    const said = must(open.statement, 'statement');
    expect(findStatementTwin([open], { ...said, content: 'the gate  is open' }, undefined).open).toBe(open);
    expect(findStatementTwin([open], said, 'project:apollo').open).toBeUndefined();
    expect(findStatementTwin([{ ...open, state: 'rejected' }], said, 'shared').rejected?.id).toBe(ID);
    expect(findStatementTwin([{ ...open, state: 'applied' }], said, 'shared')).toEqual({});
  });
});

describe('the view of what waits', () => {
  it('is S4’s, with conflicts on both sides', () => {
    const other = ID.replace('A', 'B');
    const one = proposal('Deadline is March 15', { conflictsWith: [other], confidence: 'medium' });
    const two = proposal('Deadline is March 30', { id: other, conflictsWith: [ID] });
    const text = renderPendingMemories(numberProposals([one, two], [one, two]));
    expect(text).toContain('# Pending Memory Proposals\n');
    expect(text).toContain(
      [
        '## Proposal #1 ⚠️ CONFLICT with #2',
        '- **From**: coder',
        '- **Timestamp**: 2026-02-16T18:45:00.000Z',
        '- **Trigger**: not said',
        '- **Suggested store**: episodic',
        '- **Content**: Deadline is March 15',
        '- **Entities**: [person--alex]',
        '- **Confidence**: medium',
        '- **Core-worthy**: yes',
        '- **Status**: conflict — see #2, ^7k2m9x0q4t1za',
      ].join('\n'),
    );
    expect(text).toContain('## Proposal #2 ⚠️ CONFLICT with #1');
  });
});
