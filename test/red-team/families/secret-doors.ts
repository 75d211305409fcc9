import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { AgentStore } from '../../../src/interfaces/adapters/agent-store.ts';
import { MemoryTool } from '../../../src/interfaces/memory-tool/memory-tool.ts';
import { isMnemeError } from '../../../src/model/errors.ts';
import { openMneme, type Mneme } from '../../../src/mneme.ts';
import { saveContext } from '../../../src/operations/working/save-context.ts';
import { runOperation } from '../../../src/operations/operation.ts';
import { slugify } from '../../../src/workspace/safety/paths.ts';
import { createDraw } from '../../support/secret-samples.ts';
import { TestCli } from '../../support/cli.ts';
import { answerHook as answer } from '../../support/hooks.ts';
import { makeTemporaryFolder } from '../../support/home.ts';
import { serveTestHome, type TestServer } from '../../support/http-server.ts';
import { call, connectHttp } from '../../support/mcp.ts';
import { readEverything } from '../../support/read-everything.ts';
import { readLookAlikes, readSecretSamples, tellingPart, type SecretSample } from '../../support/secret-sets.ts';
import { attack, control, type Family } from '../table.ts';

/** Of the documented forms; the rest is what docs/security.md says that it cannot catch. */
const LEAST_HELD = 0.97;
/** Everyday words and short numbers would be found in any home. */
const MIN_TELLING = 8;

/** A home of its own for every interface, so that what leaked is known to have come through it. */
interface Door {
  readonly server: TestServer;
  readonly cli: TestCli;
}

type Tell = (door: Door, texts: readonly string[]) => Promise<void>;

/** Before its beginning, so that there is time enough on any machine. */
const answerHook = (home: string, event: string, input: Record<string, unknown>): Promise<unknown> =>
  answer(home, event, input, () => -600_000);

/** As one memory may be large. */
function inGroups(texts: readonly string[], count = 15): string[] {
  const groups: string[] = [];
  for (let at = 0; at < texts.length; at += count) groups.push(texts.slice(at, at + count).join('\n\n'));
  return groups;
}

const DOORS: Readonly<Record<string, Tell>> = {
  'CLI remember': async ({ cli }, texts) => {
    for (const text of inGroups(texts)) await cli.ok('remember', text);
  },
  'CLI append': async ({ cli }, texts) => {
    for (const text of inGroups(texts)) await cli.ok('append', 'memory/reference/told.md', text);
  },
  'CLI import': async ({ cli }, texts) => {
    const folder = makeTemporaryFolder();
    for (const [at, text] of texts.entries())
      fs.writeFileSync(path.join(folder, `note-${at}.md`), `# Note\n\n${text}\n`);
    await cli.ok('import', 'markdown', folder);
  },
  'library remember': async ({ server }, texts) => {
    for (const text of inGroups(texts)) await server.mneme.remember(text);
  },
  'library session': async ({ server: { mneme } }, texts) => {
    const session = await mneme.session.start({});
    for (const [at, text] of texts.entries()) {
      if (at % 3 === 0) await session.tool('shell', { command: text }, text);
      else await session.message(at % 3 === 1 ? 'user' : 'agent', text);
    }
    await session.end();
  },
  'library edit': async ({ server }, texts) => {
    await server.mneme.edit({ path: 'memory/reference/told.md', content: `# Told\n\n${texts.join('\n\n')}\n` });
  },
  HTTP: async ({ server }, texts) => {
    for (const text of inGroups(texts)) await server.client('owner').call('remember', { text });
  },
  MCP: async ({ server }, texts) => {
    const client = await connectHttp({ url: `${server.url}/mcp`, token: server.token('owner') });
    for (const text of inGroups(texts, 5)) await call(client, 'memory_write', { text });
    await client.close();
  },
  hooks: async ({ server: { home } }, texts) => {
    const log = path.join(makeTemporaryFolder(), 'log.jsonl');
    const shared = { sessionId: 'ses_x', cwd: '/home/sam/quay', isSidechain: false, userType: 'external' };
    const lines = texts.map((text, at) => {
      const timestamp = new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString();
      return JSON.stringify({
        ...shared,
        type: 'user',
        uuid: `u${at}`,
        timestamp,
        message: { role: 'user', content: text },
      });
    });
    fs.writeFileSync(log, `${lines.join('\n')}\n`);
    const input = { session_id: 'ses_x', transcript_path: log, cwd: '/home/sam/quay' };
    for (const text of texts.slice(0, 20)) await answerHook(home, 'UserPromptSubmit', { ...input, prompt: text });
    await answerHook(home, 'Stop', input);
    await answerHook(home, 'SessionEnd', input);
  },
  'store of an agent framework': async ({ server }, texts) => {
    const store = new AgentStore(server.mneme);
    for (const [at, text] of texts.entries())
      await store.put(['told'], `note-${at}`, { text, more: [{ inner: text }] });
  },
  'memory tool': async ({ server }, texts) => {
    const tool = new MemoryTool(server.mneme);
    for (const [at, text] of inGroups(texts, 20).entries())
      await tool.execute({ command: 'create', path: `/memories/told-${at}.txt`, file_text: text });
  },
};

async function openDoor(): Promise<Door> {
  const server = await serveTestHome();
  return { server, cli: new TestCli(server.home) };
}

/** Every byte of a home after it was closed, in lower case. */
async function closeAndRead({ server }: Door): Promise<string> {
  await server.mneme.internals.workspace.drain();
  await server.close();
  return readEverything(server.home);
}

function isHeld({ secrets }: SecretSample, everything: string): boolean {
  return secrets
    .map(tellingPart)
    .filter((part) => part.length >= MIN_TELLING)
    .every((part) => !everything.includes(part.toLowerCase()) && !everything.includes(slugify(part, 200)));
}

async function tellSamples(tell: Tell, seed: number): Promise<string | undefined> {
  const samples = readSecretSamples('blind', seed);
  const door = await openDoor();
  await tell(
    door,
    samples.map(({ text }) => text),
  );
  const everything = await closeAndRead(door);
  const leaked = samples.filter((sample) => !isHeld(sample, everything));
  const share = 1 - leaked.length / samples.length;
  return share >= LEAST_HELD
    ? undefined
    : `${leaked.length} of ${samples.length}: ${leaked.map(({ text }) => text).join(' / ')}`;
}

/** A file that a person edits is theirs, and found by search; but no history, journal or log takes its secrets over. */
async function editOutside(seed: number): Promise<string | undefined> {
  const samples = readSecretSamples('blind', seed);
  const door = await openDoor();
  const { home } = door.server;
  const file = path.join(home, 'workspace/memory/reference/mine.md');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `# Mine\n\n${samples.map(({ text }) => text).join('\n\n')}\n`);
  await door.server.mneme.internals.workspace.scan();
  await door.server.mneme.recall('password');
  await door.server.mneme.internals.workspace.drain();
  const kept = fs.readFileSync(file, 'utf8');
  fs.rmSync(file);
  await door.server.close();
  // Made of the files, as they are: docs/security.md says so.
  fs.rmSync(path.join(home, 'state'), { recursive: true });
  const everything = readEverything(home);
  const leaked = samples.filter((sample) => !isHeld(sample, everything));
  if (!kept.includes('# Mine')) return 'the file was changed';
  return leaked.length / samples.length <= 1 - LEAST_HELD
    ? undefined
    : `${leaked.length} stand elsewhere too: ${leaked.map(({ text }) => text).join(' / ')}`;
}

type Name = (mneme: Mneme, secret: string, cli: TestCli) => Promise<unknown>;

/** Each makes a name, an id or a path of what it is given. */
const NAMES: Readonly<Record<string, Name>> = {
  'the name of an entity': (mneme, secret) => mneme.graph.add({ name: secret, type: 'person' }),
  // A name that is nothing but a mark is no YAML text, and would be refused for that.
  'a part of the name of an entity': (mneme, secret) => mneme.graph.add({ name: `Ada ${secret}`, type: 'person' }),
  'an alias': (mneme, secret) => mneme.graph.add({ name: 'Ada', type: 'person', aliases: [secret] }),
  'a property': (mneme, secret) => mneme.graph.add({ name: 'Ada', type: 'person', properties: { role: secret } }),
  'a tag of an entity': (mneme, secret) => mneme.graph.add({ name: 'Ada', type: 'person', tags: [secret] }),
  'the new name of an entity': async (mneme, secret) => {
    await mneme.graph.add({ name: 'Ada', type: 'person' });
    await mneme.graph.rename('Ada', secret);
  },
  'the name of a topic': (_, secret, cli) => cli.run(['topics', 'new', secret]),
  'a part of the name of a topic': (_, secret, cli) => cli.run(['topics', 'new', `The door ${secret}`]),
  'the id of a session': (mneme, secret) => mneme.session.start({ id: secret }),
  'the id of a private session': (mneme, secret) => mneme.session.start({ id: secret, private: true }),
  'the topic of a session': async (mneme, secret) => {
    const session = await mneme.session.start({ topic: secret, project: secret, user: secret, model: secret });
    await session.message('user', 'Good morning.');
    await session.end();
  },
  'the first message of a session': async (mneme, secret) => {
    const session = await mneme.session.start({});
    await session.message('user', secret);
    await session.end();
  },
  'the session id of a hook': (mneme, secret) =>
    answerHook(mneme.internals.home, 'SessionStart', { session_id: secret, cwd: '/home/sam' }),
  'the folder of a hook': (mneme, secret) =>
    answerHook(mneme.internals.home, 'SessionStart', { session_id: 'ses_x', cwd: `/home/sam/${secret}` }),
  'the path of a file': (mneme, secret) => mneme.edit({ path: `memory/reference/${secret}.md`, content: '# Ada\n' }),
  'a scope': (mneme, secret) => mneme.remember('The door is blue.', { scope: `project:${secret.toLowerCase()}` }),
  'a tag': (_, secret, cli) => cli.run(['history', 'tag', `milestone/${secret}`]),
  'the name of an exploration': (_, secret, cli) => cli.run(['history', 'explore', 'start', secret]),
  'the name of an actor': (_, secret, cli) => cli.run(['--as', `subagent:${secret}`, 'recall', 'door']),
  'what goes into the vault': (_, secret, cli) =>
    cli.run(['remember', '--store', 'vault', `Never forget the door ${secret}`]),
  'the title of a proposal': (mneme, secret) =>
    mneme.internals.proposals.propose({
      kind: 'memory',
      title: `The door of ${secret}`,
      why: secret,
      evidence: [secret],
      actor: 'subagent:x',
      trust: 'agent',
      changes: [{ path: 'memory/reference/a.md', after: '# Ada\n' }],
    }),
  'the id of a saved context': (mneme, secret) =>
    runOperation(saveContext, mneme.internals, { agent: secret, session: secret, working: { focus: { topic: 'x' } } }),
  'the name of an imported file': async (_, secret, cli) => {
    const folder = path.join(makeTemporaryFolder(), 'notes');
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, `${secret}.md`), '# Ada\n\nShe likes tea.\n');
    fs.writeFileSync(path.join(folder, `What? ${secret}: a “note”.md`), '# Ada\n\nShe likes tea.\n');
    return cli.run(['import', 'markdown', folder]);
  },
  'the name of an imported folder': async (_, secret, cli) => {
    const folder = path.join(makeTemporaryFolder(), secret);
    fs.mkdirSync(path.join(folder, secret), { recursive: true });
    fs.writeFileSync(path.join(folder, secret, 'a.md'), '# Ada\n\nShe likes tea.\n');
    return cli.run(['import', 'markdown', folder]);
  },
  'the name of a token for the HTTP API': (_, secret, cli) =>
    cli.run(['serve', 'tokens', 'add', secret, '--role', 'reader']),
  'a word in the reason of an erasure': async ({ internals: { home } }, secret) => {
    const own = await openMneme({ home, actor: 'manual' });
    await own.remember('The quayside gate is painted blue.');
    await own.erase('The quayside gate is painted blue.', secret);
    await own.close();
  },
  'the key of a stored item': (mneme, secret) => new AgentStore(mneme).put(['plans'], secret, { text: 'tea' }),
  'a password in the key of a stored item': (mneme, secret) =>
    new AgentStore(mneme).put(['plans'], `the password is "${secret}"`, { text: 'tea' }),
  'the namespace of a stored item': (mneme, secret) => new AgentStore(mneme).put([secret], 'plan', { text: 'tea' }),
  'a field of a stored item': (mneme, secret) => new AgentStore(mneme).put(['plans'], 'plan', { [secret]: 'tea' }),
};

/** Where only small letters are allowed, the others are refused for that. */
const SMALL = new Set(['a scope']);

function nameCases() {
  const draw = createDraw(24);
  const tokens = [
    ['a token of GitHub', () => `${'gh'}p_${draw(36)}`],
    ['a token of Mneme', () => `mneme_${draw(43)}`],
  ] as const;
  const small = [['a key in small letters', () => `csk-${draw(44, 'abcdefghijkmnpqrstuvwxyz23456789')}`]] as const;
  return Object.entries(NAMES).flatMap(([name, make]) =>
    (SMALL.has(name) ? small : tokens).map(([what, token]) =>
      attack<unknown>(`${what} as ${name}`, async () => {
        const door = await openDoor();
        const secret = token();
        const refusal = await refusalOf(() => make(door.server.mneme, secret, door.cli));
        const everything = await closeAndRead(door);
        const forms = [secret.toLowerCase(), slugify(secret, 200)];
        if (forms.some((one) => refusal.toLowerCase().includes(one))) return `told in its refusal: ${refusal}`;
        if (!/^$|secret|redacted:/u.test(refusal))
          return `refused for another reason, so that nothing was tested: ${refusal}`;
        const found = forms.find((one) => everything.includes(one));
        if (found === undefined) return undefined;
        const at = everything.indexOf(found);
        return `it stands in the home: ${JSON.stringify(everything.slice(Math.max(0, at - 80), at + 80))}`;
      }),
    ),
  );
}

/** The words of a refusal, which is as good as redacting; '' when it went through. */
async function refusalOf(run: () => Promise<unknown>): Promise<string> {
  try {
    const result = await run();
    const isCli = typeof result === 'object' && result !== null && 'code' in result && result.code !== 0;
    return isCli && 'err' in result ? String(result.err) : '';
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    return error.message;
  }
}

export const SECRET_DOORS: Family<unknown> = {
  title: 'Secrets through every interface, and as names',
  cases: [
    ...Object.entries(DOORS).map(([name, tell], at) =>
      attack<unknown>(`the samples of the blind set through ${name}`, () => tellSamples(tell, 1000 + at)),
    ),
    attack('the samples of the blind set in a file that a person edits', () => editOutside(2000)),
    ...nameCases(),
    control('what only looks like a secret goes through as it is', async () => {
      const door = await openDoor();
      const texts = readLookAlikes();
      const quoted = texts.map((text) => `~~~\n${text}\n~~~`).join('\n\n');
      await door.server.mneme.edit({ path: 'memory/reference/alike.md', content: `# Alike\n\n${quoted}\n` });
      const kept = fs.readFileSync(path.join(door.server.home, 'workspace/memory/reference/alike.md'), 'utf8');
      const inGit = execFileSync('git', ['status', '--short'], { cwd: path.join(door.server.home, 'workspace') });
      await door.server.close();
      const changed = texts.filter((text) => !kept.includes(text));
      return changed.length === 0 ? undefined : `${changed.join(' / ')} ${inGit.toString()}`;
    }),
    control('names that only look like tokens', async () => {
      const door = await openDoor();
      const { mneme } = door.server;
      await mneme.graph.add({ name: 'mneme_search_index_rebuild', type: 'tool' });
      await mneme.session.start({ id: 'release-2026-11-18_build.4711' });
      const added = await mneme.graph.show('mneme_search_index_rebuild');
      await door.server.close();
      return JSON.stringify(added).includes('mneme_search_index_rebuild') ? undefined : 'the name was changed';
    }),
  ],
};
