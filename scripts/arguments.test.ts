import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { PROGRAMS } from '../src/interfaces/cli/programs.generated.ts';
import { VERBS } from '../src/verb-registry/verbs.generated.ts';
import { ROOT } from '../test/support/pages.ts';

/**
 * Arguments that a verb hands on as a whole (`...given`), and the test that shows their effect: nothing in the file
 * itself, or in what it imports, reads them by name.
 */
const SHOWN_BY: Readonly<Record<string, string>> = {
  'agents override confidence': 'test/e2e/arguments.test.ts',
  'audit limit': 'test/e2e/arguments.test.ts',
  'graph add status': 'test/e2e/arguments.test.ts',
  'graph add tags': 'test/e2e/arguments.test.ts',
  'proposals add confidence': 'test/e2e/arguments.test.ts',
  'session start channel': 'test/e2e/arguments.test.ts',
  'session start model': 'test/e2e/arguments.test.ts',
  'session start project': 'test/e2e/arguments.test.ts',
  'session start user': 'test/e2e/arguments.test.ts',
};

const IMPORT = /(?:from|import\()\s*'(\.[^']+)'/gu;
/** Every verb imports these; that they read a name says nothing of an argument. */
const COMMON = /\/(?:command-line|model)\//u;

const sources = new Map<string, string>();

function read(file: string): string {
  const known = sources.get(file) ?? fs.readFileSync(file, 'utf8');
  sources.set(file, known);
  return known;
}

function importsOf(file: string): string[] {
  return [...read(file).matchAll(IMPORT)]
    .map(([, specifier = '']) => path.resolve(path.dirname(file), specifier))
    .filter((one) => fs.existsSync(one) && !COMMON.test(one));
}

/** Whether the text takes `key` out of something: `.key` (not a spread `...key`), `["key"]`, or a pattern that names it. */
function reads(text: string, key: string): boolean {
  return new RegExp(
    String.raw`(?<!\.)\.${key}\b(?!['(])|\['${key}'\]|[{,]\s*${key}\s*(?:[,}=]|:\s*[a-z]\w*\s*[,}=])`,
    'u',
  ).test(text);
}

function isRead(file: string, argument: string): boolean {
  // `--no-x` arrives as `x`, which is false.
  const key = argument.replace(/^no([A-Z])/u, (_, letter: string) => letter.toLowerCase());
  const near = importsOf(file);
  return [file, ...near, ...near.flatMap(isProgramPart)].some((one) => reads(read(one), key));
}

/** Servers and programs are put together from several files. */
function isProgramPart(file: string): string[] {
  return file.includes('/cli/programs/') ? importsOf(file) : [];
}

/** The file that a line of a generated registry loads. */
function fileOf(registry: string, pattern: RegExp): string {
  const specifier = pattern.exec(read(path.join(ROOT, registry)))?.[1] ?? '';
  return path.resolve(ROOT, path.dirname(registry), specifier);
}

function keysOf(input: z.ZodType): string[] {
  return Object.keys((input as Partial<z.ZodObject>).shape ?? {});
}

async function findUnreadArguments(): Promise<string[]> {
  const unread: string[] = [];
  const seen = new Set<z.ZodType>();
  for (const { name, load } of VERBS) {
    const file = fileOf(
      'src/verb-registry/verbs.generated.ts',
      new RegExp(`name: '${name}',[^\\n]*import\\('([^']+)'`, 'u'),
    );
    const { input, cli } = await load();
    // A verb that takes another's input hands it on to that verb.
    if (seen.has(input) && keysOf(input).length > 0) continue;
    seen.add(input);
    const extra = cli === false ? {} : (cli?.extra ?? {});
    for (const key of [...keysOf(input), ...Object.keys(extra)]) if (!isRead(file, key)) unread.push(`${name} ${key}`);
  }
  return unread;
}

describe('an argument that nothing reads does nothing', () => {
  it('every argument of every verb is read, or a test shows its effect', async () => {
    expect((await findUnreadArguments()).toSorted()).toEqual(Object.keys(SHOWN_BY).toSorted());
    for (const [argument, test] of Object.entries(SHOWN_BY))
      expect(read(path.join(ROOT, test))).toContain(`'${argument}'`);
  });

  it('every option of every other command is read', async () => {
    const unread: string[] = [];
    for (const { command, load } of PROGRAMS) {
      const { name, input, cli } = await load();
      const pattern = new RegExp(`path: '${command.path}'[^\\n]*import\\('([^']+)'`, 'u');
      const file = fileOf('src/interfaces/cli/programs.generated.ts', pattern);
      for (const key of [...keysOf(input), ...Object.keys(cli?.extra ?? {})])
        if (!isRead(file, key)) unread.push(`${name} ${key}`);
    }
    expect(unread).toEqual([]);
  });

  it('every parameter of every MCP tool is read by its tool, or by the verb whose input it takes', () => {
    const folder = path.join(ROOT, 'src/interfaces/mcp/tools');
    const unread: string[] = [];
    for (const name of fs.readdirSync(folder).filter((file) => /^memory-.*(?<!\.test)\.ts$/u.test(file))) {
      const text = read(path.join(folder, name));
      const shape =
        /(?:input = |input: )(?:z\.object|\w+\.input\.extend)\(\{\n([\s\S]*?)\n\s*\}\)/u.exec(text)?.[1] ?? '';
      for (const [, key = ''] of shape.matchAll(/^ {2,4}(\w+):/gmu))
        if (!isRead(path.join(folder, name), key)) unread.push(`${name} ${key}`);
    }
    expect(unread).toEqual([]);
  });
});
