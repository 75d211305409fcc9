import { describe, expect, test } from 'vitest';
import { parseDocument } from '../markdown/document.ts';
import { type DecisionNode, type Step, newProcedureFile, parseProcedure, renderDecisionTree } from './procedure.ts';

const STEPS: readonly Step[] = [
  {
    order: 1,
    description: 'Run the tests',
    action: 'shell npm test',
    expected: 'all pass',
    timeoutMs: 90_000,
    onError: 'abort',
  },
  { order: 2, description: 'Deploy', condition: 'tests passed', onError: 'retry', onErrorDetail: '2' },
  { order: 3, description: 'Announce it', onError: 'fallback', onErrorDetail: 'send an e-mail' },
];

describe('procedure', () => {
  test('a new file is read back', () => {
    const file = newProcedureFile({
      frontmatter: { kind: 'workflow', name: 'Deploy', version: '1.2', metrics: { executions: 3, success_rate: 0.67 } },
      trigger: 'When the user wants to ship.',
      steps: STEPS,
      sections: { Preconditions: ['Clean tree'], Notes: ['Ask first'] },
    });
    expect(parseProcedure(parseDocument(file), 'memory/procedures/deploy.md')).toMatchObject({
      name: 'Deploy',
      kind: 'workflow',
      trigger: 'When the user wants to ship.',
      steps: STEPS,
      preconditions: [{ text: 'Clean tree' }],
      notes: [{ text: 'Ask first' }],
      postconditions: [],
      frontmatter: { version: '1.2', metrics: { executions: 3 } },
    });
  });

  test.each([
    ['500ms', 500],
    ['2', 2000],
    ['5 min', 300_000],
    ['1h', 3_600_000],
    ['soon', undefined],
  ])('timeout %s is %s ms', (timeout, timeoutMs) => {
    const file = `## Steps\n1. Wait\n   - timeout: ${timeout}\n`;
    expect(parseProcedure(parseDocument(file), 'x.md').steps[0]?.timeoutMs).toBe(timeoutMs);
  });
});

const TREE: DecisionNode = {
  question: 'Is it urgent?',
  field: 'urgent',
  branches: [
    { answer: 'yes', next: 'call' },
    {
      answer: 'no',
      next: {
        question: 'Is the user there?',
        field: undefined,
        branches: [
          { answer: 'yes', next: 'same channel' },
          { answer: 'no', next: 'e-mail' },
        ],
      },
    },
  ],
};

test('a decision tree is nested bullets', () => {
  const bullets = renderDecisionTree(TREE);
  expect(bullets).toBe(
    [
      '- Is it urgent? `urgent`',
      '  - yes → call',
      '  - no → Is the user there?',
      '    - yes → same channel',
      '    - no → e-mail',
    ].join('\n'),
  );
  const procedure = parseProcedure(parseDocument(`# Channel\n\n## Tree\n\n${bullets}\n`), 'channel.md');
  expect(procedure).toMatchObject({ kind: 'decision-tree', tree: TREE });
});
