import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../test/support/home.ts';

const root = path.resolve(import.meta.dirname, '..');
const copy = makeTemporaryFolder('mneme-copy-');
const home = path.join(copy, 'home');

const VERB = `import { z } from 'zod';
import { defineVerb } from './verb.ts';

export const greet = defineVerb({
  name: 'greet',
  summary: 'Greet a person by name.',
  examples: ['mneme greet Ada'],
  input: z.object({
    name: z.string().min(1).describe('The person.'),
    isLoud: z.boolean().default(false).describe('Use capital letters.'),
  }),
  args: ['name'],
  effect: 'read',
  reach: 'shared',
  run: (_context, { name, isLoud }) => Promise.resolve({ said: isLoud ? name.toUpperCase() : name }),
  cli: { section: 'memory', aliases: ['hi'], formerly: ['salute'] },
  render: (_view, { said }) => \`Hello, \${said}.\\n\`,
});
`;

/** Asks every interface that needs a program of its own, in the copy. */
const LOOK = `import { MnemeClient } from './src/client/client.ts';
import { greet } from './src/operations/greet.ts';
import { defineTool } from './src/interfaces/mcp/tool.ts';
import { serveTestHome } from './test/support/http-server.ts';
import { openMneme } from './src/mneme.ts';
const [, , home] = process.argv;
const mneme = await openMneme({ home, actor: 'manual' });
const library = await mneme.greet('Ada', { isLoud: true });
await mneme.close();
const server = await serveTestHome({}, home);
const token = server.token('reader');
const answer = await fetch(server.url + '/api/v1/greet?name=Ada', { headers: { authorization: 'Bearer ' + token } });
const http = await answer.json();
const client = await new MnemeClient({ baseUrl: server.url, token }).call('greet', { name: 'Ada', isLoud: true });
await server.close();
const { inputSchema: mcp } = defineTool({
  name: 'greet',
  title: 'Greet',
  description: 'Greets.',
  effect: 'read',
  input: greet.input,
  listed: { name: 'Who is greeted.' },
  aliases: {},
  run: async () => ({ text: '', structured: {} }),
});
console.log(JSON.stringify({ library, http, client, mcp }));
process.exit();
`;

/** Compiles only where the client knows the verb, with its input and its answer. */
const TYPED = `import type { MnemeClient } from './src/client/client.ts';
export async function said(client: MnemeClient): Promise<string> {
  const { said: words } = await client.call('greet', { name: 'Ada', isLoud: true });
  // @ts-expect-error A name is text.
  await client.call('greet', { name: 1 });
  return words;
}
`;

function node(...args: readonly string[]): string {
  // The copy has no bundle, also where other tests run one.
  const { MNEME_TRY_BUNDLE: _bundle, ...env } = process.env;
  return execFileSync(process.execPath, args, { cwd: copy, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

describe('a verb that is added as one file', () => {
  beforeAll(() => {
    for (const name of ['src', 'scripts', 'bin', 'docs', 'schemas', 'test/support', 'package.json']) {
      fs.cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
    }
    for (const name of ['assets', 'node_modules']) {
      fs.symlinkSync(fs.realpathSync(path.join(root, name)), path.join(copy, name));
    }
    fs.writeFileSync(path.join(copy, 'src/operations/greet.ts'), VERB);
    fs.writeFileSync(path.join(copy, 'look.ts'), LOOK);
    fs.writeFileSync(path.join(copy, 'typed.ts'), TYPED);
    fs.writeFileSync(
      path.join(copy, 'tsconfig.json'),
      fs
        .readFileSync(path.join(root, 'tsconfig.json'), 'utf8')
        .replace(/"include": \[[^\]]*\]/u, '"include": ["typed.ts", "src/**/*.d.ts"]'),
    );
    // As `npm run generate` does.
    for (const script of ['registry', 'commands', 'api']) node(`scripts/generate-${script}.ts`);
    node('bin/mneme', '--home', home, 'init', '--yes');
  }, 120_000);

  it('is a command with help, an alias and a former name', () => {
    const run = (...args: readonly string[]): string => node('bin/mneme', '--home', home, ...args);
    expect(run('greet', 'Ada')).toBe('Hello, Ada.\n');
    expect(run('hi', 'Ada', '--is-loud')).toBe('Hello, ADA.\n');
    expect(run('salute', 'Ada')).toBe('Hello, Ada.\n');
    expect(JSON.parse(run('greet', 'Ada', '--json'))).toEqual({ said: 'Ada' });
    expect(run('--help')).toMatch(/greet <name> +Greet a person by name\./u);
    expect(run('greet', '--help')).toMatch(/--is-loud +use capital letters[^]*Examples:\n {2}mneme greet Ada/u);
    expect(run('completion', 'bash')).toContain("'greet') words='--is-loud ");
  });

  it('answers over HTTP, through the client and in the library, and gives MCP tools its schema', () => {
    expect(JSON.parse(node('look.ts', home))).toEqual({
      library: { said: 'ADA' },
      http: { said: 'Ada' },
      client: { said: 'ADA' },
      mcp: {
        type: 'object',
        properties: { name: { type: 'string', description: 'Who is greeted.' } },
        required: ['name'],
      },
    });
  });

  it('is typed in the client', () => {
    const { stdout } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], { cwd: copy });
    expect(String(stdout)).toBe('');
  });

  it('is in the API document with its answer, and on the pages of commands and of HTTP', () => {
    const read = (file: string): string => fs.readFileSync(path.join(copy, file), 'utf8');
    const { paths } = JSON.parse(read('schemas/openapi.json')) as { paths: Record<string, { get: unknown }> };
    expect(JSON.stringify(paths['/api/v1/greet']?.get)).toMatch(
      /Greet a person by name\..*"said":\{"type":"string"\}/u,
    );
    expect(read('docs/commands.md')).toMatch(/`mneme greet NAME` \| Greet a person by name\. \| `--is-loud`/u);
    expect(read('docs/http.md')).toMatch(/greet.*Greet a person by name\./u);
  });

  it('is one file: everything else that changed is generated', () => {
    const changed = fs
      .readdirSync(copy, { recursive: true, encoding: 'utf8' })
      .filter((file) => /^(?:src|scripts|docs|schemas)\//u.test(file) && fs.statSync(path.join(copy, file)).isFile())
      .filter((file) => {
        const before = path.join(root, file);
        return !fs.existsSync(before) || !fs.readFileSync(before).equals(fs.readFileSync(path.join(copy, file)));
      });
    expect(changed.toSorted()).toEqual([
      'docs/commands.md',
      'docs/http.md',
      'schemas/openapi.json',
      'src/client/methods.ts',
      'src/interfaces/cli/options.generated.ts',
      'src/operations/greet.ts',
      'src/verb-registry/verbs.generated.ts',
    ]);
  });
});
