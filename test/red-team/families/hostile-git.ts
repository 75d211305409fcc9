import fs from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { attack, control, type Family } from '../table.ts';
import { FILES } from './hostile-git/file-traps.ts';
import { addConfig, copyTemplate, makeTemplate, typeGit, type Place } from './hostile-git/place.ts';
import { REMOTES } from './hostile-git/remote-traps.ts';
import { DRIVERS, LAZY_FETCHES, LOCAL_COMMANDS, SIGNATURES, type Trap } from './hostile-git/traps.ts';
import { QUICK_VERBS, REMOTE_VERBS, useHome, VERB_NAMES } from './hostile-git/use.ts';

export interface HostileGitWorld {
  readonly template: string;
  readonly server: Server;
}

export async function makeHostileGitWorld(): Promise<HostileGitWorld> {
  const server = createServer(({ url = '' }, response) => {
    if (url.startsWith('/open.git/')) response.writeHead(200, { 'set-cookie': 'a=b; Max-Age=3600' }).end();
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { template: await makeTemplate(), server };
}

function makePlace({ template, server }: HostileGitWorld): Place {
  return copyTemplate(template, `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`);
}

function readMark({ mark }: Place): string | undefined {
  return fs.existsSync(mark) ? fs.readFileSync(mark, 'utf8') : undefined;
}

/** Plain git must run the command, and Mneme must not. */
async function spring(world: HostileGitWorld, trap: Trap): Promise<string | undefined> {
  const { plant, trigger, refused } = trap;
  if (typeof trigger !== 'string') {
    const live = makePlace(world);
    await plant(live);
    const said = typeof trigger === 'function' ? await trigger(live) : await typeGit(live.workspace, ...trigger);
    if (readMark(live) === undefined) return `plain git did not run it, so that nothing was tested: ${String(said)}`;
  }
  const place = makePlace(world);
  await plant(place);
  fs.rmSync(place.mark, { force: true });
  const used = await useHome(place, REMOTES.includes(trap) ? REMOTE_VERBS : QUICK_VERBS);
  const ran = readMark(place);
  if (ran !== undefined) return `it ran: ${ran}`;
  const reasons = [...used.refused].map(([verb, message]) => `${verb}: ${message}`);
  if (refused === undefined) {
    const stopped = reasons.filter((reason) => !reason.startsWith('sync: '));
    return stopped.length === 0 ? undefined : `it is harmless now, but was refused: ${stopped.join('\n')}`;
  }
  return reasons.some((reason) => reason.includes(refused)) ? undefined : `not refused for it: ${reasons.join('\n')}`;
}

const TRAPS = [...LAZY_FETCHES, ...SIGNATURES, ...DRIVERS, ...LOCAL_COMMANDS, ...FILES, ...REMOTES];

/** Traps that are left aside, in one home that is used in every way. */
async function springAll(world: HostileGitWorld): Promise<string | undefined> {
  const place = makePlace(world);
  for (const { plant } of TRAPS.filter((trap) => trap.refused === undefined && !REMOTES.includes(trap)))
    await plant(place);
  fs.rmSync(place.mark, { force: true });
  const { refused } = await useHome(place);
  const ran = readMark(place);
  if (ran !== undefined) return `it ran: ${ran}`;
  return refused.size === 0 ? undefined : [...refused].join('\n');
}

/** Everything must work, with what a person may well have in a repository. */
function ordinary(name: string, prepare: (place: Place) => void, address = ({ remote }: Place) => remote) {
  return control<HostileGitWorld>(name, async (world) => {
    const place = makePlace(world);
    prepare(place);
    addConfig(
      place.gitDir,
      `[remote "origin"]\n\turl = ${address(place)}\n\tfetch = +refs/heads/*:refs/remotes/origin/*`,
    );
    const { done, refused } = await useHome(place);
    if (refused.size > 0) return [...refused].join('\n');
    const missing = ['open', ...VERB_NAMES, 'close'].filter((verb) => !done.includes(verb));
    if (missing.length > 0) return `not done: ${missing.join()}`;
    const sent = await typeGit(place.remote, 'log', '--format=%s', 'main');
    return sent.includes('note.md') ? undefined : `the remote has only: ${sent}`;
  });
}

export const HOSTILE_GIT: Family<HostileGitWorld> = {
  title: 'A repository from elsewhere cannot make git start a program',
  cases: [
    ...TRAPS.map((trap) => attack<HostileGitWorld>(trap.name, (world) => spring(world, trap))),
    attack('all that is left aside, at once', springAll),
    ordinary('a home with a remote on this machine is used in every way', () => undefined),
    ordinary(
      'a remote by a relative path',
      () => undefined,
      ({ workspace, remote }) => path.relative(workspace, remote),
    ),
    ordinary(
      'a remote by a file address',
      () => undefined,
      ({ remote }) => `file://${remote}`,
    ),
    ordinary('a name, a branch, comments, colours and an alias of a person’s own', ({ gitDir }) =>
      addConfig(
        gitDir,
        '# mine\n[user]\n\tname = "A; B" ; really\n[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n[color]\n\tui = auto\n[alias]\n\tst = status -sb\n[include]\n[remote "origin"]\n\tpromisor = false\n[http]\n\tpostBuffer = 1000000',
      ),
    ),
    ordinary('a filter for large files, as git-lfs sets it up', ({ gitDir, workspace }) => {
      addConfig(
        gitDir,
        '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n\tprocess = git-lfs filter-process\n\trequired = true',
      );
      fs.writeFileSync(path.join(workspace, '.gitattributes'), '*.md filter=lfs diff=lfs merge=lfs -text\n');
    }),
  ],
};
