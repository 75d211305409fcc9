import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compileCacheFolder, makePrivateFolder, whyNotPrivate, whyNotSafe } from '../../../bin/private-folder.js';
import { ArchiveWriter } from '../../../src/maintain/backup/tar/writer.ts';
import { adoptFolder } from '../../../src/operations/home/adopt.ts';
import { initHome } from '../../../src/operations/home/init.ts';
import { verifyBackup } from '../../../src/operations/backup/verify.ts';
import { isMnemeError } from '../../../src/model/errors.ts';
import { generateX25519Identity, identityToRecipient } from '../../../src/operations/history/sealed/age-library.ts';
import { openFile, sealFile } from '../../../src/operations/history/sealed/seal.ts';
import { makeScratchFolder } from '../../../src/platform/private-folder.ts';
import { DaemonLog, writeHeartbeat } from '../../../src/runtime/daemon/daemon-log.ts';
import { applyServicePlan, defineService, planInstall } from '../../../src/runtime/service/plan.ts';
import { eraseInFolder } from '../../../src/workspace/erase/files.ts';
import { makeTemporaryFolder } from '../../support/home.ts';
import { bin } from '../../support/mcp.ts';
import { attack, control, type Family, type RedTeamCase } from '../table.ts';
import { OUTSIDE } from '../world.ts';

type Case = RedTeamCase<undefined>;

/** Only root can give a folder away; others look at their own as a stranger would. */
const isRoot = process.getuid?.() === 0;
const STRANGER = 4_000_000;
const ONLOOKER = isRoot ? 0 : STRANGER;

function makeForeignFolder(mode: number): string {
  const folder = makeFolder(mode);
  if (isRoot) fs.chownSync(folder, STRANGER, STRANGER);
  return folder;
}

function makeFolder(mode: number, ...names: string[]): string {
  const folder = path.join(makeTemporaryFolder(), ...names);
  fs.mkdirSync(folder, { recursive: true });
  // Whatever the umask.
  fs.chmodSync(folder, mode);
  return folder;
}

function linkTo(target: string): string {
  const link = path.join(makeTemporaryFolder(), 'link');
  fs.symlinkSync(target, link);
  return link;
}

function mustSay(trouble: string | undefined, words: string): string | undefined {
  return trouble?.includes(words) === true ? undefined : `said ${trouble ?? 'that it is private'}`;
}

const FOLDERS: readonly Case[] = [
  attack('a folder for compiled code that belongs to another user', async () =>
    mustSay(whyNotPrivate(makeForeignFolder(0o700), ONLOOKER), 'belongs to another user'),
  ),
  attack('a folder for compiled code below one that belongs to another user', async () =>
    mustSay(whyNotPrivate(path.join(makeForeignFolder(0o700), 'missing'), ONLOOKER), 'belongs to another user'),
  ),
  attack('a folder for compiled code that others can write to', async () =>
    mustSay(makePrivateFolder(makeFolder(0o777)), 'other users can write'),
  ),
  attack('a folder for compiled code that a group can write to', async () =>
    mustSay(makePrivateFolder(makeFolder(0o770)), 'other users can write'),
  ),
  attack('a folder for compiled code below one that others can write to', async () =>
    mustSay(makePrivateFolder(path.join(makeFolder(0o777), 'mneme', 'compiled')), 'other users can write'),
  ),
  attack('a link in place of the folder for compiled code', async () =>
    mustSay(makePrivateFolder(linkTo(makeFolder(0o700))), 'not a folder'),
  ),
  attack('a link on the way into a folder that others can write to', async () =>
    mustSay(makePrivateFolder(path.join(linkTo(makeFolder(0o777)), 'compiled')), 'other users can write'),
  ),
  attack('a file in place of the folder for compiled code', async () => {
    const file = path.join(makeTemporaryFolder(), 'file');
    fs.writeFileSync(file, '');
    return mustSay(makePrivateFolder(file), 'not a folder');
  }),
  attack('a folder for compiled code inside a home', async () => {
    const folder = compileCacheFolder({ XDG_CACHE_HOME: 'relative', MNEME_HOME: '/srv/home' }, '/home/ada', 'linux');
    return folder === '/home/ada/.cache/mneme/compiled' ? undefined : folder;
  }),
  control('a new folder for compiled code is closed to others', async () => {
    const folder = path.join(makeTemporaryFolder(), 'cache', 'mneme');
    const trouble = makePrivateFolder(folder);
    return trouble ?? ((fs.statSync(folder).mode & 0o777) === 0o700 ? undefined : 'it is open to others');
  }),
  control('an own folder that others could only read is closed and used', async () => {
    const folder = makeFolder(0o755);
    const trouble = makePrivateFolder(folder);
    return trouble ?? ((fs.statSync(folder).mode & 0o777) === 0o700 ? undefined : 'it is open to others');
  }),
  control('a folder of one’s own below a shared one in which nobody can replace it', async () =>
    makePrivateFolder(path.join(makeFolder(0o1777), 'mneme')),
  ),
];

function start(
  variables: Readonly<Record<string, string>>,
  args: readonly string[] = [bin, '--version'],
  cwd?: string,
): { readonly code: number | null; readonly said: string } {
  const env = { ...process.env, ...variables, NODE_COMPILE_CACHE: undefined };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, cwd, encoding: 'utf8' });
  return { code: status, said: stdout + stderr };
}

const STARTS: readonly Case[] = [
  ...['', 'relative'].map((userHome): Case =>
    attack(
      `a start keeps no compiled code in the current folder when HOME is ${JSON.stringify(userHome)}`,
      async () => {
        const folder = makeFolder(0o700);
        const { code, said } = start({ HOME: userHome, XDG_CACHE_HOME: '' }, [bin, '--version'], folder);
        if (code !== 0) return said;
        return fs.readdirSync(folder).length === 0 ? undefined : fs.readdirSync(folder).join(', ');
      },
    ),
  ),
  attack('a start leaves and reads no compiled code in the shared folder for temporary files', async () => {
    const shared = makeFolder(0o1777);
    const { code, said } = start({ TMPDIR: shared, XDG_CACHE_HOME: makeFolder(0o700) });
    if (code !== 0) return said;
    return fs.readdirSync(shared).length === 0 ? undefined : fs.readdirSync(shared).join(', ');
  }),
  attack('a start uses no folder that a link leads to, and goes without', async () => {
    const [target, cache] = [makeFolder(0o700), makeFolder(0o700)];
    fs.mkdirSync(path.join(cache, 'mneme'));
    fs.symlinkSync(target, path.join(cache, 'mneme', 'compiled'));
    const { code, said } = start({ TMPDIR: makeFolder(0o1777), XDG_CACHE_HOME: cache });
    // Where Node keeps it unasked is the case before this one.
    if (code !== 0 || !/^\d/u.test(said)) return said;
    return fs.readdirSync(target).length === 0 ? undefined : 'it was used';
  }),
  attack('doctor, where others can write to the folder for compiled code', async () => {
    const file = path.resolve(import.meta.dirname, '../../../src/platform/private-folder.ts');
    const script = `import { readCompileCache } from ${JSON.stringify(file)}; console.log(readCompileCache().trouble);`;
    const { said } = start({ XDG_CACHE_HOME: makeFolder(0o777) }, ['--input-type=module', '-e', script]);
    return mustSay(said, 'other users can write');
  }),
  control('a start keeps compiled code in a folder of its own', async () => {
    const cache = makeFolder(0o700);
    const { code, said } = start({ XDG_CACHE_HOME: cache });
    if (code !== 0) return said;
    return fs.readdirSync(path.join(cache, 'mneme', 'compiled')).length > 0 ? undefined : 'nothing was kept';
  }),
];

async function withVariable<T>(name: string, value: string, body: () => Promise<T>): Promise<T> {
  const before = process.env[name];
  process.env[name] = value;
  try {
    return await body();
  } finally {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
}

/** Holds one file and no list of contents: as much as is opened before it is refused. */
async function makeSealedArchive(): Promise<{ readonly file: string; readonly identity: string }> {
  const plain = path.join(makeTemporaryFolder(), 'backup.tar.gz');
  const writer = ArchiveWriter.create(plain, 1);
  await writer.add({ path: 'workspace/note.md', size: 2, mode: 0o600, mtimeMs: 0 }, Buffer.from('a\n'));
  await writer.finish();
  const identity = await generateX25519Identity();
  const file = `${plain}.age`;
  await sealFile([await identityToRecipient(identity)], plain, file);
  return { file, identity };
}

const SCRATCH: readonly Case[] = [
  attack('a backup unpacked where others could exchange the folder', async () =>
    withVariable('TMPDIR', makeFolder(0o777), async () => {
      const file = path.join(makeTemporaryFolder(), 'backup.tar.gz');
      fs.writeFileSync(file, '');
      const failure = await verifyBackup(file).then(() => '', String);
      return mustSay(failure, 'Temporary files are not safe');
    }),
  ),
  attack('a sealed backup is opened only inside the folder that others cannot enter', async () => {
    const { file, identity } = await makeSealedArchive();
    return withVariable('TMPDIR', makeFolder(0o1777), async () => {
      const seen: string[][] = [];
      const onProgress = (): void => void seen.push(fs.readdirSync(tmpdir()));
      const failure = await verifyBackup(file, { identities: [identity], onProgress }).then(() => '', String);
      if (seen.length < 2 || !failure.includes('list of contents')) return `it was not opened: ${failure}`;
      return seen.every((names) => names.length === 1) ? undefined : JSON.stringify(seen);
    });
  }),
  attack('a sealed file opened onto a file that is there already', async () => {
    const { file, identity } = await makeSealedArchive();
    const target = path.join(makeTemporaryFolder(), 'target');
    fs.writeFileSync(target, OUTSIDE);
    const failure = await openFile([identity], file, target).then(() => '', String);
    if (!fs.existsSync(target) || fs.readFileSync(target, 'utf8') !== OUTSIDE) return 'the file is gone';
    return mustSay(failure, 'EEXIST');
  }),
  attack('a TMPDIR that does not exist is named', async () =>
    withVariable('TMPDIR', path.join(makeTemporaryFolder(), 'missing'), async () => {
      try {
        return makeScratchFolder('mneme-edit-');
      } catch (error) {
        return isMnemeError(error) ? mustSay(error.hint, 'TMPDIR') : String(error);
      }
    }),
  ),
  attack('temporary files in a folder of another user', async () =>
    mustSay(whyNotSafe(makeForeignFolder(0o1777), ONLOOKER), 'belongs to another user'),
  ),
  control('temporary files in the usual shared folder, under a name nobody can foresee', async () =>
    withVariable('TMPDIR', makeFolder(0o1777), async () => {
      const [one, other] = [makeScratchFolder('mneme-edit-'), makeScratchFolder('mneme-edit-')];
      const isClosed = [one, other].every((folder) => (fs.statSync(folder).mode & 0o777) === 0o700);
      return isClosed && one !== other ? undefined : 'it is open to others';
    }),
  ),
];

/** A link of every name that a temporary file beside `file` ever had. */
function plantLinks(file: string, target: string): void {
  for (const ending of ['.tmp', '.new', `.${process.pid}.tmp`]) fs.symlinkSync(target, `${file}${ending}`);
}

/** Undefined when what lies outside is as it was, and the file itself was written. */
async function mustStayOutside(
  name: string,
  write: (folder: string, file: string) => unknown,
): Promise<string | undefined> {
  const folder = makeTemporaryFolder();
  const outside = path.join(makeTemporaryFolder(), 'outside.md');
  fs.writeFileSync(outside, OUTSIDE);
  const file = path.join(folder, name);
  plantLinks(file, outside);
  await write(folder, file);
  if (fs.readFileSync(outside, 'utf8') !== OUTSIDE) return 'a link was written through';
  return fs.lstatSync(file).isFile() ? undefined : 'the file was not written';
}

const BEAT = { pid: 1, startedMs: 0, atMs: 0 } as unknown as Parameters<typeof writeHeartbeat>[1];

const LINKED: readonly Case[] = [
  attack('a link of the name of a temporary file, for the daemon’s sign of life', () =>
    mustStayOutside('daemon.json', (folder) => writeHeartbeat(folder, BEAT)),
  ),
  attack('a link of the name of a temporary file, for a service definition', () =>
    mustStayOutside('mneme.service', (_folder, file) => {
      const spec = { name: 'mneme', home: '/home/ada', command: ['/usr/bin/node'], logs: '/home/ada/logs' };
      const definition = defineService('systemd', spec, { userHome: '/home' });
      const plan = planInstall({ ...definition, file: { ...definition.file, path: file } }, false);
      return applyServicePlan(plan, () => Promise.resolve({ code: 0, said: '' }));
    }),
  ),
  attack('a link of the name of a temporary file, for a file that is erased from', () =>
    mustStayOutside('note.md', (folder, file) => {
      fs.writeFileSync(file, 'the secret word');
      eraseInFolder(folder, (bytes) => {
        const text = bytes.toString('utf8');
        return text.includes('secret') ? Buffer.from(text.replace('secret ', '')) : bytes;
      });
    }),
  ),
  attack('a link in place of the daemon’s log', async () => {
    const folder = makeTemporaryFolder();
    const outside = path.join(makeTemporaryFolder(), 'outside.md');
    fs.writeFileSync(outside, OUTSIDE);
    fs.symlinkSync(outside, path.join(folder, 'daemon-1970-01-01.jsonl'));
    const heard: string[] = [];
    const log = new DaemonLog({
      folder,
      clock: { now: () => 0 },
      onLine: ({ event }) => void heard.push(event),
    });
    log.write('info', 'begin', 'It begins.');
    if (fs.readFileSync(outside, 'utf8') !== OUTSIDE) return 'the link was written through';
    return heard.includes('log-failed') ? undefined : 'nothing was said about it';
  }),
];

const HOMES: readonly Case[] = [
  attack('mneme init in a folder that is there already and open to others', async () => {
    const home = makeFolder(0o755);
    await initHome({ home, timeZone: 'UTC', isFull: false, command: [] });
    return (fs.statSync(home).mode & 0o077) === 0 ? undefined : 'it is open to others';
  }),
  attack('mneme adopt into a home that is there already and open to others', async () => {
    const home = makeFolder(0o775);
    await adoptFolder({ home, folder: makeTemporaryFolder(), timeZone: 'UTC' });
    return (fs.statSync(home).mode & 0o077) === 0 ? undefined : 'it is open to others';
  }),
  control('the folder that is adopted keeps its permissions', async () => {
    const folder = makeFolder(0o755);
    await adoptFolder({ home: makeFolder(0o755), folder, timeZone: 'UTC' });
    return (fs.statSync(folder).mode & 0o777) === 0o755 ? undefined : 'they were changed';
  }),
];

export const PRIVATE_PLACES: Family<undefined> = {
  title: 'Caches and temporary files are out of other users’ reach',
  cases: [...HOMES, ...FOLDERS, ...STARTS, ...SCRATCH, ...LINKED],
};
