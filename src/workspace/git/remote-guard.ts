import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import { readStart } from '../../platform/plain-file.ts';
import { quotePath } from '../safety/paths.ts';
import { findRealPath, refuseMatching, statOf, vetRepository, type Rule, type VettedRepository } from './guard.ts';

/** Settings that count only on the way to a remote; the person's own, outside of the repository, are used as ever. */
const REFUSED_WITH_REMOTES: readonly Rule[] = [
  {
    keys: /^(?:core\.(?:sshcommand|gitproxy|askpass)|credential\.(?:.*\.)?helper)$/su,
    why: 'git would run it to reach the remote',
  },
  { keys: /^remote\..*\.(?:uploadpack|receivepack)$/su, why: 'git would run it as the other side of the remote' },
  {
    keys: /^(?:remote\..*\.proxy|url\..*\.(?:push)?insteadof|remotes\..*|fetch\.bundleuri)$/su,
    why: 'it leads to another place than the address',
  },
  {
    // Among them are files that a server may fill, proxies, and certificates that are not checked.
    keys: /^http\.(?!(?:.*\.)?(?:postbuffer|version|lowspeedlimit|lowspeedtime)$)/su,
    why: 'it changes how git reaches a server',
  },
];

/** Settings that the receiving side of a push would run, where it is a folder on this machine. */
const REFUSED_WHEN_RECEIVING: readonly Rule[] = [
  {
    keys: /^(?:core\.hookspath|filter\..*\.(?:clean|smudge|process))$/su,
    why: 'git would run it in the remote, which is a folder on this machine',
  },
  {
    keys: /^core\.fsmonitor$/su,
    why: 'git would run it in the remote, which is a folder on this machine',
    harmless: /^false$/u,
  },
  {
    keys: /^receive\.denycurrentbranch$/su,
    why: 'git would write files wherever the remote has its work tree',
    harmless: /^(?!updateinstead$)/iu,
  },
];

const RECEIVING_HOOKS = [
  'pre-receive',
  'update',
  'proc-receive',
  'post-receive',
  'post-update',
  'push-to-checkout',
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'pre-auto-gc',
] as const;

/** `scheme://…`, `helper::…`, `user@host:path`; a single letter before the colon is a drive. */
const NETWORK = /^(?!file:\/\/)(?:[\w.+-]+@)?\w[\w.+-]+:/u;

/** Suffixes that git appends to a path, one after the other, until it finds a repository. */
const SUFFIXES = ['/.git', '', '.git/.git', '.git'] as const;

/**
 * Before a command that talks to a remote. One that is a folder on this machine is a repository like any other: its
 * settings and hooks would count here.
 */
export function vetRemote(vetted: VettedRepository, workTree: string, remote: string, isPush: boolean): void {
  refuseMatching(vetted.entries, REFUSED_WITH_REMOTES);
  refuseOldRemotes(vetted.common, remote);
  const keys = new Set([`remote.${remote}.url`, `remote.${remote}.pushurl`]);
  const addresses = vetted.entries.filter(({ key }) => keys.has(key)).map(({ value }) => value);
  for (const address of addresses.length === 0 ? [remote] : addresses) {
    if (NETWORK.test(address)) continue;
    const given = findLocalPath(address);
    // Not normalized: `link/..` is another folder for the system than for the text.
    const full = (path.isAbsolute(given) ? given : `${workTree}/${given}`).replace(/(?<=.)\/+$/u, '');
    // All of them, so that it does not matter which one git takes.
    for (const suffix of SUFFIXES) vetPlace(`${full}${suffix}`, isPush, address);
  }
}

/** Git's oldest ways of noting a remote, which count for a name that the settings give no address. */
function refuseOldRemotes(common: string, remote: string): void {
  if (/[\\/]/u.test(remote)) return;
  const old = ['remotes', 'branches'].map((folder) => path.join(common, folder, remote));
  const file = old.find((name) => statOf(name)?.isDirectory() === false);
  if (file === undefined) return;
  throw new MnemeError('refused', `${file} holds an address that Mneme does not check.`, {
    hint: 'Delete that file, and set the address with `git remote add` or `git remote set-url`.',
  });
}

/** The path in an address of this machine; throws for every form that git reads differently from a plain path. */
function findLocalPath(address: string): string {
  const isFile = address.startsWith('file://');
  const given = isFile ? decodeAddress(address.slice('file://'.length)) : address;
  // A host in a file address is dropped, `~` is a home, and from `[` on git looks for a host.
  const isPlain = isFile ? /^(?:\/|[a-z]:)/iu.test(given) : !/^(?:[~[]|$)|:\/\//u.test(given);
  // The last two: letters that end a path, and bytes that are no letters, so that we would look at another path.
  if (isPlain && !/@\[|\0|\u{FFFD}/u.test(given)) return given;
  throw new MnemeError('refused', `Mneme does not use the address ${quotePath(address)} of a remote.`, {
    hint: 'Write a folder on this machine as its full path, and any other remote as https:// or ssh://.',
  });
}

function decodeAddress(text: string): string {
  // Letter by letter as git does it: a lone percent sign is no error.
  const bytes = Buffer.from(text, 'utf8')
    .toString('latin1')
    .replaceAll(/%([0-9a-f]{2})/giu, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function vetPlace(place: string, isPush: boolean, address: string): void {
  const stat = statOf(place);
  if (stat === undefined) return;
  if (stat.isDirectory()) vetOtherSide(findRealPath(place) ?? place, isPush);
  else if (isPush || !stat.isFile() || !isBundle(place)) {
    throw new MnemeError('refused', `The remote ${quotePath(address)} is not used: ${place} is not a folder.`, {
      hint: 'Such a file can lead git to another repository. Name the folder of that repository instead.',
    });
  }
}

function isBundle(file: string): boolean {
  return /^# v[23] git bundle\n/u.test(readStart(file, 16).toString('latin1'));
}

function vetOtherSide(gitDir: string, isPush: boolean): void {
  const { entries, common } = vetRepository(gitDir);
  if (!isPush) return;
  refuseMatching(entries, REFUSED_WHEN_RECEIVING);
  const hook = RECEIVING_HOOKS.map((name) => path.join(common, 'hooks', name)).find((file) => fs.existsSync(file));
  if (hook === undefined) return;
  throw new MnemeError('refused', `The remote's hook ${hook} would run on this machine, so nothing is sent there.`, {
    hint: 'Delete the hook, or reach the remote through ssh, where its hooks run on its own side.',
  });
}
