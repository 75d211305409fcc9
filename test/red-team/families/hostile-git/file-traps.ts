import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { addConfig, typeGit, type Place } from './place.ts';
import type { Trap } from './traps.ts';

/** Long enough for git to open a file; one that waits for a pipe waits for ever. */
const PATIENCE_MS = 3000;

function pipeAs(key: string) {
  return (place: Place): void => {
    const pipe = path.join(place.root, `pipe-${key}`);
    execFileSync('mkfifo', [pipe]);
    const [section, name] = key.split('.');
    addConfig(place.gitDir, `[${section}]\n\t${name} = ${pipe}`);
  };
}

function waitsFor(...args: string[]) {
  return async ({ workspace, mark }: Place): Promise<void> => {
    try {
      await promisify(execFile)('git', args, { cwd: workspace, timeout: PATIENCE_MS, killSignal: 'SIGKILL' });
    } catch (error) {
      if ((error as { killed?: boolean }).killed === true) fs.writeFileSync(mark, 'git waits for the pipe');
    }
  };
}

/** Settings that name a file which git reads: a pipe makes it wait for ever, a missing one makes it fail. */
export const FILES: readonly Trap[] = [
  {
    name: 'a pipe as the list of ignored files',
    plant: pipeAs('core.excludesFile'),
    trigger: waitsFor('status'),
  },
  { name: 'a pipe as the list of names', plant: pipeAs('mailmap.file'), trigger: waitsFor('log', '-1') },
  {
    name: 'a pipe as the order of differences',
    plant: pipeAs('diff.orderFile'),
    trigger: waitsFor('diff', 'HEAD~1', 'HEAD'),
  },
  {
    name: 'a pipe as the list of ignored revisions',
    plant: pipeAs('blame.ignoreRevsFile'),
    trigger: waitsFor('blame', 'note.md'),
    refused: 'blame.ignorerevsfile',
  },
  {
    name: 'a missing list of ignored revisions',
    plant: ({ gitDir }) => addConfig(gitDir, '[blame]\n\tignoreRevsFile = nope'),
    async trigger({ workspace, mark }) {
      fs.writeFileSync(mark, await typeGit(workspace, 'blame', 'note.md'));
    },
    refused: 'blame.ignorerevsfile',
  },
];
