import { describe, expect, it } from 'vitest';
import { findCallsAround, findModuleState, findTwoWayPairs, findUncheckedCalls } from './structure.ts';

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
      ['src/interfaces/c.ts', 'const { alerts } = this.#context;\n'],
      ['src/interfaces/d.ts', 'function look({ homeIndex }: OperationContext): void {}\n'],
      ['src/interfaces/e.ts', 'function look({ internals: { audit } }: Mneme): void {}\n'],
      ['src/interfaces/f.ts', 'const { workspace } = mneme.internals;\nawait workspace.commit(request);\n'],
      ['src/interfaces/g.ts', 'const { entities } = await runOperation(graphList, call.context, {});\n'],
    ]);
    expect(findCallsAround(sources)).toEqual(['a', 'c', 'd', 'e', 'f'].map((name) => `src/interfaces/${name}.ts`));
  });
});

describe('findUncheckedCalls', () => {
  it('finds a function that is handed an open home by an interface, and allows verbs and what takes less', () => {
    const operations = new Map([
      [
        'src/operations/a.ts',
        'export const list = defineVerb({});\nexport async function listAll(\n  context: OperationContext,\n): void {}\n' +
          "export function isOn({ config }: Pick<OperationContext, 'config'>): boolean {}\n",
      ],
    ]);
    const interfaces = new Map([
      ['src/interfaces/b.ts', "import { list, listAll } from '../operations/a.ts';\nlistAll(context);\n"],
      [
        'src/interfaces/c.ts',
        "import { list, isOn } from '../operations/a.ts';\nrunOperation(list, context); isOn(context);\n",
      ],
      ['src/interfaces/d.ts', "const { listAll } = await import('../operations/a.ts');\nlistAll(context);\n"],
    ]);
    expect(findUncheckedCalls(interfaces, operations)).toEqual([
      'src/interfaces/b.ts: listAll',
      'src/interfaces/d.ts: listAll',
    ]);
  });
});
