/**
 * The package as somebody gets it: packed, installed in an empty folder on each Node that is supported, started by `npx`.
 *
 *   npm run test:package -- [--node 22,24] [--json]
 */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { node: { type: 'string', default: '22,24' }, json: { type: 'boolean', default: false } },
});

/** Of the package, and of all that `npm install` puts on a disk. */
const MAX_PACKAGE_BYTES = 65_000_000;
const MAX_BYTES = 75_000_000;
/** The package with the program itself: `node` fetches it in a script, which npm may not run. */
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;
const root = path.resolve(import.meta.dirname, '..');
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-package-'));

function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env): string {
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function bytesIn(folder: string): number {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + fs.statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

/** What the build says comes first. */
function lastJson(output: string): string {
  return output.slice(output.lastIndexOf('\n[\n') + 1);
}

/** An older Node is told what it needs, and not which of its modules is missing. */
function tryOldNode(archiveFolder: string): void {
  const nodes = path.join(work, 'node-old');
  fs.mkdirSync(nodes);
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', `${NODE_PACKAGE}@20`], nodes);
  const node = path.join(nodes, 'node_modules', NODE_PACKAGE, 'bin', 'node');
  const { stderr } = spawnSync(node, ['--input-type=module', '-e', "import 'mneme'"], {
    cwd: archiveFolder,
    encoding: 'utf8',
  });
  if (!stderr.includes('mneme needs Node 22.18 or newer')) fail(`Node 20: the library said "${stderr}"`);
}

/** The verifier that comes along believes a proof to who gives the key, and nothing to anybody else. */
function proveOutside(folder: string, env: NodeJS.ProcessEnv, major: string): void {
  run('npx', ['--no-install', 'mneme', 'chain', 'prove', '1', '--out', 'proof.json'], folder, env);
  const { chain } = JSON.parse(fs.readFileSync(path.join(folder, 'proof.json'), 'utf8')) as { chain: string };
  const verifier = 'node_modules/mneme/tools/verify-proof/verify-proof.mjs';
  const proved = run('node', [verifier, 'proof.json', chain], folder, env);
  if (!proved.startsWith('proved: entry 1 ')) fail(`Node ${major}: the verifier said "${proved}"`);
  const without = spawnSync('node', [verifier, 'proof.json'], { cwd: folder, env, encoding: 'utf8' });
  if (without.status !== 7 || !without.stdout.startsWith('not proved')) fail(`Node ${major}: proved without a key`);
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
}

/** A program of a careful consumer: everything strict, and no declaration file skipped. */
function checkTypes(folder: string): void {
  const program = `import { openMneme, MnemeError, type RecallResult } from 'mneme';
import { MnemeClient } from 'mneme/client';
const m = await openMneme({ home: 'home' });
const answer: RecallResult = await m.recall('where is the spare key?');
const texts: readonly string[] = answer.hits.map((hit) => hit.text);
new MnemeClient({ baseUrl: 'http://127.0.0.1:1' });
if (texts.length === 0) throw new MnemeError('not-found', 'nothing');
await m.close();
`;
  fs.writeFileSync(path.join(folder, 'strict.ts'), program);
  const types = ['typescript', '@types/node', 'undici-types'];
  for (const name of types) {
    fs.mkdirSync(path.dirname(path.join(folder, 'node_modules', name)), { recursive: true });
    fs.symlinkSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name));
  }
  const options = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false'];
  const module = ['--module', 'nodenext', '--target', 'es2024', '--types', 'node', '--noEmit'];
  run(path.join(root, 'node_modules/.bin/tsc'), [...options, ...module, 'strict.ts'], folder);
}

/** Each adapter finds the library it belongs to, and the one that imports its framework finds that beside the package. */
function tryAdapters(folder: string, env: NodeJS.ProcessEnv): void {
  const frameworks = ['ai'];
  for (const name of frameworks) {
    fs.symlinkSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name));
  }
  const program = `import { openMneme } from 'mneme';
import { memoryMiddleware, memoryTools } from 'mneme/ai-sdk';
import { memoryOptions } from 'mneme/claude-agent-sdk';
import { memoryStore } from 'mneme/langgraph';
import { memoryProcessor } from 'mneme/mastra';
import { memoryConversation } from 'mneme/openai-agents';
const m = await openMneme();
await memoryStore(m).put(['tried'], 'one', { text: 'kept' });
await memoryOptions(m);
memoryProcessor(m);
await memoryConversation(m, { session: await m.session.start({ channel: 'tried' }) });
memoryMiddleware(m);
console.log(Object.keys(await memoryTools(m)).join(' '));
await m.close();
`;
  fs.writeFileSync(path.join(folder, 'adapters.js'), program);
  const said = run('node', ['adapters.js'], folder, env);
  if (!said.includes('memory_search memory_read memory_write')) fail(`The adapters said "${said}"`);
}

const packed = JSON.parse(lastJson(run('npm', ['pack', '--json', '--pack-destination', work], root))) as {
  filename: string;
  unpackedSize: number;
}[];
const packageBytes = packed[0]?.unpackedSize ?? 0;
if (packageBytes > MAX_PACKAGE_BYTES)
  fail(`Unpacked it takes ${packageBytes} bytes; at most ${MAX_PACKAGE_BYTES} are meant to.`);
run(path.join(root, 'node_modules/.bin/publint'), [root], root);
const archive = path.join(work, packed[0]?.filename ?? fail('npm pack made nothing'));
const results = values.node.split(',').map((major) => {
  const nodes = path.join(work, `node-${major}`);
  fs.mkdirSync(nodes);
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', `${NODE_PACKAGE}@${major}`], nodes);
  const bin = path.join(nodes, 'node_modules', NODE_PACKAGE, 'bin');
  if (!fs.existsSync(path.join(bin, 'node'))) fail(`${NODE_PACKAGE}@${major} holds no program.`);
  const env = {
    ...process.env,
    PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`,
    MNEME_HOME: path.join(work, `home-${major}`),
    MNEME_WORKER: 'off',
  };
  const folder = path.join(work, `app-${major}`);
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, 'package.json'), '{"private": true, "type": "module"}\n');
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', archive], folder, env);
  const lock = JSON.parse(fs.readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as Lock;
  const scripts = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript === true);
  if (scripts.length > 0) fail(`Install scripts: ${scripts.map(([name]) => name).join(', ')}`);
  const bytes = bytesIn(path.join(folder, 'node_modules'));
  if (bytes > MAX_BYTES) fail(`Installed it takes ${bytes} bytes; at most ${MAX_BYTES} are meant to.`);
  run('npx', ['--no-install', 'mneme', 'init', '--yes'], folder, env);
  run('npx', ['--no-install', 'mneme', 'remember', 'The spare key hangs behind the boiler'], folder, env);
  const answer = run('npx', ['--no-install', 'mneme', 'recall', 'where is the spare key?'], folder, env);
  if (!answer.includes('behind the boiler')) fail(`Node ${major}: recall did not find it:\n${answer}`);
  // Names are looked for with patterns that a younger Node may take and an older one not.
  const named = run('npx', ['--no-install', 'mneme', 'remember', 'My sister Ada works for Halden'], folder, env);
  if (!named.includes('Remembered')) fail(`Node ${major}: a statement with names was not kept:\n${named}`);
  proveOutside(folder, env, major);
  checkTypes(folder);
  tryAdapters(folder, env);
  const program = `import { openMneme } from 'mneme'; const m = await openMneme(); console.log(process.version, (await m.recall('spare key')).hits.length); await m.close();`;
  fs.writeFileSync(path.join(folder, 'app.js'), program);
  const said = run('node', ['app.js'], folder, env).trim();
  if (!said.startsWith(`v${major}.`) || said.endsWith(' 0')) fail(`Node ${major}: the library said "${said}"`);
  return {
    node: said.split(' ')[0],
    megabytes: Math.round(bytes / 1e5) / 10,
    packageMegabytes: Math.round(packageBytes / 1e5) / 10,
    packages: Object.keys(lock.packages).length - 1,
  };
});
tryOldNode(path.join(work, `app-${values.node.split(',')[0]}`));
fs.rmSync(work, { recursive: true, force: true });
process.stdout.write(
  values.json ? `${JSON.stringify({ package: results })}\n` : `${JSON.stringify(results, undefined, 1)}\n`,
);
