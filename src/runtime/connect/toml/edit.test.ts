import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendTable, findTable, removeTable, setPairs } from './edit.ts';
import { parseTomlStatements } from './statements.ts';

const PATH = ['mcp_servers', 'mneme'];
const COMMENT = 'Added (by us).';
const PAIRS = { command: '/a b/"node"', args: ['C:\\x', 'mcp'] };

const SETTINGS = `# my settings
model = "gpt" # the good one
notice."key with.dot" = 1979-05-27 07:32:00
list = [
  "a", # [not.a.table]
  'b]',
]
text = """
[mcp_servers.mneme]
quote \\""" end"""

[projects."/home/me/x = y"]
trust_level = 'trusted'

[[rules]]
inline = { a = 1, b = ["x"] }
`;

const special = fc.constantFrom(...'"\'\\\n\r\t\0\u001B\u007F\u0085\u2028é😀#[]={}');
const anyText = fc.string({ unit: fc.oneof(special, fc.string({ minLength: 1, maxLength: 1 })) });

describe('statements', () => {
  it('finds headers and keys, whatever texts and lists hold', () => {
    expect(parseTomlStatements(SETTINGS).map(({ kind, path }) => [kind, path.join('|')])).toEqual([
      ['pair', 'model'],
      ['pair', 'notice|key with.dot'],
      ['pair', 'list'],
      ['pair', 'text'],
      ['header', 'projects|/home/me/x = y'],
      ['pair', 'projects|/home/me/x = y|trust_level'],
      ['header', 'rules'],
      ['pair', 'rules|inline'],
    ]);
  });

  it.each([
    ['a = ', 'a value is missing'],
    ['[a\nb = 1', '"]" is missing'],
    ['a = "x\n', 'a text is not closed'],
    ['a = 1 2', 'something stands behind the end'],
    ['ok = 1\n= 2', 'line 2, column 1: a key is missing'],
    ['a = "\\U99999999"', 'no such character'],
  ])('says where %j is broken', (text, message) => {
    expect(() => parseTomlStatements(text)).toThrow(message);
  });

  it('does not run out of stack', () => {
    expect(() => parseTomlStatements(`a = ${'['.repeat(10_000)}`)).toThrow('nested too deeply');
  });
});

describe('a table', () => {
  it('is put at the end, can be read back, and leaves the rest when it goes', () => {
    const added = appendTable(SETTINGS, PATH, PAIRS, COMMENT);
    expect(added).toBe(
      `${SETTINGS}\n# ${COMMENT}\n[mcp_servers.mneme]\ncommand = "/a b/\\"node\\""\nargs = ["C:\\\\x", "mcp"]\n`,
    );
    const table = findTable(added, PATH);
    expect(table.kind === 'table' && table.pairs.get('command')?.value).toBe(PAIRS.command);
    expect(table.kind === 'table' && table.pairs.get('args')?.value).toEqual(PAIRS.args);
    expect(removeTable(added, PATH, COMMENT)).toBe(SETTINGS);
    expect(removeTable(appendTable('', PATH, PAIRS, COMMENT), PATH, COMMENT)).toBe('');
  });

  it('goes with the tables below it, and not with those behind', () => {
    const grown = `${appendTable(SETTINGS, PATH, PAIRS, COMMENT)}startup_timeout_sec = 20
[mcp_servers.mneme.tools.memory_write]
approval_mode = "approve"

# theirs
[mcp_servers.mnemeother]
command = "x"
`;
    const left = removeTable(grown, PATH, COMMENT);
    expect(left).toBe(`${SETTINGS}\n# theirs\n[mcp_servers.mnemeother]\ncommand = "x"\n`);
    expect(findTable(left, PATH)).toEqual({ kind: 'none' });
  });

  it('gets other values without losing what a person added', () => {
    const text = `[mcp_servers.mneme] # mine\nargs = [\n  "old", # why\n]\nenabled = true # keep\n`;
    expect(setPairs(text, PATH, { command: 'new', args: ['mcp'] })).toBe(
      `[mcp_servers.mneme] # mine\ncommand = "new"\nargs = ["mcp"]\nenabled = true # keep\n`,
    );
  });

  it.each([
    ['mcp_servers.mneme.command = "x"\n', 'mcp_servers.mneme.command', { command: 'x' }],
    [
      '[mcp_servers]\nmneme = { command = "x", a.b = [true] }\n',
      'mcp_servers.mneme',
      { command: 'x', a: { b: [true] } },
    ],
    ['mcp_servers = { mneme.command = "x", other = {} }\n', 'mcp_servers', { command: 'x' }],
    ['mcp_servers = { other = { command = "x" } }\n', 'mcp_servers', undefined],
    ['[[mcp_servers]]\nname = "x"\n', 'mcp_servers', undefined],
  ])('is read, and not taken apart, where it is written as %j', (text, name, values) => {
    const line = text.startsWith('[mcp_servers]') ? 2 : 1;
    expect(findTable(text, PATH)).toEqual({ kind: 'inline', name, line, values });
  });

  it('stands beside others in the usual ways', () => {
    for (const text of ['[mcp_servers]\nother = { command = "x" }\n', '[mcp_servers.other]\ncommand = "x"\n']) {
      expect(findTable(text, PATH)).toEqual({ kind: 'none' });
      expect(findTable(appendTable(text, PATH, PAIRS, COMMENT), PATH).kind).toBe('table');
    }
  });

  it('carries any text there and back', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const table = findTable(appendTable('', PATH, { command: text }, COMMENT), PATH);
        expect(table.kind === 'table' && table.pairs.get('command')?.value).toBe(text);
      }),
    );
  });
});
