import { describe, expect, it } from 'vitest';
import type { KnowledgeKind } from '../../../model/knowledge.ts';
import { conversationOf } from '../../testing/table.ts';
import { setScene } from '../conversation/scene.ts';
import { notice } from '../kinds/finding.ts';
import { rationaleOf, stateFinding, stepsOf, triggerOf } from './statement.ts';

async function state(said: readonly string[], kind: KnowledgeKind, project?: string): Promise<string> {
  const scene = await setScene(conversationOf(said, { project }));
  const utterance = scene.turns.at(-1)?.at(-1);
  if (utterance === undefined) throw new Error('nothing was said');
  return stateFinding({ kind, heard: notice(utterance, scene), score: 1 }, scene);
}

describe('statements', () => {
  it.each<[string, KnowledgeKind, string]>([
    ['I live in Hamburg', 'fact', 'Ada lives in Hamburg.'],
    ["i'm allergic to nuts", 'fact', 'Ada is allergic to nuts.'],
    ['i never carry an umbrella', 'preference', 'Ada never carries an umbrella.'],
    ["I've got two cats", 'fact', 'Ada has got two cats.'],
    ['my sister likes tea', 'person', "Ada's sister likes tea."],
    ["i don't eat meat", 'preference', "Ada doesn't eat meat."],
    ['we go by train', 'decision', 'We go by train.'],
    ['I rewrote the parser', 'fact', 'I rewrote the parser.'],
    ['I live in Graz and work as a nurse', 'fact', 'I live in Graz and work as a nurse.'],
    ['i have to call Tom and ask him', 'task', 'Ada has to call Tom and ask him.'],
    ["I'd already packed", 'fact', "I'd already packed."],
    ['btw i like tea, lol', 'preference', 'Ada likes tea.'],
    ['call Tom tomorrow, i said tomorrow', 'task', 'Call Tom tomorrow (2026-03-03), Ada said tomorrow.'],
    ["let's not support tables", 'decision', 'Ada decided not to support tables.'],
    ['remind me to call Tom tomorrow', 'task', 'Ada has to call Tom tomorrow (2026-03-03).'],
    ['never push without asking me', 'preference', 'Never push without asking Ada.'],
    ['i moved to Berlin', 'fact', 'Ada moved to Berlin.'],
  ])('"%s" as %s', async (text, kind, expected) => {
    expect(await state([text], kind)).toBe(expected);
  });

  it('name the project that is spoken of', async () => {
    expect(await state(['we use redis'], 'decision', 'harbor')).toBe('We use redis [harbor].');
    expect(await state(['the cache is cold'], 'fact', 'harbor')).toBe('The cache is cold [harbor].');
  });

  it('say what "it" is', async () => {
    expect(await state(['the pump is new. it runs on 12 volts'], 'fact')).toBe('The pump is new; it runs on 12 volts.');
  });

  it.each<[string, readonly string[], string]>([
    [
      'the one named before',
      ['Kate runs the office. she never answers before noon'],
      'Kate never answers before noon.',
    ],
    ['beside another form', ['Tom is leaving. I have to order his laptop'], 'Ada has to order his (Tom) laptop.'],
    ['a relative', ['my sister called. she lives in Graz now'], "Ada's sister lives in Graz now."],
    ['in the turn before', ['A: Is Kate the vet?', 'she only treats cats'], 'Kate only treats cats.'],
    ['not a man for a woman', ['Anna met Tom. she lives in Graz'], 'Anna lives in Graz.'],
    [
      'nobody where two may be meant',
      ['I met Kate and Anna. she lives in Graz'],
      'Ada met Kate and Anna; she lives in Graz.',
    ],
  ])('say who is meant: %s', async (_name, said, expected) => {
    expect(await state(said, 'person')).toBe(expected);
  });

  it('include the question when the answer has no subject', async () => {
    expect(await state(['A: How long do links live?', '48 hours'], 'decision')).toBe(
      'How long do links live? 48 hours.',
    );
  });

  it('leave out what an agent opens with', async () => {
    expect(await state(['A: Hello! What can I do for you?', "my wife's name is Ana"], 'person')).toBe(
      "Ada's wife's name is Ana.",
    );
  });

  it('leave code as it is', async () => {
    expect(await state(['i run `i=1; we` always'], 'procedure')).toContain('`i=1; we`');
  });

  it('quote other languages', async () => {
    expect(await state(['ich wohne jetzt in Hamburg und das ist gut'], 'fact')).toBe(
      'Ada: “ich wohne jetzt in Hamburg und das ist gut”.',
    );
  });
});

describe('parts of a statement', () => {
  it('find the reason, the trigger and the steps', () => {
    expect(rationaleOf('we take redis because the disks are cold.')).toBe('the disks are cold');
    expect(triggerOf('before every deploy, run the tests')).toBe('every deploy');
    expect(stepsOf('to release: bump it, tag it, then announce it')).toEqual(['bump it', 'tag it', 'announce it']);
    expect(stepsOf('just run it')).toBeUndefined();
  });
});
