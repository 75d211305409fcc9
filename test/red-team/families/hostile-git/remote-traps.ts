import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { addConfig, addHook, typeGit, type Place } from './place.ts';
import type { Trap } from './traps.ts';

const ASK = ['ls-remote', 'origin'];
const SEND = ['push', 'origin', 'HEAD:refs/heads/x'];

const origin = (url: string, more = ''): string => `[remote "origin"]\n\turl = ${url}\n\t${more}`;

const withOrigin =
  (text: (place: Place) => string) =>
  (place: Place): void =>
    addConfig(place.gitDir, text(place));

/** Settings of the repository that count on the way to a remote. */
const WAYS: readonly Trap[] = [
  {
    name: 'an ssh command',
    plant: withOrigin(({ evil }) => `${origin('ssh://localhost/x')}\n[core]\n\tsshCommand = ${evil}`),
    trigger: ASK,
    refused: 'core.sshcommand',
  },
  {
    name: 'a proxy command',
    plant: withOrigin(({ evil }) => `${origin('git://localhost/x')}\n[core]\n\tgitProxy = ${evil}`),
    trigger: ASK,
    refused: 'core.gitproxy',
  },
  {
    name: 'a helper for passwords',
    plant: withOrigin(({ evil, lockedServer }) => `${origin(lockedServer)}\n[credential]\n\thelper = ${evil}`),
    trigger: ASK,
    refused: 'credential.helper',
  },
  {
    name: 'a helper for the passwords of one address, by a shell',
    plant: withOrigin(
      ({ evil, lockedServer }) => `${origin(lockedServer)}\n[credential "${lockedServer}"]\n\thelper = "!${evil} #"`,
    ),
    trigger: ASK,
    refused: '.helper',
  },
  {
    name: 'a program that asks for passwords',
    plant: withOrigin(({ evil, lockedServer }) => `${origin(lockedServer)}\n[core]\n\taskPass = ${evil}`),
    trigger: ASK,
    refused: 'core.askpass',
  },
  {
    name: 'a command as the other side of a fetch',
    plant: withOrigin(({ evil, remote }) => origin(remote, `uploadpack = ${evil}`)),
    trigger: ASK,
    refused: 'remote.origin.uploadpack',
  },
  {
    name: 'a command as the other side of a push',
    plant: withOrigin(({ evil, remote }) => origin(remote, `receivepack = ${evil}`)),
    trigger: SEND,
    refused: 'remote.origin.receivepack',
  },
  {
    name: 'a remote of another kind of program',
    plant: withOrigin(({ evil }) => `${origin(evil, 'vcs = ext')}\n[protocol]\n\tallow = always`),
    trigger: ASK,
    refused: 'remote.origin.vcs',
  },
  {
    name: 'an address that is a command',
    plant: withOrigin(({ evil }) => `${origin(`ext::${evil}`)}\n[protocol "ext"]\n\tallow = always`),
    trigger: ASK,
    refused: "transport 'ext' not allowed",
  },
  {
    name: 'an address for pushing that is a command',
    plant: withOrigin(
      ({ evil, remote }) => `${origin(remote, `pushurl = ext::${evil}`)}\n[protocol "ext"]\n\tallow = always`,
    ),
    trigger: SEND,
    refused: "transport 'ext' not allowed",
  },
  {
    name: 'an address that is replaced by a command',
    plant: withOrigin(
      ({ evil }) =>
        `${origin('https://example.com/x')}\n[url "ext::${evil} "]\n\tinsteadOf = https://\n[protocol]\n\tallow = always`,
    ),
    trigger: ASK,
    refused: '.insteadof',
  },
  {
    name: 'an address that is replaced by a command for pushing',
    plant: withOrigin(
      ({ evil, remote }) =>
        `${origin(remote)}\n[url "ext::${evil} "]\n\tpushInsteadOf = /\n[protocol]\n\tallow = always`,
    ),
    trigger: SEND,
    refused: '.pushinsteadof',
  },
  {
    name: 'a submodule whose remote names a command, fetched along',
    plant(place) {
      const sub = path.join(place.workspace, 'sub');
      const git = (cwd: string, ...args: string[]): string =>
        execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], { cwd, encoding: 'utf8' }).trim();
      fs.cpSync(place.gitDir, path.join(sub, '.git'), { recursive: true });
      fs.rmSync(path.join(sub, '.git/hooks'), { recursive: true, force: true });
      addConfig(path.join(sub, '.git'), origin(place.remote, `uploadpack = ${place.evil}`));
      fs.writeFileSync(path.join(place.workspace, '.gitmodules'), '[submodule "sub"]\n\tpath = sub\n\turl = ../x\n');
      const head = git(place.workspace, 'rev-parse', 'HEAD');
      git(place.workspace, 'update-index', '--add', '--cacheinfo', `160000,${head},sub`);
      git(place.workspace, 'add', '.gitmodules');
      git(place.workspace, 'commit', '-q', '--no-verify', '-m', 'sub');
      addConfig(
        place.gitDir,
        `${origin(place.remote)}\n[submodule]\n\trecurse = true\n[fetch]\n\trecurseSubmodules = true\n[submodule "sub"]\n\tactive = true\n\turl = x\n\tfetchRecurseSubmodules = true`,
      );
    },
    trigger: ['fetch', 'origin'],
  },
];

/** A remote that is a folder on this machine, prepared by whoever made the repository that names it. */
const OTHER_SIDES: readonly Trap[] = [
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
];

export const REMOTES: readonly Trap[] = [...WAYS, ...OTHER_SIDES];
