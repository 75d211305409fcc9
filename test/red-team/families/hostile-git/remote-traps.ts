import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { OTHER_SIDES } from './local-remote-traps.ts';
import { addConfig, type Place } from './place.ts';
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
  {
    name: 'a file that the server fills, by http.cookieFile',
    plant: withOrigin(
      ({ mark, lockedServer }) =>
        `${origin(lockedServer.replace('x.git', 'open.git'))}\n[http]\n\tcookieFile = ${mark}\n\tsaveCookies = true`,
    ),
    trigger: ASK,
    refused: 'http.cookiefile',
  },
  {
    name: 'a proxy of the repository for one address',
    plant: withOrigin(
      ({ lockedServer }) => `${origin('http://example.invalid/x')}
[http "http://example.invalid"]
	proxy = ${lockedServer}`,
    ),
    trigger: 'it starts no program',
    refused: '.proxy',
  },
  {
    name: 'a server whose certificate is not checked',
    plant: withOrigin(
      () => `${origin('https://example.invalid/x')}
[http]
	sslVerify = false`,
    ),
    trigger: 'it starts no program',
    refused: 'http.sslverify',
  },
];

export const REMOTES: readonly Trap[] = [...WAYS, ...OTHER_SIDES];
