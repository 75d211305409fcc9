import { describe, expect, it } from 'vitest';
import { isMnemeError } from '../model/errors.ts';
import { applyChange, makeChange, type WantedChange } from './patch.ts';
import { previewChange, rebaseChange } from './texts.ts';
import type { ProposedChange } from './proposal.ts';

const BASE = '# Alex\n\n- likes tea\n\n- lives in Rome\n\n- works at night\n';

function change(wanted: Partial<WantedChange>): ProposedChange {
  return makeChange(1, { path: 'a.md', before: BASE, after: undefined, ...wanted });
}

const teaToCoffee = change({ after: BASE.replace('tea', 'coffee') });

describe('making a change', () => {
  it('names what is done and the exact base', () => {
    expect(teaToCoffee).toMatchObject({ action: 'edit', path: 'a.md', state: 'waiting' });
    expect(teaToCoffee.base).toMatch(/^[0-9a-f]{40}$/);
    expect(change({ before: undefined, after: 'new\n' })).toMatchObject({ action: 'create' });
    expect(change({ after: undefined })).toMatchObject({ action: 'delete' });
    expect(change({ after: BASE, renameTo: 'b.md' })).toMatchObject({ action: 'rename', renameTo: 'b.md', diff: '' });
  });

  it('refuses what changes nothing or has nothing to change', () => {
    expect(() => change({ after: BASE })).toThrow(expect.toSatisfy((error) => isMnemeError(error, 'usage')));
    expect(() => change({ before: undefined })).toThrow(expect.toSatisfy((error) => isMnemeError(error, 'not-found')));
  });
});

describe('applying an edit', () => {
  it('is exact on the file it was made from', () => {
    expect(applyChange(teaToCoffee, { base: BASE, current: BASE })).toEqual({
      kind: 'fits',
      after: BASE.replace('tea', 'coffee'),
      fit: 'exact',
    });
  });

  it('merges with edits of other blocks', () => {
    const current = BASE.replace('Rome', 'Paris');
    expect(applyChange(teaToCoffee, { base: BASE, current })).toEqual({
      kind: 'fits',
      after: current.replace('tea', 'coffee'),
      fit: 'merged',
    });
  });

  it('is stale where the same block was edited, and says which', () => {
    const current = BASE.replace('likes tea', 'likes water');
    expect(applyChange(teaToCoffee, { base: BASE, current })).toMatchObject({
      kind: 'stale',
      reason: 'a.md changed in the same place: it now says "- likes water"',
    });
  });

  it('finds its place in the present text when the base is gone, or gives up', () => {
    const current = BASE.replace('# Alex\n', '# Alex B.\n\nNew paragraph.\n');
    expect(applyChange(teaToCoffee, { base: undefined, current })).toMatchObject({
      fit: 'guessed',
      after: current.replace('tea', 'coffee'),
    });
    expect(applyChange(teaToCoffee, { base: undefined, current: 'other\n' })).toMatchObject({
      kind: 'stale',
      reason: 'the version it was made from is no longer in history, and the diff does not fit a.md',
    });
  });

  it('has nothing to do where the file says it already, and is stale where the file is gone', () => {
    const done = BASE.replace('tea', 'coffee');
    expect(applyChange(teaToCoffee, { base: BASE, current: done })).toMatchObject({ fit: 'done-already', after: done });
    expect(applyChange(teaToCoffee, { base: BASE, current: undefined })).toMatchObject({
      kind: 'stale',
      reason: 'a.md no longer exists',
    });
  });
});

describe('applying what is not an edit', () => {
  const creation = change({ before: undefined, after: 'new\n' });
  const deletion = change({ after: undefined });
  const renaming = change({ after: BASE.replace('tea', 'coffee'), renameTo: 'b.md' });

  it('creates only where nothing stands', () => {
    expect(applyChange(creation, { base: undefined, current: undefined })).toMatchObject({ after: 'new\n' });
    expect(applyChange(creation, { base: undefined, current: 'new\n' })).toMatchObject({ fit: 'done-already' });
    expect(applyChange(creation, { base: undefined, current: 'other\n' })).toMatchObject({ kind: 'stale' });
  });

  it('deletes only what was seen', () => {
    expect(applyChange(deletion, { base: BASE, current: BASE })).toEqual({
      kind: 'fits',
      after: undefined,
      fit: 'exact',
    });
    expect(applyChange(deletion, { base: undefined, current: BASE })).toMatchObject({ fit: 'guessed' });
    expect(applyChange(deletion, { base: BASE, current: undefined })).toMatchObject({ fit: 'done-already' });
    expect(applyChange(deletion, { base: BASE, current: `${BASE}\n- more\n` })).toMatchObject({ kind: 'stale' });
  });

  it('renames to a free place only, with its edit merged', () => {
    const current = BASE.replace('Rome', 'Paris');
    expect(applyChange(renaming, { base: BASE, current })).toMatchObject({ after: current.replace('tea', 'coffee') });
    expect(applyChange(renaming, { base: BASE, current, destination: '' })).toMatchObject({ kind: 'stale' });
    expect(applyChange(renaming, { base: BASE, current: undefined })).toMatchObject({ kind: 'stale' });
  });
});

describe('a rebase', () => {
  it('keeps both versions where both were edited', () => {
    const current = BASE.replace('likes tea', 'likes water');
    const rebased = rebaseChange('X', teaToCoffee, { base: BASE, current });
    expect(previewChange(rebased, { base: current, current })).toMatchObject({ fit: 'exact' });
    const applied = applyChange(rebased, { base: current, current });
    expect(applied).toMatchObject({ after: expect.stringContaining('- likes water') });
    expect(applied).toMatchObject({ after: expect.stringContaining('- likes coffee') });
  });

  it('gives up where there is nothing to offer', () => {
    expect(() => rebaseChange('X', teaToCoffee, { base: undefined, current: 'other\n' })).toThrow(/cannot be rebased/);
  });
});
