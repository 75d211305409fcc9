import fs from 'node:fs';
import path from 'node:path';
import { parseConfig } from '../../../src/workspace/config/parse.ts';
import { parseDocument } from '../../../src/workspace/markdown/document.ts';
import { createRedactor } from '../../../src/workspace/safety/redact.ts';
import { edit } from '../../../src/operations/edit.ts';
import { runOperation } from '../../../src/operations/operation.ts';
import { read } from '../../../src/operations/read.ts';
import { makeTemporaryFolder } from '../../support/home.ts';
import { attack, control, type Family, type RedTeamCase } from '../table.ts';
import { contextAs, mustGoThrough, type World } from '../world.ts';

/** What would be there if an object's prototype had been written to. */
function pollution(): string | undefined {
  const plain: Record<string, unknown> = {};
  return plain['polluted'] === undefined && plain['isAdmin'] === undefined ? undefined : 'every object is changed';
}

const LAUGHS = [
  'a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]',
  ...'bcdefghij'.split('').map((name, at) => {
    const before = 'abcdefghij'[at];
    return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`;
  }),
].join('\n');

const YAML: readonly (readonly [name: string, yaml: string])[] = [
  ['a billion laughs', LAUGHS],
  ['a thousand levels', `a: ${'['.repeat(1000)}${']'.repeat(1000)}`],
  ['an alias of itself', 'a: &a [*a]'],
  ['a tag that would run code', 'a: !!js/function "function () { globalThis.polluted = 1 }"'],
  ['a tag of another language', 'a: !!python/object/apply:os.system ["touch /tmp/x"]'],
  ['__proto__ as a key', '__proto__:\n  polluted: 1\n  isAdmin: true'],
  ['constructor as a key', 'constructor:\n  prototype:\n    polluted: 1'],
  ['a merge key with __proto__', 'base: &base\n  __proto__: { polluted: 1 }\n<<: *base'],
  ['three thousand keys', Array.from({ length: 3000 }, (_, at) => `key${at}: ${at}`).join('\n')],
];

function yamlCases([name, yaml]: readonly [string, string], at: number): RedTeamCase<World>[] {
  return [
    attack(`front matter: ${name}`, async (world) => {
      const text = `---\n${yaml}\n---\n\n# A note\n\nThe ibis stays readable.\n`;
      const parsed = parseDocument(text);
      const file = `memory/reference/yaml-${at}.md`;
      fs.mkdirSync(path.join(world.workspace, 'memory/reference'), { recursive: true });
      fs.writeFileSync(path.join(world.workspace, file), text);
      const held = await mustGoThrough(() => runOperation(read, contextAs(world, 'manual'), { target: file }));
      return held ?? (parsed.blocks.length === 0 ? 'the text is gone' : pollution());
    }),
    attack(`mneme.yaml: ${name}`, async () => {
      const { config } = parseConfig(`time_zone: UTC\n${yaml}\n`);
      return Object.hasOwn(config, '__proto__') ? 'it was taken over' : pollution();
    }),
  ];
}

const PATTERNS: readonly string[] = [
  '/^(a+)+$/',
  '/(a|aa)+$/',
  '/(.*)*x/',
  '/^(\\w+\\s?)*$/',
  '/(a*)*\\1/',
  '/a{1,9}{1,9}b/',
];

/** A body of JSON as whoever wants to break in writes it. */
async function post({ server }: World, route: string, body: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${server.url}/api/v1/${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token('owner')}` },
    body,
  });
  return { status: response.status, text: await response.text() };
}

const BODIES: readonly (readonly [name: string, body: string])[] = [
  ['__proto__ at the top', '{"query":"x","__proto__":{"polluted":1,"isAdmin":true}}'],
  ['constructor.prototype', '{"query":"x","constructor":{"prototype":{"polluted":1}}}'],
  ['__proto__ in a list', '{"query":"x","tags":[{"__proto__":{"polluted":1}}]}'],
  ['ten thousand levels', `{"query":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
  ['no JSON', '{"query":'],
  ['a list', '[]'],
  ['null', 'null'],
  ['a number as a text', '{"query":1e999}'],
  ['an endless query', `{"query":"${'a'.repeat(90_000)}"}`],
  ['more than is taken', `{"query":"${'a'.repeat(200_000)}"}`],
  ['lone surrogates', String.raw`{"query":"\ud800\udfff\ud800"}`],
  ['NUL bytes', String.raw`{"query":"\u0000"}`],
];

const IMPORTS: readonly (readonly [from: 'mem0' | 'server-memory' | 'chatgpt', body: string])[] = [
  ['mem0', '{"results":[{"id":"1","memory":"The egret is white.","metadata":{"__proto__":{"polluted":1}}}]}'],
  [
    'server-memory',
    '{"type":"entity","name":"__proto__","entityType":"constructor","observations":["polluted"]}\n{"type":"relation","from":"__proto__","to":"__proto__","relationType":"__proto__"}\n',
  ],
  ['chatgpt', '[{"title":"x","__proto__":{"polluted":1},"mapping":{"__proto__":{"message":null}}}]'],
];

export const BOMBS: Family<World> = {
  title: 'Bombs and poisoned objects',
  cases: [
    ...YAML.flatMap(yamlCases),
    ...PATTERNS.map((pattern) =>
      attack<World>(`redaction.allow with the pattern ${pattern}`, async () => {
        const { config, findings } = parseConfig(`redaction:\n  allow: [${JSON.stringify(pattern)}]\n`);
        if (findings.length > 0) return undefined;
        const hostile = `token=${'a'.repeat(5000)}!`;
        try {
          await createRedactor(config.redaction).redact(hostile);
          return undefined;
        } catch (error) {
          // Refused when the home is opened, before anything is searched with it.
          return error instanceof Error && /allow|pattern/iu.test(error.message) ? undefined : String(error);
        }
      }),
    ),
    ...BODIES.map(([name, body]) =>
      attack<World>(`a body with ${name}`, async (world) => {
        const { status, text } = await post(world, 'recall', body);
        return status >= 500 ? `${status} ${text.slice(0, 200)}` : pollution();
      }),
    ),
    ...IMPORTS.map(([from, body]) =>
      attack<World>(`an import from ${from} with __proto__`, async ({ server }) => {
        const file = path.join(makeTemporaryFolder(), from === 'chatgpt' ? 'conversations.json' : 'memory.json');
        fs.writeFileSync(file, body);
        await mustGoThrough(() => server.mneme.import({ from, path: file }));
        return pollution();
      }),
    ),
    control('front matter with an anchor and its alias is read', async () => {
      const { frontmatter } = parseDocument('---\na: &a one\nb: *a\n---\n\nText.\n');
      return frontmatter?.values?.['b'] === 'one' ? undefined : JSON.stringify(frontmatter);
    }),
    control('mneme.yaml with usual settings applies', async () => {
      const { config, findings } = parseConfig('time_zone: Europe/Berlin\nredaction:\n  allow: ["/^test_[a-z]+$/"]\n');
      return config.time_zone === 'Europe/Berlin' && findings.length === 0 ? undefined : JSON.stringify(findings);
    }),
    control('a question over HTTP is answered', async (world) => {
      const { status, text } = await post(world, 'recall', '{"query":"What is the constructor of the prototype?"}');
      return status === 200 ? undefined : text;
    }),
    control('a note about prototypes is kept word for word', async (world) => {
      const as = contextAs(world, 'manual');
      const target = 'memory/reference/prototypes.md';
      await runOperation(edit, as, { path: target, content: '# On __proto__\n\nconstructor.prototype is a word.\n' });
      const { text } = await runOperation(read, as, { target });
      return text.includes('constructor.prototype is a word.') ? undefined : text;
    }),
  ],
};
