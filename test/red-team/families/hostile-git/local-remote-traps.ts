import fs from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { addConfig, addHook, typeGit, type Place } from './place.ts';
import type { Trap } from './traps.ts';

const SEND = ['push', 'origin', 'HEAD:refs/heads/x'];

const origin = (url: string): string => `[remote "origin"]\n\turl = ${url}`;

/** A remote that is a folder on this machine, prepared by whoever made the repository that names it. */
export const OTHER_SIDES: readonly Trap[] = [
  ...['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction'].map((name): Trap => ({
    name: `a remote on this machine with the hook ${name}`,
    plant(place) {
      addHook(place.remote, name, place);
      addConfig(place.gitDir, origin(place.remote));
    },
    trigger: SEND,
    refused: path.join('hooks', name),
  })),
  {
    name: 'a remote inside the repository, by a relative address, with a hook',
    plant(place) {
      const inside = path.join(place.gitDir, 'x');
      fs.cpSync(place.remote, inside, { recursive: true });
      addHook(inside, 'post-receive', place);
      addConfig(place.gitDir, origin('.git/x'));
    },
    trigger: SEND,
    refused: 'post-receive',
  },
  {
    name: 'a remote by a file address with letters in disguise',
    plant(place) {
      addHook(place.remote, 'post-receive', place);
      addConfig(place.gitDir, origin(`file://${place.remote.replace('remote', '%72emote')}`));
    },
    trigger: SEND,
    refused: 'post-receive',
  },
  {
    name: 'a remote whose hooks are in another folder',
    plant(place) {
      addHook(path.join(place.root, 'other'), 'post-receive', place);
      addConfig(place.remote, `[core]\n\thooksPath = ${path.join(place.root, 'other/hooks')}`);
      addConfig(place.gitDir, origin(place.remote));
    },
    trigger: SEND,
    refused: 'core.hookspath',
  },
  {
    name: 'a remote on this machine that is itself a partial clone',
    plant(place) {
      addConfig(place.remote, `[remote "e"]\n\turl = ${place.remote}\n\tpromisor = true\n\tuploadpack = ${place.evil}`);
      addConfig(place.gitDir, origin(place.remote));
    },
    trigger: ({ remote }) => typeGit(remote, 'cat-file', '-e', '0123456789012345678901234567890123456789'),
    refused: 'remote.e.promisor',
  },
  {
    name: 'a remote that borrows objects and lists them by a command',
    plant(place) {
      fs.mkdirSync(path.join(place.remote, 'objects/info'), { recursive: true });
      fs.writeFileSync(path.join(place.remote, 'objects/info/alternates'), `${place.gitDir}/objects\n`);
      addConfig(place.remote, `[core]\n\talternateRefsCommand = ${place.evil}`);
      addConfig(place.gitDir, origin(place.remote));
    },
    trigger: SEND,
    refused: 'core.alternaterefscommand',
  },
  {
    name: 'a remote whose hooks are in a folder called false',
    plant(place) {
      addHook(path.join(place.root, 'other'), 'post-receive', place);
      fs.renameSync(path.join(place.root, 'other/hooks'), path.join(place.remote, 'false'));
      addConfig(place.remote, '[core]\n\thooksPath = false');
      addConfig(place.gitDir, origin(place.remote));
    },
    trigger: SEND,
    refused: 'core.hookspath',
  },
  hooked('a remote by a file address with a host', ({ remote }) => `file://localhost${remote}`, 'the address'),
  hooked('a remote below the home of a person', ({ remote }) => `~/${path.relative(homedir(), remote)}`, 'the address'),
  {
    name: 'a remote that is a file and leads to a repository',
    plant(place) {
      addHook(place.remote, 'post-receive', place);
      fs.writeFileSync(path.join(place.root, 'file'), `gitdir: ${place.remote}\n`);
      addConfig(place.gitDir, origin(path.join(place.root, 'file')));
    },
    trigger: SEND,
    refused: 'is not a folder',
  },
  {
    name: 'a remote whose HEAD is a link that leads nowhere',
    plant(place) {
      addHook(place.remote, 'post-receive', place);
      fs.rmSync(path.join(place.remote, 'HEAD'));
      fs.symlinkSync('refs/heads/none', path.join(place.remote, 'HEAD'));
      fs.renameSync(place.remote, path.join(place.root, 'r'));
      addConfig(place.gitDir, origin(path.join(place.root, 'r')));
    },
    trigger: SEND,
    refused: 'post-receive',
  },
  ...['[x]evil', 'a@[x]evil', '/a@[x]evil'].map((address): Trap => ({
    name: `a remote in the folder ]evil by the address ${address}`,
    plant(place) {
      addHook(place.remote, 'post-receive', place);
      fs.renameSync(place.remote, path.join(place.workspace, ']evil'));
      addConfig(place.gitDir, origin(address));
    },
    trigger: SEND,
    refused: 'the address',
  })),
  ...(['remotes', 'branches'] as const).map((folder): Trap => ({
    name: `a remote whose address is in .git/${folder}`,
    plant(place) {
      addHook(place.remote, 'post-receive', place);
      fs.mkdirSync(path.join(place.gitDir, folder), { recursive: true });
      const text = folder === 'remotes' ? `URL: ${place.remote}` : place.remote;
      fs.writeFileSync(path.join(place.gitDir, folder, 'origin'), `${text}\n`);
      addConfig(place.gitDir, '[remote "origin"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*');
    },
    trigger: SEND,
    refused: path.join(folder, 'origin'),
  })),
  {
    name: 'a remote that is a linked work tree, with a hook of its repository',
    async plant(place) {
      const other = path.join(place.root, 'other');
      await typeGit(place.root, 'clone', '--quiet', '--template=', place.remote, other);
      await typeGit(other, 'worktree', 'add', '--quiet', '-b', 'side', path.join(place.root, 'w'));
      addHook(path.join(other, '.git'), 'post-receive', place);
      addConfig(path.join(other, '.git'), '[receive]\n\tdenyCurrentBranch = ignore');
      addConfig(place.gitDir, origin(path.join(other, '.git/worktrees/w')));
    },
    trigger: SEND,
    refused: 'post-receive',
  },
  {
    name: 'a remote by a path through a link and back',
    plant(place) {
      addHook(place.remote, 'post-receive', place);
      fs.mkdirSync(path.join(place.root, 'a'));
      fs.symlinkSync(path.join(place.remote, 'objects'), path.join(place.root, 'a/link'));
      addConfig(place.gitDir, origin(`${place.root}/a/link/..`));
    },
    trigger: SEND,
    refused: 'post-receive',
  },
  {
    name: 'a remote that would write the files into another folder',
    plant(place) {
      const elsewhere = path.join(place.root, 'elsewhere');
      fs.mkdirSync(elsewhere);
      fs.renameSync(place.remote, path.join(place.root, 'r'));
      addConfig(
        path.join(place.root, 'r'),
        `[core]\n\tbare = false\n\tworktree = ${elsewhere}\n[receive]\n\tdenyCurrentBranch = updateInstead`,
      );
      addConfig(place.gitDir, origin(path.join(place.root, 'r')));
    },
    trigger: 'it starts no program',
    refused: 'receive.denycurrentbranch',
  },
];

/** The remote has a hook, and its address is written in a way that git understands and a reader may not. */
function hooked(name: string, address: (place: Place) => string, refused: string): Trap {
  return {
    name,
    plant(place) {
      addHook(place.remote, 'post-receive', place);
      addConfig(place.gitDir, origin(address(place)));
    },
    trigger: SEND,
    refused,
  };
}
