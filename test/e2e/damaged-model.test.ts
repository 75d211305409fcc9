import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openMneme, type Mneme } from '../../src/index.ts';
import { doctor } from '../../src/runtime/setup/check-setup.ts';
import { Judge } from '../../src/judge/judge.ts';
import { MnemeError } from '../../src/model/errors.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';

let m: Mneme;

beforeEach(async () => {
  // What is loaded is shared with the files before this one, so that every question fails, as the first would.
  for (const question of [
    'readTurn',
    'comparePair',
    'compareRecords',
    'findRequest',
    'findWhat',
    'callsFor',
  ] as const) {
    vi.spyOn(Judge.prototype, question).mockImplementation(() => {
      throw new MnemeError('integrity', 'The model cannot use judge.bin: it is damaged.');
    });
  }
  const home = makeTemporaryFolder();
  await initTestHome(home);
  m = await openMneme({ home, actor: 'human:ines' });
});
afterEach(() => m.close());

describe('a damaged model', () => {
  it('costs no memory, told outright or in passing', async () => {
    await m.remember('The shed has plums.');
    const session = await m.session.start({ user: 'Ines' });
    const { triggers } = await session.message('user', 'Remember that the gate sticks.');
    expect(triggers).toMatchObject([{ kind: 'remember' }]);
    const { hits } = await m.recall('what is in the shed, and what sticks?');
    expect(hits.map(({ text }) => text).join('\n')).toMatch(/plums[\s\S]*gate|gate[\s\S]*plums/u);
  });

  it('is named by doctor', async () => {
    const model = (await doctor.run(m.internals, {})).find(({ name }) => name === 'model');
    expect(model).toMatchObject({ isOk: false, message: expect.stringContaining('judge.bin') as string });
  });
});
