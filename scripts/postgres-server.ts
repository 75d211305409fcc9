/**
 * A real PostgreSQL with pgvector in a folder, for tests and benchmarks; nothing is installed.
 *
 *   node scripts/postgres-server.ts start [--folder DIR] [--port 55433]      prints the address
 *   node scripts/postgres-server.ts stop  [--folder DIR]
 *
 * Needs PostgreSQL's programs on this machine (`initdb` beside `pg_config --bindir`, or under /usr/lib/postgresql). If
 * they come without pgvector, they are copied into the folder, and pgvector is compiled from the source package of a
 * newer Debian against the headers of this one, all fetched by apt with settings of its own; that needs `apt-get` and `cc`.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: {
    folder: { type: 'string', default: path.join(os.tmpdir(), 'mneme-postgres') },
    port: { type: 'string', default: '55433' },
  },
  allowPositionals: true,
});
const folder = path.resolve(values.folder);
const data = path.join(folder, 'data');
/** The newer Debian that has the sources of pgvector. */
const SOURCE_SUITE = 'trixie';
/** PostgreSQL refuses to run as root. */
const SERVER_USER = process.getuid?.() === 0 ? 'nobody' : undefined;

const [command] = positionals;
if (command === 'start') start();
else if (command === 'stop') runAsServer(path.join(findPrograms(), 'pg_ctl'), ['-D', data, '-m', 'fast', 'stop']);
else {
  process.stderr.write('node scripts/postgres-server.ts start | stop\n');
  process.exit(2);
}

function start(): void {
  fs.mkdirSync(data, { recursive: true, mode: 0o755 });
  const programs = preparePrograms();
  if (SERVER_USER !== undefined) execFileSync('chown', ['-R', SERVER_USER, data]);
  if (!fs.existsSync(path.join(data, 'PG_VERSION'))) {
    const locale = ['-E', 'UTF8', '--locale=C.UTF-8', '--auth=trust', '-U', 'mneme'];
    runAsServer(path.join(programs, 'initdb'), ['-D', data, ...locale]);
  }
  const settings = ['listen_addresses=127.0.0.1', 'max_connections=200', 'shared_buffers=256MB'];
  const options = [`-p ${values.port}`, `-k ${data}`, ...settings.map((setting) => `-c ${setting}`)].join(' ');
  const log = path.join(data, 'server.log');
  runAsServer(path.join(programs, 'pg_ctl'), ['-D', data, '-w', '-l', log, '-o', options, 'start']);
  process.stdout.write(`postgres://mneme@127.0.0.1:${values.port}/postgres\n`);
}

/** The folder with programs that have pgvector: those of this machine, or a copy with it added. */
function preparePrograms(): string {
  const installed = findPrograms();
  const version = path.basename(path.dirname(installed));
  const share = (root: string): string =>
    path.join(root, 'share', 'postgresql', version, 'extension', 'vector.control');
  if (fs.existsSync(share('/usr')) || fs.existsSync(share(folder))) return installed;
  const source = path.dirname(installed);
  const target = path.join(folder, 'lib', 'postgresql', version);
  fs.cpSync(source, target, { recursive: true, dereference: true });
  fs.cpSync(path.join('/usr/share/postgresql', version), path.join(folder, 'share', 'postgresql', version), {
    recursive: true,
    dereference: true,
  });
  addVectors(version, target, path.dirname(share(folder)));
  return path.join(target, 'bin');
}

function findPrograms(): string {
  const copies = path.join(folder, 'lib', 'postgresql');
  const system = '/usr/lib/postgresql';
  for (const root of [copies, system]) {
    const versions = fs.existsSync(root) ? fs.readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
    const found = versions
      .map((version) => path.join(root, version, 'bin'))
      .find((bin) => fs.existsSync(path.join(bin, 'initdb')));
    if (found !== undefined) return found;
  }
  const bin = execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();
  if (fs.existsSync(path.join(bin, 'initdb'))) return bin;
  throw new Error('PostgreSQL is not installed here (initdb was not found).');
}

function addVectors(version: string, target: string, extensions: string): void {
  const work = path.join(folder, 'build');
  for (const name of ['lists/partial', 'cache/archives/partial', 'headers', 'source']) {
    fs.mkdirSync(path.join(work, name), { recursive: true });
  }
  const mirror = execFileSync('apt-get', ['indextargets', '--format', '$(REPO_URI)'], { encoding: 'utf8' })
    .split('\n')
    .find((line) => line.endsWith('/debian/'));
  if (mirror === undefined) throw new Error('apt knows no Debian mirror here.');
  const described = fs.readFileSync('/etc/os-release', 'utf8');
  const suite = /^VERSION_CODENAME="?(?<name>[\w.-]+)/mu.exec(described)?.groups?.['name'];
  if (suite === undefined) throw new Error('/etc/os-release names no release of Debian.');
  const lists = path.join(work, 'sources.list');
  const security = mirror.replace(/debian\/$/u, 'debian-security');
  fs.writeFileSync(
    lists,
    `deb ${mirror} ${suite} main\ndeb ${security} ${suite}-security main\ndeb-src ${mirror} ${SOURCE_SUITE} main\n`,
  );
  const apt = (...args: string[]): void => {
    const options = [
      ['Dir::State::lists', path.join(work, 'lists')],
      ['Dir::Cache', path.join(work, 'cache')],
      ['Dir::Etc::sourcelist', lists],
      ['Dir::Etc::sourceparts', '-'],
      ['APT::Sandbox::User', SERVER_USER === undefined ? '' : 'root'],
    ].flatMap(([key, value]) => ['-o', `${key}=${value}`]);
    execFileSync('apt-get', [...options, ...args], { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  apt('update');
  apt('source', '--download-only', 'pgvector');
  apt('download', `postgresql-server-dev-${version}`);
  const archive = (pattern: RegExp): string => {
    const found = fs.readdirSync(work).find((name) => pattern.test(name));
    if (found === undefined) throw new Error(`apt fetched nothing like ${pattern.source}.`);
    return path.join(work, found);
  };
  execFileSync('dpkg', ['-x', archive(/^postgresql-server-dev.*\.deb$/u), path.join(work, 'headers')]);
  execFileSync('tar', [
    'xzf',
    archive(/^pgvector.*\.orig\.tar\.gz$/u),
    '-C',
    path.join(work, 'source'),
    '--strip-components=1',
  ]);
  const source = path.join(work, 'source');
  const include = path.join(work, 'headers', 'usr', 'include', 'postgresql', version, 'server');
  const code = fs.readdirSync(path.join(source, 'src')).filter((name) => name.endsWith('.c'));
  const flags = [
    '-O2',
    '-fPIC',
    '-shared',
    '-ftree-vectorize',
    '-fassociative-math',
    '-fno-signed-zeros',
    '-fno-trapping-math',
  ];
  const inputs = code.map((name) => path.join(source, 'src', name));
  execFileSync('cc', [...flags, `-I${include}`, '-o', path.join(target, 'lib', 'vector.so'), ...inputs, '-lm']);
  const control = fs.readFileSync(path.join(source, 'vector.control'), 'utf8');
  const release = /default_version = '([^']+)'/u.exec(control)?.[1] ?? '';
  fs.writeFileSync(path.join(extensions, 'vector.control'), control);
  fs.copyFileSync(path.join(source, 'sql', 'vector.sql'), path.join(extensions, `vector--${release}.sql`));
}

function runAsServer(program: string, args: readonly string[]): void {
  const [file, given] =
    SERVER_USER === undefined
      ? [program, [...args]]
      : ['setpriv', [`--reuid=${SERVER_USER}`, '--clear-groups', program, ...args]];
  execFileSync(file, given, { cwd: data, stdio: ['ignore', 'ignore', 'inherit'] });
}
