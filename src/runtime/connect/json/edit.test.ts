import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { insertLast, parseSettings, removeEntry, replaceValue } from './edit.ts';
import { parseJsonTree, valueOf } from './tree.ts';

const ENTRY = { command: 'node', args: ['a', 'mcp'] };

function valueIn(text: string): unknown {
  return valueOf(parseSettings(text));
}

describe('reading', () => {
  it('understands all three dialects', () => {
    const text = `// head
{
  /* block */ "a": 1, 'b': 'it\\'s', c_$: [1, .5, +2, 0x1F, -Infinity, null, true,], // end
  "line": "one \\
two", "u": "\\u00e9\\x41\\n",
}
`;
    expect(valueIn(text)).toEqual({
      a: 1,
      b: "it's",
      c_$: [1, 0.5, 2, 31, -Infinity, null, true],
      line: 'one two',
      u: 'éA\n',
    });
  });

  it.each([
    ['{', 'line 1, column 2'],
    ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3'],
    ['{"a" 1}', '":" is missing'],
    ['{"a": "x}', 'a text is not closed'],
    ['{"a": maybe}', '"maybe" is no value'],
    ['{} {}', 'something stands behind the end'],
    ['{ /* }', 'a comment is not closed'],
  ])('says where %j is broken', (text, message) => {
    expect(() => parseJsonTree(text)).toThrow(message);
  });

  it('does not run out of stack', () => {
    expect(() => parseJsonTree('['.repeat(10_000))).toThrow('nested too deeply');
  });

  it('reads every JSON text as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
        const value: unknown = JSON.parse(json);
        expect(valueOf(parseJsonTree(JSON.stringify(value, null, indent)))).toEqual(value);
      }),
    );
  });
});

describe('inserting', () => {
  it('keeps comments, order, indentation and line ends', () => {
    const text = '// mine\r\n{\r\n\t"b": 1, // one\r\n\t"a": 2 // two\r\n\t// last\r\n}\r\n';
    expect(insertLast(text, [], { x: [1] }, 'new')).toBe(
      '// mine\r\n{\r\n\t"b": 1, // one\r\n\t"a": 2, // two\r\n\t// last\r\n\t"new": {\r\n\t\t"x": [\r\n\t\t\t1\r\n\t\t]\r\n\t}\r\n}\r\n',
    );
  });

  it('follows a comma behind the last entry, and stays on one line where all do', () => {
    expect(insertLast('{\n    a: 1,\n}', [], 2, 'b')).toBe('{\n    a: 1,\n    "b": 2,\n}');
    expect(insertLast('{"a": [1, 2]}', ['a'], { b: [3] })).toBe('{"a": [1, 2, {"b":[3]}]}');
  });

  it('makes a document of nothing', () => {
    expect(insertLast('', [], 1, 'a')).toBe('{\n  "a": 1\n}\n');
    expect(insertLast('{}', [], 1, 'a')).toBe('{\n  "a": 1\n}');
  });
});

describe('removing', () => {
  it('takes the line, and leaves what others wrote around it', () => {
    const text = '{\n  // first\n  "a": 1,\n  // about b\n  "b": 2, // behind b\n  "c": 3\n}\n';
    expect(removeEntry(text, ['b'])).toBe('{\n  // first\n  "a": 1,\n  // about b\n   // behind b\n  "c": 3\n}\n');
    expect(removeEntry(text, ['c'])).toBe('{\n  // first\n  "a": 1,\n  // about b\n  "b": 2 // behind b\n}\n');
    expect(removeEntry('{\n  "a": 1\n}', ['a'])).toBe('{}');
    expect(removeEntry('[1, 2, 3]', [1])).toBe('[1, 3]');
  });

  it('does not let a comment swallow what follows on the same line', () => {
    const text = '{ // note\n  "a": 1, "b": 2\n}';
    expect(valueIn(removeEntry(text, ['a']))).toEqual({ b: 2 });
  });
});

/** Settings as people and programs write them, in every style there is. */
const settings = fc
  .record({
    value: fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/u), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
    indent: fc.constantFrom('  ', '    ', '\t'),
    newline: fc.constantFrom('\n', '\r\n'),
    comment: fc.constantFrom('', ' // note', ' /* note */'),
    end: fc.constantFrom('', '\n'),
    hasTrailingComma: fc.boolean(),
  })
  .map(({ value, indent, newline, comment, end, hasTrailingComma }) => {
    const members = Object.entries(value).map(([key, one]) => {
      const body = JSON.stringify(one, null, indent).replaceAll('\n', `\n${indent}`);
      return `${indent}${JSON.stringify(key)}: ${body}`;
    });
    if (members.length === 0) return `{}${end}`;
    const commas = members.map((member, index) => {
      const hasComma = index < members.length - 1 || hasTrailingComma;
      return `${member}${hasComma ? ',' : ''}${comment}`;
    });
    return `{\n${commas.join('\n')}\n}${end}`.replaceAll('\n', newline);
  });

describe('for any settings', () => {
  it('what is inserted is there, everything else is as before, and removing it gives back the same bytes', () => {
    fc.assert(
      fc.property(settings, (text) => {
        const inserted = insertLast(text, [], ENTRY, 'MNEME');
        expect(valueIn(inserted)).toEqual({ ...(valueIn(text) as object), MNEME: ENTRY });
        expect(removeEntry(inserted, ['MNEME'])).toBe(text);
      }),
    );
  });

  it('replacing a value changes that value alone', () => {
    fc.assert(
      fc.property(settings, fc.jsonValue({ maxDepth: 1 }), (text, value) => {
        const inserted = insertLast(text, [], ENTRY, 'MNEME');
        const replaced = replaceValue(inserted, ['MNEME', 'args'], value);
        expect(valueIn(replaced)).toEqual({
          ...(valueIn(text) as object),
          // JSON knows no negative zero.
          MNEME: { ...ENTRY, args: JSON.parse(JSON.stringify(value)) as unknown },
        });
        expect(removeEntry(replaced, ['MNEME'])).toBe(text);
      }),
    );
  });

  it('removing any entry leaves the others', () => {
    fc.assert(
      fc.property(settings, fc.nat(), (text, pick) => {
        const value = valueIn(text) as Record<string, unknown>;
        const key = Object.keys(value)[pick % Math.max(1, Object.keys(value).length)];
        if (key === undefined) return;
        const { [key]: _gone, ...rest } = value;
        expect(valueIn(removeEntry(text, [key]))).toEqual(rest);
      }),
    );
  });
});
