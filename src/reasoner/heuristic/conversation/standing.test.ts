import { describe, expect, it } from 'vitest';
import type { KnowledgeKind } from '../../../model/knowledge.ts';
import { conversationOf } from '../../testing/table.ts';
import { candidatesOf } from '../extract.ts';
import type { Finding } from '../kinds/finding.ts';
import { notice } from '../kinds/notice.ts';
import { OUTCOMES, type Chances } from '../kinds/outcomes.ts';
import { stateFinding } from '../statement/statement.ts';
import { setScene } from './scene.ts';
import { isStanding } from './standing.ts';

/** The last statement of a conversation, taken for a kind. */
async function findingOf(kind: KnowledgeKind, said: readonly string[], strictness = 0) {
  const scene = { ...(await setScene(conversationOf(said))), strictness };
  const utterance = scene.turns.flat().at(-1);
  if (utterance === undefined) throw new Error('nothing said');
  const finding: Finding = { kind, heard: notice(utterance, scene), score: 0.9 };
  return { finding, scene };
}

async function stands(kind: KnowledgeKind, said: readonly string[], strictness = 0): Promise<boolean> {
  const { finding, scene } = await findingOf(kind, said, strictness);
  return isStanding(finding, scene);
}

describe('what passes with the work at hand', () => {
  it.each<[KnowledgeKind, string]>([
    ['preference', 'Write that down as decision record ADR-009 please'],
    ['decision', "We'll drop it in 0.13, announce before"],
    ['decision', 'Ask him first. If he can take the MSI, then kill the zip in 0.12'],
    ['decision', 'Stays at 5'],
    ['decision', 'We forgot the extension, and nearby-stops threw errors for ten minutes'],
    ['decision', 'Take back what we decided in early March'],
    ['preference', 'I hate deploying the day before'],
    ['task', 'I saw "remaining connection slots are reserved" in the prod logs on Sunday'],
    ['task', "I'll ask Priya to read it because Tobias is out until Monday"],
    ['procedure', 'Load test of the imports tomorrow, then freeze, then deploy'],
    ['person', 'Henrik asks for a CSV of the routes'],
    ['fact', 'I am working on packages/api'],
    ['fact', '`dyld[5121]: Library not loaded: libopus` on the new machine'],
    ['task', 'Brennholt has been sending order books since Saturday'],
    ['task', 'We can do jitter next week'],
    ['procedure', "Things I didn't get to: a page on formats, a picture of the path, and the list of plugins"],
    ['fact', 'Wednesday the 20th, 14:00 to 17:00, the site returned an error page'],
    ['fact', 'The review is at three'],
    ['fact', 'The endpoint brought the bill for the second half of March to 29 euros'],
    ['lesson', 'I did it at the hackerspace yesterday: five people, ten seconds each'],
    ['correction', 'The fix is the ring buffer, ship it tonight'],
    ['decision', 'People stay at 200'],
    ['task', 'Date: the night to Sunday 22 March'],
    ['task', 'Restart on Friday 5 June with a new salt'],
    ['fact', 'I have a spare 2 TB one in the drawer'],
  ])('%s: %s', async (kind, said) => {
    expect(await stands(kind, [said])).toBe(false);
  });

  it('is asked about tonight', async () => {
    const said = ['A: Should I trigger the nightly by hand, or wait for tonight?', 'By hand, Yuki needs the numbers'];
    expect(await stands('task', said)).toBe(false);
  });
});

describe('what has lost what it speaks of, where tools do the work', () => {
  it.each<[KnowledgeKind, string]>([
    ['decision', 'Option 1, and on a conflict the route with the earlier departure wins'],
    ['fact', "We're on 20.11, which goes out of support"],
    ['preference', '24 h in general, and 90 minutes for cells in the centre'],
    ['preference', 'Only data-loss or security fixes'],
  ])('%s: %s', async (kind, said) => {
    expect(await stands(kind, [said], 1)).toBe(false);
    expect(await stands(kind, [said], 0.2)).toBe(true);
  });

  it('is no reminder that somebody asks for', async () => {
    expect(await stands('task', ['Remind me to send the landlord one copy of the contract next week'], 1)).toBe(true);
    expect(await stands('task', ['Remind me to call the vet next week, she needs the chip number'], 1)).toBe(true);
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
    const chancesOf = (features: readonly string[]): Chances => {
      const kind = features.includes('f:first') ? 'lesson' : 'decision';
      return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, outcome === kind ? 1 : 0])) as Chances;
    };
    const said = ['The export broke at the row limit of the viewer. The export is split by depot and week'];
    const scene = await setScene(conversationOf(said), chancesOf);
    const told = candidatesOf(scene);
    expect(told.map(({ kind }) => kind)).toEqual(['lesson', 'decision']);
    expect(told.filter(({ statement }) => statement.includes('row limit'))).toHaveLength(1);
    expect(told.filter(({ statement }) => statement.includes('by depot'))).toHaveLength(1);
  });
});
