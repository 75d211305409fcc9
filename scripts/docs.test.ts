import fs from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { describe, expect, it } from 'vitest';
import { MINIMUM_GIT } from '../src/workspace/git/git.ts';
import { initHome, openMneme } from '../src/index.ts';
import { makeTemporaryFolder } from '../test/support/home.ts';
import { listPages, listSnippets, readPage, ROOT } from '../test/support/pages.ts';

const { scripts } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

interface Command {
  readonly options: ReadonlySet<string>;
  readonly hasArguments: boolean;
}

/** By its words, from the generated page. */
const commands = new Map<string, Command>(
  [...readPage('docs/commands.md').matchAll(/^\| `mneme ([^`]+)` \| .* \|(.*)\|$/gmu)].map(
    ([, usage = '', options = '']) => {
      const words = usage.split(' ').filter((word) => /^[a-z-]+$/u.test(word));
      const named = [...options.matchAll(/-{1,2}[a-zA-Z][a-z-]*/gu)].map(([option]) => option);
      return [words.join(' '), { options: new Set(named), hasArguments: words.length < usage.split(' ').length }];
    },
  ),
);
const EVERYWHERE = new Set(['--home', '--json', '--as', '--help', '--version', '-h', '-V']);
/** Short names that stay, and programs that agents start; the page lists what people type. */
const ALSO = /^(?:help|hook|undo|search|add|ls|show|approve|reject|log|explain|doctor|version|extract|adopt)\b/u;

/** Of a text that says `mneme …`: what is not a command or an option of it. */
function findUnknown(line: string): string[] {
  const typed =
    line
      .slice('mneme'.length)
      .split(/\s(?:[|>#&·]|\|\|)|["'$(]/u)[0]
      ?.trim() ?? '';
  const words = typed.split(/\s+/u).filter((word) => word !== '');
  if (words.length === 0 || !/^[a-z]/u.test(words[0] ?? '') || ALSO.test(typed)) return [];
  const names = words.filter((word) => !word.startsWith('-'));
  const depth = [3, 2, 1].find((count) => commands.has(names.slice(0, count).join(' ')));
  const name = names.slice(0, depth ?? 0).join(' ');
  const command = commands.get(name);
  if (command === undefined) return [`mneme ${words.join(' ')}`];
  const options = words.filter((word) => /^-{1,2}[a-z]/u.test(word)).map((word) => word.replace(/=.*$|[^\w-].*$/u, ''));
  return options
    .filter((option) => !command.options.has(option) && !EVERYWHERE.has(option))
    .map((option) => `mneme ${name} ${option}`);
}

describe.each(listPages())('%s', (page) => {
  const text = readPage(page);
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gmu, '');

  it('links to files and headings that are there', () => {
    const broken = [...prose.matchAll(/\]\((?!https?:)([^)\s]*)\)/gu)]
      .map(([, link = '']) => link)
      .filter((link) => !leadsSomewhere(page, link));
    expect(broken).toEqual([]);
  });

  it('names npm scripts that are there', () => {
    const named = [...text.matchAll(/npm (?:run )?((?:bench|test|measure)[\w:-]*|run-?[\w:-]+|start)/gu)].map(
      ([, name = '']) => name,
    );
    expect(named.filter((name) => scripts[name] === undefined && name !== 'run')).toEqual([]);
  });

  it('names commands and options that are there', () => {
    const inline = [...prose.matchAll(/`(mneme [^`]+)`/gu)].map(([, line = '']) => line.replaceAll('\n', ' '));
    const typed = listSnippets(page)
      .filter(({ language }) => language === 'console' || language === 'text')
      .flatMap(({ text: block }) => block.split('\n'))
      .map((line) => line.replace(/^\$ /u, ''))
      .filter((line) => line.startsWith('mneme '));
    expect([...inline, ...typed].flatMap(findUnknown)).toEqual([]);
  });

  it('has JSON that can be read', () => {
    for (const { text: block } of listSnippets(page).filter(({ language }) => language === 'json')) {
      const values = block
        .trim()
        .split('\n')
        .every((line) => /^\{.*\}$/u.test(line))
        ? block.trim().split('\n')
        : [block];
      for (const value of values) expect(() => JSON.parse(value) as unknown).not.toThrow();
    }
  });
});

describe('blocks of code in the pages', () => {
  const blocksIn = (...languages: string[]): readonly (readonly [place: string, text: string])[] =>
    listPages().flatMap((page) =>
      listSnippets(page)
        .filter(({ language }) => languages.includes(language))
        .map(({ language, number, text }) => [`${page}, ${language} ${number}`, text] as const),
    );

  it.each(blocksIn('ts', 'js'))('%s can be read by Node', (_place, text) => {
    expect(() => stripTypeScriptTypes(text, { mode: 'transform' })).not.toThrow();
  });

  it('call what an open memory has', async () => {
    const home = makeTemporaryFolder();
    await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
    const memory = await openMneme({ home });
    const isThere = (call: string): boolean =>
      typeof call
        .split('.')
        .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], memory) === 'function';
    const calls = blocksIn('ts', 'js').flatMap(([place, text]) =>
      [...text.matchAll(/(?<![\w.])m\.((?:\w+\.)*\w+)\(/gu)].map(([, call = '']) => [place, call] as const),
    );
    expect(calls.length).toBeGreaterThan(100);
    const missing = calls.filter(([, call]) => !isThere(call));
    await memory.close();
    expect(missing).toEqual([]);
  });

  it.each(blocksIn('sql'))('%s is done by PostgreSQL, for a role that is there', async (_place, text) => {
    const roles = [...text.matchAll(/ TO (\w+);/gu)].map(([, role = '']) => role);
    const database = await PGlite.create();
    await database.exec('CREATE SCHEMA mneme');
    for (const role of new Set(roles)) await database.exec(`CREATE ROLE ${role}`);
    await expect(database.exec(text)).resolves.toHaveLength(text.split(';').length - 1);
    await database.close();
  });
});

it('README, tutorial and troubleshooting name the git and Node that are needed', () => {
  const node = /const NEEDED = \[(\d+), (\d+)\]/u.exec(readPage('bin/mneme'))?.slice(1).join('.');
  for (const page of ['README.md', 'docs/tutorial.md', 'docs/troubleshooting.md']) {
    expect(readPage(page)).toContain(`git ${MINIMUM_GIT.join('.')} or later`);
    expect(readPage(page)).toContain(`Node ${node} or later`);
  }
});

it('every page is reached from docs/README.md', () => {
  const index = readPage('docs/README.md');
  const pages = listPages().filter((page) => page.startsWith('docs/') && page !== 'docs/README.md');
  expect(pages.filter((page) => !index.includes(`](${path.basename(page)}`))).toEqual([]);
});

function leadsSomewhere(page: string, link: string): boolean {
  const [file = '', heading] = link.split('#');
  const target = file === '' ? path.join(ROOT, page) : path.resolve(ROOT, path.dirname(page), file);
  if (!fs.existsSync(target)) return false;
  if (heading === undefined) return true;
  const headings = [...fs.readFileSync(target, 'utf8').matchAll(/^#+ (.*)$/gmu)].map(([, words = '']) => anchor(words));
  return headings.includes(heading);
}

function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
