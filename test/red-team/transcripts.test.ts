import { beforeAll, describe, expect, it } from 'vitest';
import { TRANSCRIPTS } from './families/transcripts.ts';
import { makeTalkedHomes, type TalkedHomes } from './families/transcripts/victim.ts';

// SPEC CHAIN-3
describe('transcripts and their chain', () => {
  let homes: TalkedHomes;
  beforeAll(async () => {
    homes = await makeTalkedHomes();
  });

  it.each(TRANSCRIPTS.cases)('$kind: $name', async ({ attempt }) => {
    expect(await attempt(homes)).toBeUndefined();
  });
});
