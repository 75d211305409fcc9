import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { must } from '../../../model/errors.ts';
import { type DecisionNode, parseProcedure } from '../../../workspace/formats/procedure.ts';
import { parseDocument } from '../../../workspace/markdown/document.ts';
import type { Variables } from '../expression/evaluate.ts';
import { answerFits, decide } from './decide.ts';

const CHANNEL = `# Which channel?

## Tree

- Is it urgent? \`urgent\`
  - yes → call
  - no → Is the user there?
    - yes → the same channel
    - no → What hour is it? \`hour\`
      - 6–9 → e-mail
      - > 9 → chat
      - otherwise → wait for the morning
`;

const tree = must(parseProcedure(parseDocument(CHANNEL), 'x.md').tree, 'the tree');

describe('a decision', () => {
  test.each<[Variables, string | null, string[]]>([
    [{ urgent: true }, 'call', ['yes']],
    [{ urgent: 'yes' }, 'call', ['yes']],
    [{ urgent: false, 'Is the user there?': 'Yes' }, 'the same channel', ['no', 'yes']],
    [{ urgent: false, 'is the user there': false, hour: 7 }, 'e-mail', ['no', 'no', '6–9']],
    [{ urgent: false, 'is the user there': false, hour: 12 }, 'chat', ['no', 'no', '> 9']],
    [{ urgent: false, 'is the user there': false, hour: 2 }, 'wait for the morning', ['no', 'no', 'otherwise']],
  ])('%j → %s', (facts, outcome, answers) => {
    const decision = decide(tree, facts);
    expect(decision).toMatchObject({ outcome, open: null });
    expect(decision.path.map(({ answer }) => answer)).toEqual(answers);
  });

  test('what is not known is asked for, with the answers there are', () => {
    expect(decide(tree, { urgent: false })).toEqual({
      path: [{ question: 'Is it urgent?', field: 'urgent', value: false, answer: 'no' }],
      outcome: null,
      open: { question: 'Is the user there?', field: null, answers: ['yes', 'no'], problem: null },
    });
  });

  test('an answer that is none is said to be none', () => {
    expect(decide(tree, { urgent: 'perhaps' }).open?.problem).toBe('perhaps is none of the answers');
  });

  test('a field that is no expression is a question', () => {
    const broken: DecisionNode = { ...tree, field: 'is it', branches: tree.branches };
    expect(decide(broken, {}).open?.problem).toMatch(/cannot be read/u);
  });
});

test.each([
  ['red or blue', 'Blue', true],
  ['red/blue', 'green', false],
  ['rock or pop', 'rock or pop', true],
  ['at least 3', 3, true],
  ['< 0.9', 0.95, false],
  ['3', 3, true],
  ['ja', 'yes', true],
])('"%s" is for %j: %s', (answer, value, fits) => {
  expect(answerFits(answer, value)).toBe(fits);
});

test('a decision is always reached, or a question of the tree is open', () => {
  const facts = fc.dictionary(
    fc.constantFrom('urgent', 'hour', 'is the user there'),
    fc.oneof(fc.boolean(), fc.nat(30), fc.string()),
  );
  fc.assert(
    fc.property(facts, (given) => {
      const { outcome, open } = decide(tree, given);
      expect((outcome === null) !== (open === null)).toBe(true);
    }),
  );
});
