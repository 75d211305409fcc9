import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { projectNames } from './answer-hook.ts';

function makeRepository(url: string): string {
  const folder = path.join(makeTemporaryFolder(), 'checkout');
  fs.mkdirSync(path.join(folder, '.git'), { recursive: true });
  fs.mkdirSync(path.join(folder, 'packages', 'core'), { recursive: true });
  const config = `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n\tfetch = +refs/*\n[branch "main"]\n`;
  fs.writeFileSync(path.join(folder, '.git', 'config'), config);
  return folder;
}

describe('the names of a project', () => {
  it.each([
    'git@host.example:owner/harbour-api.git',
    'https://host.example/owner/harbour-api',
    '/srv/git/harbour-api/',
  ])('are those of folder, repository and remote %s', (url) => {
    const folder = makeRepository(url);
    expect(projectNames(folder)).toEqual(['checkout', 'harbour-api']);
    const inside = path.join(folder, 'packages', 'core');
    expect(projectNames(inside)).toEqual(['core', 'checkout', 'harbour-api']);
  });

  it('is the folder’s alone without a repository, and none without a folder', () => {
    const folder = path.join(makeTemporaryFolder(), 'notes');
    fs.mkdirSync(folder);
    expect(projectNames(folder)).toEqual(['notes']);
    expect(projectNames(path.join(folder, 'gone'))).toEqual(['gone']);
    expect(projectNames(undefined)).toEqual([]);
    expect(projectNames('relative/folder')).toEqual([]);
  });
});
