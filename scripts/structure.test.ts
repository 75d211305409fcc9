import { describe, expect, it } from 'vitest';
import { findCallsAround, findModuleState, findTwoWayPairs } from './structure.ts';

describe('findTwoWayPairs', () => {
  it('finds two folders that import each other, also where one import is of a type or made while running', () => {
    const sources = new Map([
      ['src/operations/a/one.ts', "import type { Two } from '../b/two.ts';\n"],
      ['src/operations/b/two.ts', "const { three } = await import('../a/three.ts');\n"],
    ]);
    expect(findTwoWayPairs(sources, 'src/operations')).toEqual([
      {
        folders: ['a', 'b'],
        imports: [
          'src/operations/a/one.ts → src/operations/b/two.ts',
          'src/operations/b/two.ts → src/operations/a/three.ts',
        ],
      },
    ]);
  });

  it('allows imports in one direction, within a folder, and of files beside the folders', () => {
    const sources = new Map([
      ['src/operations/a/one.ts', "import { two } from '../b/two.ts';\nimport { x } from '../context.ts';\n"],
      ['src/operations/b/two.ts', "import { three } from './three.ts';\n"],
      ['src/operations/context.ts', "import type { One } from './a/one.ts';\n"],
    ]);
    expect(findTwoWayPairs(sources, 'src/operations')).toEqual([]);
  });
});

describe('findModuleState', () => {
  it('finds what a module keeps while a process runs', () => {
    const text = [
      'const byHome = new WeakMap<Workspace, { readonly at: string; readonly found: boolean }>();',
      'export const finished = new Map<string, Forgotten>();',
      'let last: string | undefined;',
      'const long: ReadonlySet<string> =',
      '  new Set();',
      '',
    ].join('\n');
    const names = ['byHome', 'finished', 'last', 'long'].map((name) => `a.ts: ${name}`);
    expect(findModuleState(new Map([['a.ts', text]]))).toEqual(names);
  });

  it('allows tables, and what a function or an object keeps', () => {
    const text = [
      "const WORDS = new Set(['a']);",
      'const TABLE = new Map<string, number>([["a", 1]]);',
      'export function open(): void {',
      '  const opened = new Map<string, number>();',
      '  let count = 0;',
      '}',
      'class Open {',
      '  readonly #seen = new Set<string>();',
      '}',
      '',
    ].join('\n');
    expect(findModuleState(new Map([['a.ts', text]]))).toEqual([]);
  });
});

describe('findCallsAround', () => {
  it('finds an interface that uses a part of an open home, and allows paths and calls of verbs', () => {
    const sources = new Map([
      ['src/interfaces/a.ts', 'return context.proposals.list();\n'],
      ['src/interfaces/b.ts', 'return runOperation(listProposals, context, { root: context.workspace.root });\n'],
    ]);
    expect(findCallsAround(sources)).toEqual(['src/interfaces/a.ts']);
  });
});
