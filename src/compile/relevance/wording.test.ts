import { describe, expect, it } from 'vitest';
import { readWording, type Wording } from './wording.ts';

type Mark = {
  [Key in keyof Wording]: Wording[Key] extends boolean ? Key : never;
}[keyof Wording];

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

  it.each<[Mark, string]>([
    ['isOurs', 'what did we decide about the vendor?'],
    ['isOurs', 'Wohin sichern wir eigentlich?'],
    ['isOurs', '¿por qué no usamos geohash?'],
    ['isQuestion', 'when does the importer start'],
    ['isQuestion', 'Wann kommt der Zug'],
    ['isSelfContained', 'write a poem about autumn'],
    ['isSelfContained', 'translate "good morning" to Finnish'],
    ['isSelfContained', 'Shorten this: "We left your parcel with the neighbour."'],
    ['isSelfContained', '12.5 * 8'],
    ['carries', 'Shorten this: "We left your parcel with the neighbour."'],
    ['isSmallTalk', 'how are you?'],
    ['isMachineText', "TypeError: Cannot read properties of null (reading 'x')"],
    ['isMachineText', 'eth0: <BROADCAST,MULTICAST,UP> mtu 1500 qdisc 0x11 state=UP [0000:03:00.0] 12:44:01'],
  ])('%s: %j', (mark, message) => {
    expect(marksOf(message)).toContain(mark);
  });

  it.each<[Mark, string]>([
    ['isOurs', 'how many US states are there'],
    ['isOurs', 'Shorten this: "We left your parcel with the neighbour."'],
    ['isMachineText', 'the meeting on 12 March at 14:30 was moved to room 204, wasn’t it?'],
  ])('not %s: %j', (mark, message) => {
    expect(marksOf(message)).not.toContain(mark);
  });

  it.each([
    'what is a semaphore?',
    'explain how photosynthesis works',
    'who invented the telephone?',
    "what's the capital of Peru",
    'how do I silence a warning in a shell script',
    'which editor do people usually start with',
  ])('%j could be asked of anybody', (message) => {
    expect(readWording(message).generalSigns).toBeGreaterThan(0);
  });

  it.each(['what is the difference between our two queues?', 'how do I take the depot off it', 'when did Ana leave?'])(
    '%j is asked here alone',
    (message) => {
      expect(readWording(message).generalSigns).toBe(0);
    },
  );

  it.each([
    ['how does Postgres sort?', 'postgres'],
    ['do crabs feel pain', 'crabs'],
    ['how does the importer sort?', undefined],
    ['how did Postgres sort?', undefined],
  ])('the subject of %j is %j', (message, subject) => {
    expect(readWording(message).subject).toBe(subject);
  });

  it('reads the edges of a pasted log, not its middle', () => {
    const log = 'x'.repeat(2000);
    expect(readWording(`${log}\nwhat did we decide about it?`).isOurs).toBe(true);
    expect(readWording(`${log} we decided ${log}`).isOurs).toBe(false);
  });

  it.each([
    ['which port did we give the admin api', 'what is the default port of postgres'],
    ['what did Vera say about easter', 'when is easter next year in general'],
    ['draft the release notes the way we did last time', 'rename this variable to count'],
    ['welche Farbe hatten wir für den Flur genommen', 'welche Farbe passt zu Eiche'],
  ])('%j reads more like own things than %j', (own, other) => {
    expect(readWording(own).ownThings).toBeGreaterThan(readWording(other).ownThings + 1);
  });

  it('does not weigh a message that holds nothing', () => {
    expect(readWording('thanks!').ownThings).toBe(0);
  });
});
