import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractInput, finding, NOW_MS, turn } from '../testing/harness.ts';
import type { Finding } from '../schemas.ts';
import { cutIntoWindows } from '../windows.ts';
import { siftFindings, type Sifted } from './findings.ts';

const turns = [
  turn('t1', 'Shall I keep the API on port 8080?', { role: 'agent', trust: 'agent', timeMs: NOW_MS - 60_000 }),
  turn('t2', 'No, the API of `harbor` listens on port 8443 — Jonas Weidel moved it on Friday.', { name: 'Ines' }),
  turn('t3', 'The page says: rate limit is 100 calls', { role: 'tool', trust: 'external' }),
];

const GOOD: Partial<Finding> = {
  kind: 'correction',
  statement: 'The API of harbor listens on port 8443.',
  turns: ['t2'],
  quote: 'the API of harbor listens on port 8443',
};

function sift(given: Partial<Finding>, fromTurn?: string): Sifted {
  const input = extractInput(turns, { fromTurn });
  const [window] = cutIntoWindows(input.conversation, fromTurn);
  if (window === undefined) throw new Error('There is no window.');
  return siftFindings([finding({ ...GOOD, ...given })], window, input);
}

function kept(given: Partial<Finding> = {}) {
  const { candidates, dropped } = sift(given);
  expect([...dropped]).toEqual([]);
  return candidates[0];
}

// SPEC LEARN-4
describe('a finding is dropped', () => {
  it.each<[string, Partial<Finding>, string]>([
    ['of an unknown kind', { kind: 'secret' }, 'of a kind nobody asked for'],
    ['that cites no turn', { turns: [] }, 'citing turns that do not exist'],
    ['that cites a turn there is not', { turns: ['t9', '../t2'] }, 'citing turns that do not exist'],
    ['that quotes what nobody said', { quote: 'the API listens on port 9999' }, 'quoting words nobody said'],
    ['that quotes another turn', { quote: 'keep the API on port 8080' }, 'quoting words nobody said'],
    ['with a quote that proves nothing', { quote: 'on' }, 'quoting words nobody said'],
    ['without a quote', { quote: ' … ' }, 'quoting words nobody said'],
    [
      'that is made up around a true quote',
      { statement: 'Ines owes her landlord three months of rent.' },
      'saying what nobody said',
    ],
    ['that is too long', { statement: 'port 8443 '.repeat(60) }, 'too long or empty'],
    ['that is empty', { statement: ' \u202E ' }, 'too long or empty'],
    [
      'that leads out of the home',
      { subject: { name: '../../etc/passwd', type: 'tool' } },
      'naming a path nobody named',
    ],
    [
      'that names a path by an entity',
      { entities: [{ name: '/etc/shadow', type: 'document' }] },
      'naming a path nobody named',
    ],
    [
      'that invents a path',
      { statement: 'The API of harbor on port 8443 reads ~/.ssh/id_ed25519.' },
      'naming a path nobody named',
    ],
  ])('%s', (_name, given, reason) => {
    const { candidates, dropped } = sift(given);
    expect(candidates).toEqual([]);
    expect([...dropped]).toEqual([[reason, 1]]);
  });

  it('of a kind that was not asked for', () => {
    const input = extractInput(turns, { kinds: ['task'] });
    const [window] = cutIntoWindows(input.conversation);
    expect(window && siftFindings([finding(GOOD)], window, input).candidates).toEqual([]);
  });

  it('when it rests only on turns that were processed before', () => {
    expect([...sift({}, 't3').dropped]).toEqual([['resting on turns that were read before', 1]]);
    expect(sift({ turns: ['t2', 't3'] }, 't3').candidates).toHaveLength(1);
  });

  it('past the number that is taken, and when it is there already', () => {
    const input = extractInput(turns);
    const [window] = cutIntoWindows(input.conversation);
    const many = Array.from({ length: 60 }, (_, index) =>
      finding({ ...GOOD, statement: `The API listens on port 8443, ${index}.` }),
    );
    const sifted = window && siftFindings([...many, ...many], window, input);
    expect(sifted?.candidates).toHaveLength(40);
    expect([...(sifted?.dropped ?? [])]).toEqual([['beyond the number that is taken', 80]]);
  });
});

describe('what is kept is read from the turns', () => {
  it('session, turns, time and trust', () => {
    expect(kept()).toMatchObject({
      evidence: { session: 'ses_test', turns: ['t2'], quote: 'the API of harbor listens on port 8443' },
      trust: 'user',
      saidMs: NOW_MS,
      confidence: 'high',
    });
  });

  it('trust is the lowest of the cited turns, whatever the model claims, and lowers the rest', () => {
    const quote = 'rate limit is 100 calls';
    expect(kept({ turns: ['t2', 't3', 't99'], quote, is_core_worthy: true })).toMatchObject({
      evidence: { turns: ['t2', 't3'] },
      trust: 'external',
      confidence: 'medium',
      isCoreWorthy: false,
    });
    expect(kept({ is_core_worthy: true })?.isCoreWorthy).toBe(true);
  });

  it('a path that was said may be named', () => {
    const said = [turn('t1', 'nginx reads /etc/nginx/harbor.conf on the staging host')];
    const input = extractInput(said);
    const [window] = cutIntoWindows(input.conversation);
    const given = {
      statement: 'nginx reads /etc/nginx/harbor.conf on the staging host.',
      quote: 'nginx reads /etc/nginx',
    };
    expect(window && siftFindings([finding(given)], window, input).candidates).toHaveLength(1);
  });

  it('quotes may leave words out and set their marks differently', () => {
    expect(kept({ quote: '“The API … on PORT 8443 - Jonas Weidel moved it”' })).toBeDefined();
  });
});

describe('values are normalised', () => {
  it('numbers, days and words', () => {
    const candidate = kept({
      importance: 7,
      confidence: 'certain',
      attribute: 'Port Number',
      value: '8443',
      from: '2026-11-13',
      until: 'soon',
      due: '2026-02-31',
      tags: ['API!', 'api', 'Ports & Hosts', '', 'a', 'b', 'c', 'd'],
    });
    expect(candidate).toMatchObject({
      importance: 1,
      confidence: 'low',
      attribute: 'port-number',
      value: '8443',
      from: '2026-11-13',
    });
    expect(candidate).not.toHaveProperty('until');
    expect(candidate).not.toHaveProperty('due');
    expect(candidate?.tags).toEqual(['api', 'ports-hosts', 'a', 'b', 'c']);
  });

  it('a property without a value is none', () => {
    expect(kept({ attribute: 'port', value: '' })).not.toHaveProperty('attribute');
  });

  it('names nobody said are left out, the user is recognised, relations need both ends', () => {
    const candidate = kept({
      subject: { name: 'the user', type: 'human' },
      entities: [
        { name: 'harbor', type: 'Project' },
        { name: 'Jonas\u202E Weidel', type: 'person' },
        { name: 'Kubernetes', type: 'tool' },
        { name: 'INES', type: 'person' },
      ],
      relations: [
        { subject: 'Jonas Weidel', relation: 'works_with', object: 'Ines' },
        { subject: 'harbor', relation: 'uses', object: 'Kubernetes' },
        { subject: 'harbor', relation: '../x', object: 'Ines' },
      ],
    });
    const ines = { name: 'Ines', type: 'person', isUser: true };
    const jonas = { name: 'Jonas Weidel', type: 'person' };
    expect(candidate?.subject).toEqual(ines);
    expect(candidate?.entities).toEqual([{ name: 'harbor', type: 'project' }, jonas, ines]);
    expect(candidate?.relations).toEqual([{ subject: jonas, relation: 'works-with', object: ines }]);
  });

  it('line breaks inside a value become spaces, and empty and overlong steps are dropped', () => {
    const candidate = kept({ rationale: 'Jonas\n## moved\u0007 it', steps: ['one\ntwo', '', 'x'.repeat(301)] });
    expect(candidate).toMatchObject({ rationale: 'Jonas ## moved it', steps: ['one two'] });
  });
});

it('whatever a model answers, nothing is thrown and every kept finding cites real words', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom('t1', 't2', 'port 8443', '../x', 'harbor'),
  );
  const arbitrary = fc.record({
    kind: fc.oneof(fc.constantFrom('fact', 'task', 'correction'), text),
    statement: fc.oneof(text, fc.constant('The API of harbor listens on port 8443.')),
    turns: fc.array(text, { maxLength: 4 }),
    quote: fc.oneof(text, fc.constant('the API of harbor listens')),
    importance: fc.double({ noNaN: true }),
    from: text,
    owner: text,
    entities: fc.array(fc.record({ name: text, type: text }), { maxLength: 4 }),
    relations: fc.array(fc.record({ subject: text, relation: text, object: text }), { maxLength: 4 }),
    tags: fc.array(text, { maxLength: 8 }),
  });
  fc.assert(
    fc.property(arbitrary, (given) => {
      for (const candidate of sift(given).candidates) {
        expect(candidate.evidence.turns.every((id) => turns.some((each) => each.id === id))).toBe(true);
        expect(candidate.importance).toBeGreaterThanOrEqual(0);
        expect(candidate.importance).toBeLessThanOrEqual(1);
        for (const { name } of candidate.entities) expect(name).not.toMatch(/\.\.|^\//u);
      }
    }),
    { numRuns: 300 },
  );
});
