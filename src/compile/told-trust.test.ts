import { describe, expect, it } from 'vitest';
import type { Group } from '../retrieve/fit.ts';
import { HOME_LAYOUT } from '../workspace/formats/layout.ts';
import { quotePassages } from './quote.ts';
import { makeWorld } from './testing/made-up-world.ts';
import { groupsAsTold } from './told-trust.ts';

const PATH = 'memory/procedures/deploy.md';
const TEXT =
  '---\ntype: procedure\nname: Tag the release\n---\n\n# Tag the release\n\n## Steps\n\n1. Tag the release\n';

async function stepOf() {
  const { index } = await makeWorld({ workspace: { [PATH]: TEXT } });
  const view = await index.view({ scopes: ['shared'], types: ['step'] });
  const [step] = await view.read(await view.findRecent(1));
  if (step === undefined) throw new Error('The procedure has no step.');
  return step;
}

describe('a step of a procedure that is told', () => {
  it('stays one of the passages of its group, so that what was said later can stand behind it', async () => {
    const step = await stepOf();
    const group = { members: [step], best: { passage: step } } as unknown as Group;
    const files = { layout: HOME_LAYOUT, readFile: () => Promise.resolve(TEXT) };
    const [told] = await groupsAsTold([group], files);
    expect(told?.best.passage.trust).toBe('user');
    expect(told?.members[0]).toBe(told?.best.passage);
  });

  it('is quoted once where its page is called what it says', async () => {
    expect(quotePassages([await stepOf()])).toBe(' Tag the release');
  });
});
