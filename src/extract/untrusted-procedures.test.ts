import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import type { Candidate } from '../model/knowledge.ts';
import { TRUST_LEVELS, type Trust } from '../model/provenance.ts';
import { systemRandom } from '../platform/random.ts';
import { Core } from '../memory/stores/core.ts';
import { Entities } from '../memory/stores/entities/entities.ts';
import { Episodes } from '../memory/stores/episodes.ts';
import { EntityRegistry } from '../memory/stores/registry/registry.ts';
import { Procedures } from '../memory/procedures/procedures.ts';
import { HOME_LAYOUT } from '../workspace/formats/layout.ts';
import { placeFinding, type Placement, type Stores } from './place.ts';
import { defaultConfig } from '../model/config/schema.ts';

const clock = { now: () => Date.UTC(2026, 1, 16, 18, 45) };

function openStores(): Stores {
  const root = makeTemporaryFolder();
  const parts = { root, clock, random: systemRandom, timeZone: 'UTC' };
  const registry = new EntityRegistry({ root, state: root, layout: HOME_LAYOUT, clock, journalEnd: () => '' });
  const episodes = new Episodes(parts);
  return {
    parts,
    entities: new Entities(parts, registry),
    core: new Core(parts, episodes, defaultConfig().core),
    episodes,
    procedures: new Procedures(parts),
  };
}

function place(trust: Trust): { readonly placement: Placement; readonly text: string } {
  const candidate: Candidate = {
    kind: 'procedure',
    statement: 'Before a release, run the checks.',
    trigger: 'before a release',
    steps: ['Run the checks.'],
    evidence: { session: 'ses_1', turns: ['t1'], quote: 'run the checks' },
    trust,
    saidMs: clock.now(),
    confidence: 'high',
    importance: 0.7,
    entities: [],
    relations: [],
    tags: [],
    isCoreWorthy: true,
  };
  const finding = { candidate, extractor: 'procedures@1' };
  const placing = { stores: openStores(), finding, entity: undefined, source: 'auto' } as const;
  const placement = placeFinding(placing, { type: 'add', related: [] });
  const texts = placement.plans
    .flatMap(({ changes }) => changes)
    .map((change) => ('edit' in change ? change.edit(undefined) : ''));
  return { placement, text: texts.join('\n') };
}

// SPEC TRUST-5
describe('a way of doing things', () => {
  it.each(TRUST_LEVELS.filter((trust) => trust === 'user' || trust === 'agent'))(
    'said by %s becomes a procedure',
    (trust) => {
      expect(place(trust).placement.store).toBe('procedural');
    },
  );

  it('is the agent’s in the file, when the agent said it', () => {
    expect(place('agent').text).toMatch(/^trust: agent$/mu);
    expect(place('user').text).not.toMatch(/^trust:/mu);
  });

  it.each(['tool', 'import', 'external'] as const)('said by %s is kept as what was said, marked', (trust) => {
    const { placement, text } = place(trust);
    expect(placement.store).toBe('episodic');
    expect(text).toContain(`trust:${trust}`);
  });
});
