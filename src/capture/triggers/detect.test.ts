import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectTriggers } from './detect.ts';
import { splitMessage } from '../../judge/handed-over/split.ts';
import { readPhrases } from './testing/phrases.ts';

const MARKS = `, . ? : \n \n\n " ' “ ” « » \` \`\`\`\n > * ( ) - ¿ … 😀 \u0301`.split(' ');
const WORDS =
  `remember forget about that this my from now on your memory remove said please merk dir vergiss nicht dass recuerda
  que olvida lo de souviens-toi n'oublie pas reflect what do you know important note the following I and permanently`.split(
    /\s+/,
  );
const PHRASES = ['en', 'de', 'es', 'fr'].flatMap(readPhrases).map(({ text }) => text);

/** Messages made of what the rules look at: random text alone would hardly ever reach them. */
const messages = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...PHRASES) },
      { weight: 3, arbitrary: fc.constantFrom(...WORDS) },
      { weight: 3, arbitrary: fc.constantFrom(...MARKS) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(' '));

/** Lists the errors in the triggers reported for a text. */
function faults(text: string): readonly string[] {
  const found: string[] = [];
  let end = 0;
  for (const trigger of detectTriggers(text)) {
    if (trigger.start < end) found.push('overlaps the trigger before it');
    if (trigger.end <= trigger.start || trigger.end > text.length) found.push('lies outside the text');
    if (text.slice(trigger.start, trigger.end) !== trigger.phrase) found.push('phrase is not what stands there');
    if (trigger.content !== undefined && !text.includes(trigger.content)) found.push('content is not from the text');
    if (trigger.content === '') found.push('empty content');
    if (trigger.refersBack && trigger.content !== undefined) found.push('refers back and has content');
    if (trigger.permanently && trigger.kind !== 'forget') found.push('only forgetting is permanent');
    ({ end } = trigger);
  }
  return found;
}

describe('what is to be remembered', () => {
  it.each([
    [
      'Another: from now, after each event you ask me for the photo, because I always forget, hand in the flour.',
      /forget$/u,
    ],
    [
      'Remember that it is my hands that become red like two tomatoes, in 2019 I went to the hospital.',
      /tomatoes|hospital$/u,
    ],
    ['My PIN is 4711, don’t forget.', /4711$/u],
  ])('ends where a clause ends: %s', (message, end) => {
    expect(detectTriggers(message).map(({ content }) => content)).toEqual([expect.stringMatching(end)]);
  });
});

describe('detectTriggers on any text', () => {
  it('never throws, reports spans inside the text, in order, with content taken from the text', () => {
    let triggersSeen = 0;
    fc.assert(
      fc.property(messages, (text) => {
        expect(faults(text)).toEqual([]);
        triggersSeen += detectTriggers(text).length;
      }),
      { numRuns: 60 },
    );
    expect(triggersSeen).toBeGreaterThan(10);
  });

  it('finds nothing in what is quoted as a whole', () => {
    fc.assert(
      fc.property(messages, (text) => {
        const quoted = text
          .split('\n')
          .map((line) => `> ${line}`)
          .join('\n');
        expect(detectTriggers(quoted)).toEqual([]);
        expect(detectTriggers(`\`\`\`\n${text.replaceAll('`', '')}\n\`\`\``)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the cost of telling a person’s own words from pasted ones', () => {
  const UNITS = [
    'The fox remembers that we met, and I said so. ',
    'remember that I am here, ',
    'remember that ',
    'x, keep in mind that a ',
    'forget about x and ',
    'remove a b c ',
    'remember a), ',
    'Remember this. ',
    'remember the following:\n',
    'please ',
    'Lyrics:\n',
    'Tom: hi\n',
    '```\n',
    '“',
    ' "a',
    " 'a",
    ' *a b c',
    "a'",
    'a-',
    ',',
    '\n',
    'from now on ',
  ];

  function stepsFor(unit: string, length: number): number {
    const work = { steps: 0 };
    splitMessage(unit.repeat(Math.ceil(length / unit.length)), work);
    return work.steps;
  }

  it.each(UNITS)('grows no faster than the text: %j', (unit) => {
    const short = stepsFor(unit, 10_000);
    const long = stepsFor(unit, 80_000);
    expect(long).toBeLessThan(short * 9);
    expect(long).toBeLessThan(80_000 * 60);
  });
});

describe('triggers that read the message around them', () => {
  it('takes the sentence before "remember that", and the previous turn when there is none', () => {
    expect(detectTriggers('The gate code is 4711. Remember that.')[0]).toMatchObject({
      content: 'The gate code is 4711',
      refersBack: false,
    });
    expect(detectTriggers('Thanks! Remember that.')[0]).toMatchObject({ content: undefined, refersBack: true });
  });

  it('takes "permanently" as a wish only beside the object', () => {
    const permanent = (text: string): readonly boolean[] => detectTriggers(text).map(({ permanently }) => permanently);
    expect(permanent('Forget that I permanently moved to Oslo.')).toEqual([false]);
    expect(permanent('Forget about Oslo, but not permanently.')).toEqual([false]);
    expect(permanent('Please forget about Oslo for good.')).toEqual([true]);
  });

  it('says where the words that ask stand', () => {
    const text = 'Hi there. Please forget about Oslo.';
    const [trigger] = detectTriggers(text);
    expect(trigger).toMatchObject({ kind: 'forget', content: 'Oslo' });
    expect(trigger?.phrase).toContain('forget about');
    expect(text.slice(trigger?.start, trigger?.end)).toBe(trigger?.phrase);
  });

  it('reads the beginning and the end of a long message, and not what stands between', () => {
    const filler = 'The committee met again and the chair read the minutes of the spring meeting aloud. '.repeat(60);
    const ask = 'Please remember that my shoe size is 42.';
    expect(detectTriggers(`${ask} ${filler}`)).toMatchObject([{ kind: 'remember', content: 'my shoe size is 42' }]);
    expect(detectTriggers(`${filler}\n${ask}`)).toMatchObject([{ kind: 'remember', content: 'my shoe size is 42' }]);
    expect(detectTriggers(`${filler}\n${ask}\n${filler}`)).toEqual([]);
  });

  it('finds several requests in several sentences', () => {
    const kinds = detectTriggers('Remember that my shoe size is 42. Forget what I said about the budget.');
    expect(kinds).toMatchObject([
      { kind: 'remember', content: 'my shoe size is 42' },
      { kind: 'forget', content: 'the budget' },
    ]);
  });

  it('takes whole words, without the marks around them', () => {
    const contents = [
      'Merk dir: die Sitzung ist im Raum 4.',
      'A partir de ahora, llámame Sam.',
      'Retiens ça : le code est 4410.',
    ]
      .flatMap(detectTriggers)
      .map(({ content }) => content);
    expect(contents).toEqual(['die Sitzung ist im Raum 4', 'llámame Sam', 'le code est 4410']);
  });
});

it('never takes a single small word for what is to be remembered', () => {
  const contents = detectTriggers('For the record, I was against it.').map(({ content }) => content);
  expect(contents.filter((content) => content !== undefined)).toEqual([]);
});
