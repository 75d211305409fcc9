import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { systemClock } from '../../platform/clock.ts';
import { systemRandom } from '../../platform/random.ts';
import { ChainQueue, readNotes } from './queue.ts';

function noteOf(ref: { mutation?: string; item?: string }) {
  const queue = new ChainQueue(makeTemporaryFolder('mneme-notes-'), systemClock, systemRandom, () => undefined);
  queue.add([{ type: 'remember', ref, text: 'Ada is allergic to peanuts.' }]);
  const [name = ''] = queue.names();
  return readNotes(queue, name);
}

describe('a note for the chain', () => {
  it('is read with the id of a memory and of a write', () => {
    expect(noteOf({ item: 'ttsar2m30b1v9' })?.isBroken).toBe(false);
    expect(noteOf({ mutation: '01M7JDNVBS09R2MPAJQ7P47KWG' })?.isBroken).toBe(false);
  });

  // Entered, it would make an entry that nobody can read back, and the chain would end there.
  it.each([{ item: '../outside' }, { item: 'TTSAR2M30B1V9' }, { mutation: 'yesterday' }])(
    'is broken with any other: %o',
    (ref) => {
      expect(noteOf(ref)).toMatchObject({ isBroken: true, items: [] });
    },
  );
});
