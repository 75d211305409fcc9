import { execFileSync } from 'node:child_process';
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

const LOOK = `import { loadRoutes } from './src/interfaces/http/routes/routes.ts';
import { describeApi } from './src/interfaces/http/openapi.ts';
import { openMneme } from './src/mneme.ts';
const routes = await loadRoutes();
const api = describeApi(routes, { answers: {}, named: {} }, '1');
const mneme = await openMneme({ home: process.argv[2], actor: 'manual' });
const said = await mneme.greet('Ada', { isLoud: true });
await mneme.close();
const route = routes.find(({ name }) => name === 'greet');
console.log(JSON.stringify({ path: route?.path, method: route?.method, api: Object.keys(api.paths).includes('/api/v1/greet'), said }));
`;

function node(...args: readonly string[]): string {
  // The copy has no bundle, also where other tests run one.
  const { MNEME_TRY_BUNDLE: _bundle, ...env } = process.env;
  return execFileSync(process.execPath, args, { cwd: copy, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

describe('a verb that is added as one file', () => {
  beforeAll(() => {
    for (const name of ['src', 'scripts', 'bin', 'package.json']) {
      fs.cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
    }
    for (const name of ['assets', 'schemas', 'node_modules']) {
      fs.symlinkSync(fs.realpathSync(path.join(root, name)), path.join(copy, name));
    }
    fs.writeFileSync(path.join(copy, 'src/operations/greet.ts'), VERB);
    fs.writeFileSync(path.join(copy, 'look.ts'), LOOK);
    node('scripts/generate-registry.ts');
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

  it('is a route, a path of the API document and a method of the library', () => {
    expect(JSON.parse(node('look.ts', home))).toEqual({
      path: '/api/v1/greet',
      method: 'GET',
      api: true,
      said: { said: 'ADA' },
    });
  });
});
