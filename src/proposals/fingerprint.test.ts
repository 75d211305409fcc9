import { describe, expect, it } from 'vitest';
import { findClashes, findOpenTwin, findRejectedTwin, fingerprintOf } from './fingerprint.ts';
import { makeChange } from './patch.ts';
import type { Proposal, ProposedChange } from './proposal.ts';

const BASE = '# Alex\n\n- likes tea\n- lives in Rome\n';

function edit(after: string, before = BASE): ProposedChange {
  return makeChange(1, { path: 'a.md', before, after });
}

function proposal(id: string, state: Proposal['state'], changes: readonly ProposedChange[]): Proposal {
  return {
    id,
    state,
    kind: 'memory',
    title: 'T',
    why: '',
    evidence: [],
    actor: 'subagent:coder',
    trust: 'agent',
    created: '2026-02-16T18:45:00.000Z',
    changes,
    conflictsWith: [],
  };
}

const coffee = edit(BASE.replace('tea', 'coffee'));

// SPEC PROPOSAL-3
describe('a fingerprint', () => {
  it('does not depend on what stands around the change, on anchors or metadata', () => {
    const elsewhere = `New first line.\n\n${BASE}`;
    expect(fingerprintOf(edit(elsewhere.replace('tea', 'coffee'), elsewhere))).toBe(fingerprintOf(coffee));
    const annotated = BASE.replace('likes tea', 'likes   coffee <!-- importance:0.4 --> ^7k2m9x0q4t1za');
    expect(fingerprintOf(edit(annotated))).toBe(fingerprintOf(coffee));
  });

  it('does not depend on the day and the id that name a new file', () => {
    const create = (name: string, day: string, id: string, text = 'The attic is haunted.'): ProposedChange =>
      makeChange(1, {
        path: `memory/vault/${name}.md`,
        before: undefined,
        after: `---\ntype: vault\ncreated: ${day}\n---\n\n${text} ^${id}\n`,
      });
    const first = fingerprintOf(create('2026-11-19-attic-zq24f', '2026-11-19', 'zq24f62z3hcd1'));
    expect(fingerprintOf(create('2026-11-20-attic-m8c0a', '2026-11-20', 'm8c0a62z3hcd1'))).toBe(first);
    expect(fingerprintOf(create('2026-11-20-cellar-m8c0a', '2026-11-20', 'm8c0a62z3hcd1'))).not.toBe(first);
    expect(fingerprintOf(create('2026-11-20-attic-m8c0a', '2026-11-20', 'm8c0a62z3hcd1', 'No.'))).not.toBe(first);
    expect(fingerprintOf(create('attic-of-house', '2026-11-20', 'm8c0a62z3hcd1'))).not.toBe(first);
  });

  it('depends on the words, the file and what is done', () => {
    const others = [
      edit(BASE.replace('tea', 'water')),
      makeChange(1, { path: 'b.md', before: BASE, after: BASE.replace('tea', 'coffee') }),
      makeChange(1, { path: 'a.md', before: BASE, after: BASE.replace('tea', 'coffee'), renameTo: 'b.md' }),
    ];
    expect(new Set([coffee, ...others].map(fingerprintOf)).size).toBe(4);
  });
});

describe('what was decided before', () => {
  it('answers a proposal only if every change of it was rejected', () => {
    const rome = makeChange(2, { path: 'b.md', before: BASE, after: BASE.replace('Rome', 'Paris') });
    const earlier = [
      proposal('1', 'rejected', [coffee]),
      proposal('2', 'applied', [{ ...rome, state: 'rejected' }]),
      proposal('3', 'withdrawn', [edit(BASE.replace('tea', 'milk'))]),
    ];
    expect(findRejectedTwin(earlier, [coffee])?.id).toBe('1');
    expect(findRejectedTwin(earlier, [coffee, rome])?.id).toBe('2');
    expect(findRejectedTwin(earlier, [coffee, edit(BASE.replace('tea', 'water'))])).toBeUndefined();
    expect(findRejectedTwin(earlier, [edit(BASE.replace('tea', 'milk'))])).toBeUndefined();
  });

  it('does not count the part of a rejected proposal that had been applied', () => {
    expect(findRejectedTwin([proposal('1', 'rejected', [{ ...coffee, state: 'applied' }])], [coffee])).toBeUndefined();
  });

  it('finds what is waiting already', () => {
    expect(findOpenTwin([proposal('1', 'deferred', [coffee])], [coffee])?.id).toBe('1');
    expect(findOpenTwin([proposal('1', 'rejected', [coffee])], [coffee])).toBeUndefined();
  });
});

describe('clashes', () => {
  it('are changes of the same line, or a deletion against anything', () => {
    const waiting = [proposal('1', 'pending', [coffee])];
    const deletion = makeChange(1, { path: 'a.md', before: BASE, after: undefined });
    expect(findClashes(waiting, [edit(BASE.replace('tea', 'water'))])).toHaveLength(1);
    expect(findClashes(waiting, [deletion])).toHaveLength(1);
    expect(findClashes(waiting, [edit(BASE.replace('Rome', 'Paris'))])).toEqual([]);
    expect(findClashes([proposal('1', 'applied', [coffee])], [deletion])).toEqual([]);
  });
});
