import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { reportOf } from '../../scripts/api-report-text.ts';
import { VERBS } from '../../src/verb-registry/verbs.generated.ts';
import { makeTemporaryFolder } from '../support/home.ts';

const root = path.resolve(import.meta.dirname, '../..');

// SPEC EXCHANGE-7
describe('docs/library.md', () => {
  it('is a program that runs', () => {
    const page = fs.readFileSync(path.join(root, 'docs/library.md'), 'utf8');
    const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gmu)].map((match) => match[1] ?? '');
    const library = pathToFileURL(path.join(root, 'src/index.ts')).href;
    const folder = makeTemporaryFolder();
    const file = path.join(folder, 'page.ts');
    fs.writeFileSync(file, blocks.join('\n').replaceAll("from 'mneme'", `from '${library}'`));
    const result = spawnSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' });
    expect(result.stderr).toBe('');
    expect(result.status).toBe(0);
    expect(blocks.length).toBeGreaterThan(8);
  });
});

/** It asks a language model. */
const WITHOUT_EXAMPLE = ['reasoner.try'];

describe('docs/library-verbs.md', () => {
  const program = path.join(root, 'examples/library-verbs.ts');

  it('is a program that runs', () => {
    const result = spawnSync(process.execPath, [program], { cwd: makeTemporaryFolder(), encoding: 'utf8' });
    expect(result.stderr).toBe('');
    expect(result.status).toBe(0);
  });

  it('has every verb of the library', () => {
    const text = fs.readFileSync(program, 'utf8');
    const methods = VERBS.flatMap(({ method }) => method ?? []);
    const isShown = (method: string): boolean => new RegExp(`[ .(]${method.replaceAll('.', '\\.')}\\(`, 'u').test(text);
    expect(methods.filter((method) => !isShown(method))).toEqual(WITHOUT_EXAMPLE);
    expect(methods.length).toBeGreaterThan(150);
  });
});

describe('the report of the API', () => {
  const bundle = `interface Inner$1 {
  /** Comments say nothing of the type. */
  readonly id: string;
}
interface OperationContext {
  readonly secret: string;
}
declare const input$7: z.ZodObject<{}>;
type AddInput = z.input<typeof input$7>;
declare class Mneme {
  #private;
  readonly internals: OperationContext;
  private constructor();
  add(input: AddInput): Promise<Inner$1>;
}
interface Unreached {}
//#endregion
export { Mneme, type AddInput };
`;

  it('lists what is exported and what that leads to, and nothing else', () => {
    const report = reportOf(bundle);
    expect(report).toContain('## Exported: AddInput, Mneme');
    expect(report).toContain('add(input: AddInput): Promise<Inner_');
    expect(report).toContain('declare const schemaOfAddInput');
    expect(report).not.toMatch(/Unreached|internals|secret|Comments|\$\d/u);
  });

  it('does not change with the numbers a bundler gives', () => {
    expect(reportOf(bundle.replaceAll('$7', '$12').replaceAll('Inner$1', 'Inner$3'))).toBe(reportOf(bundle));
  });
});
