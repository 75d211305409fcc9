import { describe, expect, it } from 'vitest';
import type { KnowledgeKind } from '../../../model/knowledge.ts';
import { conversationOf } from '../../testing/table.ts';
import { candidatesOf } from '../reasoner.ts';
import type { Utterance } from '../clauses/utterance.ts';
import { type Chances, type Finding, NOTHING, notice } from '../kinds/finding.ts';
import { stateFinding } from '../statement/statement.ts';
import { setScene } from './scene.ts';
import { isStanding } from './find.ts';

/** The last statement of a conversation, taken for a kind. */
async function findingOf(kind: KnowledgeKind, said: readonly string[]) {
  const scene = await setScene(conversationOf(said));
  const utterance = scene.turns.flat().at(-1);
  if (utterance === undefined) throw new Error('nothing said');
  const finding: Finding = { kind, heard: notice(utterance, scene), score: 0.9 };
  return { finding, scene };
}

async function stands(kind: KnowledgeKind, said: readonly string[]): Promise<boolean> {
  const { finding, scene } = await findingOf(kind, said);
  return isStanding(finding, scene);
}

describe('what has lost what it speaks of', () => {
  it.each<[KnowledgeKind, string]>([
    ['preference', 'Write that down as decision record ADR-009 please'],
    ['decision', "We'll drop it in 0.13, announce before"],
    ['decision', 'Ask him first. If he can take the MSI, then kill the zip in 0.12'],
    ['decision', 'Stays at 5'],
    ['decision', 'Take back what we decided in early March'],
    ['preference', 'I hate deploying the day before'],
    ['decision', 'People stay at 200'],
    ['task', 'Restart on Friday 5 June with a new salt'],
    ['fact', 'I have a spare 2 TB one in the drawer'],
  ])('%s: %s', async (kind, said) => {
    expect(await stands(kind, [said])).toBe(false);
  });
});

describe('what stays', () => {
  it.each<[KnowledgeKind, string]>([
    ['preference', 'Show me a plan before touching more than three files'],
    ['decision', 'Hand-written SQL stays, and Kysely is for the dynamic ones only'],
    ['task', "I'll ask Tobias for a bigger instance in the next budget"],
    ['task', 'I promised the landlord the reading by Friday'],
    ['procedure', 'First restore the dump, then migrate, then compare the sums'],
    ['person', 'Henrik runs the dispatch floor in Gothenburg'],
    ['lesson', 'We lost two boards because the diode was missing'],
  ])('%s: %s', async (kind, said) => {
    expect(await stands(kind, [said])).toBe(true);
  });
});

describe('a statement', () => {
  it('takes nothing along when it names whom its pronoun means', async () => {
    const said = ['Nice guy. Joana Freitas is the product manager, she decides priorities'];
    const { finding, scene } = await findingOf('person', said);
    expect(stateFinding(finding, scene)).not.toContain('Nice guy');
  });

  it('is not taken along by another when it is surely of another kind: each sentence is written once', async () => {
    const said = ['The export broke at the row limit of the viewer. The export is split by depot and week'];
    const scene = await setScene(conversationOf(said));
    const chancesOf = ({ index }: Utterance): Chances => ({
      ...NOTHING,
      none: 0,
      [index === 0 ? 'lesson' : 'decision']: 1,
    });
    const told = candidatesOf({ ...scene, chancesOf });
    expect(told.map(({ kind }) => kind)).toEqual(['lesson', 'decision']);
    expect(told.filter(({ statement }) => statement.includes('row limit'))).toHaveLength(1);
    expect(told.filter(({ statement }) => statement.includes('by depot'))).toHaveLength(1);
  });

  it('that is a step of a list takes the whole list along, and is written once', async () => {
    const said = ['How we flush the sand trap:\n1. close the intake\n2. open the bottom gate\n3. wait ten minutes'];
    const scene = await setScene(conversationOf(said));
    const told = candidatesOf({ ...scene, chancesOf: () => ({ ...NOTHING, none: 0, procedure: 1 }) });
    expect(told.map(({ statement }) => statement)).toEqual([
      expect.stringMatching(/sand trap.*close the intake.*bottom gate.*ten minutes/u),
    ]);
  });
});
