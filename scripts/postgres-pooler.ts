/**
 * A transaction pooler (PgBouncer) in front of a server, in a folder; nothing is installed. Its package and the two
 * libraries it needs are fetched by apt and unpacked.
 *
 *   node scripts/postgres-pooler.ts start --server postgres://USER@HOST:PORT/DATABASE [--folder DIR] [--port 55434]
 *   node scripts/postgres-pooler.ts stop [--folder DIR]
 *
 * `start` prints the address that goes through it. Fewer connections than clients, no prepared statements, everything
 * a connection was told forgotten between transactions: what works through it works through any pooler.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: {
    server: { type: 'string' },
    folder: { type: 'string', default: path.join(os.tmpdir(), 'mneme-pooler') },
    port: { type: 'string', default: '55434' },
    connections: { type: 'string', default: '6' },
  },
  allowPositionals: true,
});
const PACKAGES = ['pgbouncer', 'libevent-2.1-7', 'libc-ares2'];
/** PgBouncer refuses to run as root. */
const POOLER_USER = process.getuid?.() === 0 ? 'nobody' : undefined;
const folder = path.resolve(values.folder);
const pidFile = path.join(folder, 'run', 'pooler.pid');

const [command] = positionals;
if (command === 'start' && values.server !== undefined) start(new URL(values.server));
else if (command === 'stop') process.kill(Number(fs.readFileSync(pidFile, 'utf8')), 'SIGINT');
else {
  process.stderr.write('node scripts/postgres-pooler.ts start --server URL | stop\n');
  process.exit(2);
}

function start(server: URL): void {
  const program = path.join(folder, 'usr', 'sbin', 'pgbouncer');
  if (!fs.existsSync(program)) unpack();
  const run = path.dirname(pidFile);
  fs.mkdirSync(run, { recursive: true });
  const database = server.pathname.slice(1);
  const target = `host=${server.hostname} port=${server.port} dbname=${database} user=${server.username}`;
  const settings = [
    '[databases]',
    `${database} = ${target}${server.password === '' ? '' : ` password=${server.password}`}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${values.port}`,
    `unix_socket_dir = ${run}`,
    `pidfile = ${pidFile}`,
    `logfile = ${path.join(run, 'pooler.log')}`,
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${values.connections}`,
    'max_client_conn = 300',
    'server_reset_query_always = 1',
  ];
  const config = path.join(run, 'pooler.ini');
  fs.writeFileSync(config, `${settings.join('\n')}\n`);
  const libraries = fs.globSync('usr/lib/*-linux-gnu*', { cwd: folder }).map((found) => path.join(folder, found));
  if (POOLER_USER !== undefined) execFileSync('chown', ['-R', POOLER_USER, run]);
  const asUser = POOLER_USER === undefined ? [] : ['setpriv', `--reuid=${POOLER_USER}`, '--clear-groups'];
  const [file = program, ...args] = [...asUser, program, '-d', config];
  execFileSync(file, args, {
    env: { ...process.env, LD_LIBRARY_PATH: libraries.join(':') },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.stdout.write(`postgres://${server.username}@127.0.0.1:${values.port}/${database}\n`);
}

function unpack(): void {
  fs.mkdirSync(folder, { recursive: true });
  execFileSync('apt-get', ['-o', 'APT::Sandbox::User=root', 'download', ...PACKAGES], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const name of fs.readdirSync(folder).filter((file) => file.endsWith('.deb'))) {
    execFileSync('dpkg', ['-x', path.join(folder, name), folder]);
  }
}
