import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repetitions } from '../../test/support/effort.ts';
import { checkFrontmatter } from '../model/schemas/index.ts';
import { parseDocument } from '../workspace/markdown/document.ts';
import { parseProposal } from './parse.ts';
import { makeChange } from './patch.ts';
import type { Proposal } from './proposal.ts';
import { renderProposal, withDiffs, withEditedBody, withHeader } from './render.ts';

const ID = '01KHK0000000000000000000AB';

const PROPOSAL: Proposal = {
  id: ID,
  state: 'pending',
  kind: 'reflection',
  title: 'Alex prefers coffee',
  why: 'Alex said so twice.\n\n```md\n# not a heading\n```',
  evidence: ['transcript ses_a1b2c3d4 turn 7 ^7k2m9x0q4t1za', '```odd'],
  actor: 'subagent:researcher',
  trust: 'agent',
  scope: 'shared',
  created: '2026-02-16T18:45:00.000Z',
  base: '01KHJ0000000000000000000AB',
  confidence: 'high',
  expires: undefined,
  trigger: 'research: drinks',
  session: 'ses_a1b2c3d4',
  changes: [
    makeChange(1, { path: 'MEMORY.md', before: '# Core\n\n- tea\n', after: '# Core\n\n- coffee\n' }),
    makeChange(2, { path: 'memory/a.md', before: undefined, after: 'One\n\n````md\n```\n````\n' }),
    makeChange(3, { path: 'memory/b.md', before: 'x\n', after: 'x\n', renameTo: 'memory/c.md' }),
    makeChange(4, { path: 'memory/d.md', before: 'gone\n', after: undefined }),
  ],
  conflictsWith: ['01KHH0000000000000000000AB'],
  decided: undefined,
  decidedBy: undefined,
  reason: undefined,
};

describe('a proposal as a file', () => {
  it('reads like a page and passes its schema', async () => {
    const text = renderProposal(PROPOSAL);
    await expect(text).toMatchFileSnapshot('proposal.golden.md');
    expect(checkFrontmatter('proposal', parseDocument(text).frontmatter?.values ?? {})).toEqual([]);
  });

  it('comes back as it was', () => {
    expect(parseProposal(renderProposal(PROPOSAL), ID)).toEqual({ proposal: PROPOSAL, findings: [] });
  });

  it('is the same to the byte after any number of rounds, whatever its words are', () => {
    const words = fc.oneof(fc.string(), fc.stringMatching(/^[#`~\-> \n<!:\\^a]*$/));
    const file = fc.string({ unit: fc.constantFrom('a', 'b', '`', '#', '-', '\n', ' ', '\\') });
    fc.assert(
      fc.property(
        words,
        words,
        fc.array(words, { maxLength: 3 }),
        file,
        file,
        (title, why, evidence, before, after) => {
          fc.pre(before !== after);
          const changes = [makeChange(1, { path: 'memory/x.md', before, after })];
          const text = renderProposal({ ...PROPOSAL, title, why, evidence, changes });
          const { proposal, findings } = parseProposal(text, ID);
          expect(findings).toEqual([]);
          expect(proposal?.changes).toEqual(changes);
          expect(proposal === undefined ? '' : renderProposal(proposal)).toBe(text);
        },
      ),
      { numRuns: repetitions(200, 1000) },
    );
  });

  it('keeps what a person wrote around a header that changes', () => {
    const byHand = renderProposal(PROPOSAL)
      .replace('kind: reflection', 'kind: reflection # mine\nmood: good')
      .replace('## Change 1', 'A note of mine.\n\n## Change 1');
    const decided = withHeader(byHand, { state: 'rejected', reason: 'no: never', changes: PROPOSAL.changes });
    expect(decided.replace('state: rejected', 'state: pending').replace('reason: "no: never"\n', '')).toBe(byHand);
    expect(withHeader(decided, { state: 'pending', reason: null })).toBe(byHand);
  });

  it('takes new diffs without touching the rest', () => {
    const text = renderProposal(PROPOSAL).replace('## Change 2', 'A note of mine.\n\n## Change 2');
    const [first] = PROPOSAL.changes;
    const changed = makeChange(1, { path: 'MEMORY.md', before: '# Core\n\n- tea\n', after: '# Core\n\n- water\n' });
    const updated = withDiffs(text, [changed]);
    expect(parseProposal(updated, ID).proposal?.changes[0]?.diff).toBe(changed.diff);
    expect(withDiffs(updated, first === undefined ? [] : [first])).toBe(text);
  });
});

describe('a proposal that a person edited', () => {
  const text = renderProposal(PROPOSAL);

  it('is read in CRLF', () => {
    const { proposal, findings } = parseProposal(text.replaceAll('\n', '\r\n'), ID);
    expect(findings).toEqual([]);
    expect(proposal?.changes).toEqual(PROPOSAL.changes);
    expect(proposal?.why).toBe(PROPOSAL.why);
  });

  it('leaves out a change whose section was removed', () => {
    const shortened = text.slice(0, text.indexOf('## Change 4'));
    const { proposal, findings } = parseProposal(shortened, ID);
    expect(proposal?.changes.map((change) => change.number)).toEqual([1, 2, 3]);
    expect(findings).toEqual(['no longer shows change 4, which is therefore left out']);
  });

  it('takes another path from the heading, without the old base', () => {
    const { proposal } = parseProposal(text.replace('edit `MEMORY.md`', 'edit `USER.md`'), ID);
    expect(proposal?.changes[0]).toMatchObject({ path: 'USER.md', base: undefined });
  });

  it('takes a change that was added by hand', () => {
    const added = `${text}\n## Change 5: create \`memory/new.md\`\n\n~~~diff\n+hello\n~~~\n`;
    expect(parseProposal(added, ID).proposal?.changes[4]).toMatchObject({
      action: 'create',
      path: 'memory/new.md',
      diff: '+hello\n',
    });
  });

  it('gets the safe reading where its header makes no sense', () => {
    const odd = text.replace('state: pending', 'state: done').replace('trust: agent', 'trust: total');
    const { proposal, findings } = parseProposal(odd, ID);
    expect(proposal).toMatchObject({ state: 'pending', trust: 'external' });
    expect(findings).toHaveLength(2);
  });

  it('is no proposal without a header or a name', () => {
    expect(parseProposal('just text\n', ID).proposal).toBeUndefined();
    expect(parseProposal('---\nid: [\n---\n', ID).proposal).toBeUndefined();
    expect(parseProposal(text, 'notes').proposal).toBeUndefined();
  });

  it('cannot change who proposed it by an edit of its body', () => {
    const edited = text.replace('trust: agent', 'trust: user').replace('+- coffee', '+- water');
    const result = withEditedBody(text, edited);
    expect(result).toContain('trust: agent');
    expect(result).toContain('+- water');
  });
});
