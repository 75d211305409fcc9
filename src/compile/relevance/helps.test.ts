import { describe, expect, it } from 'vitest';
import { parseProcedure } from '../../workspace/formats/procedure.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { openRetold } from './helps.ts';

const path = 'memory/procedures/rotate-keys.md';
const text =
  '---\nname: rotate keys\n---\n\n# rotate keys\n\n## Steps\n\n1. Make a new pair in the vault\n2. Publish the public part\n\n## Learned From\n\n- s21#t3\n';
const known = [
  { path, scope: 'shared' as const, procedure: parseProcedure(parseDocument(text), path), damage: undefined },
];
const said = 'Rotate keys: make a new pair in the vault, publish the public part.';

describe('a turn beside the procedure that was learned from it', () => {
  const retold = openRetold(new Set([path]), known);

  it('has nothing to say where the steps tell it', () => {
    expect(retold('s21#t3', said)).toBe(true);
  });

  it('stays where it tells much more, and where it is another one', () => {
    const more =
      'The old private key is disabled at once and destroyed after thirty days, ask Ada or the night guard first.';
    expect(retold('s21#t3', `${said} ${more}`)).toBe(false);
    expect(retold('s22#t1', said)).toBe(false);
  });

  it('stays where the procedure is not injected', () => {
    expect(openRetold(new Set(), known)('s21#t3', said)).toBe(false);
  });
});
