import { describe, expect, it } from 'vitest';
import { isTelling, readWording } from './wording.ts';

type Wording = ReturnType<typeof readWording>;

function marksOf(message: string): string[] {
  return Object.entries(readWording(message)).flatMap(([name, value]) => (value === true ? [name] : []));
}

describe('readWording', () => {
  it.each([
    'yes',
    'ok, go on',
    'Thanks, looks great!',
    'Danke, passt',
    'gracias',
    'run the tests',
    'git push',
    '👍',
    '',
  ])('%j holds nothing that could be remembered', (message) => {
    expect(readWording(message).isEmpty).toBe(true);
  });

  it.each<[keyof Wording, string]>([
    ['isShared', 'what did we decide about the vendor?'],
    ['isShared', 'the importer is stuck again'],
    ['isShared', 'Wohin sichern wir eigentlich?'],
    ['isParticular', 'where does the importer log to'],
    ['isParticular', "what is Ana's role"],
    ['isAtHand', 'why is this function so slow'],
    ['isAtHand', 'shorten the last paragraph'],
    ['isEdit', 'rename foo to bar'],
    ['isEdit', 'please replace tabs by blanks'],
    ['isGeneral', 'what is a semaphore?'],
    ['isGeneral', 'explain how photosynthesis works'],
    ['isGeneral', 'who invented the telephone?'],
    ['isGeneral', "what's the capital of Peru"],
    ['isSelfContained', 'write a poem about autumn'],
    ['isSelfContained', 'translate "good morning" to Finnish'],
    ['isSmallTalk', 'how are you?'],
    ['isMachineText', "TypeError: Cannot read properties of null (reading 'x')"],
    ['isMachineText', 'eth0: <BROADCAST,MULTICAST,UP> mtu 1500 qdisc 0x11 state=UP [0000:03:00.0] 12:44:01'],
  ])('%s: %j', (mark, message) => {
    expect(marksOf(message)).toContain(mark);
  });

  it.each<[keyof Wording, string]>([
    ['isGeneral', 'what is the difference between our two queues?'],
    ['isEdit', 'add my new key to the dotfiles'],
    ['isShared', 'how many US states are there'],
    ['isAtHand', 'what did we plan for this week?'],
    ['isMachineText', 'the meeting on 12 March at 14:30 was moved to room 204, wasn’t it?'],
  ])('not %s: %j', (mark, message) => {
    expect(marksOf(message)).not.toContain(mark);
  });

  it('reads the edges of a pasted log, not its middle', () => {
    const log = 'x'.repeat(2000);
    expect(readWording(`${log}\nwhat did we decide about it?`).isShared).toBe(true);
    expect(readWording(`${log} we decided ${log}`).isShared).toBe(false);
  });
});

describe('isTelling', () => {
  it.each([
    ['geocod', true],
    ['2048', true],
    ['test', false],
    ['12', false],
  ])('%j: %s', (term, expected) => {
    expect(isTelling(term)).toBe(expected);
  });
});
