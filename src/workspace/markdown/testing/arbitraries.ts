import * as fc from 'fast-check';

/** Generators of Markdown for property tests: documents as people write them, and the worst a file may hold. */

const WORDS = [
  'alpha',
  'beta',
  'gamma',
  'delta',
  'Öl',
  '記憶',
  'x^2',
  'a|b',
  '12:30',
  '#tag',
  '[[link]]',
  '`code`',
  '😀',
];
const WHITE_SPACE = ['\n', '\r\n', '\r', '\n\n', ' ', '  ', '    ', '\t', '\u2028', '\u00A0'];
const OPENERS = ['- ', '* ', '1. ', '12) ', '# ', '### ', '>', '---', '...', '***', '_ _ _', '- - -', '| a |', '|---|'];
const BRACKETS = ['```', '~~~~', '````js', '<!--', '-->', '<div>', '</pre>', '<pre>', '[', '{', '"', "'"];
const YAML = ['key: value', 'key:', '&a', '*a', '!!', ':'];
const ODDITIES = ['word', '記', '😀', ' ^abc-1', ' ^7k2m9x0q4t1za', '^', '\\', '\0', '\uD800', '\uDC00', '\uFEFF'];
const TOKENS = [...WHITE_SPACE, ...OPENERS, ...BRACKETS, ...YAML, ...ODDITIES];

const words: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 })
  .map((list) => list.join(' '));

export const anchorId: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz'),
  minLength: 13,
  maxLength: 13,
});

const sentence: fc.Arbitrary<string> = fc
  .tuple(words, fc.nat(9999), fc.option(anchorId, { freq: 3 }))
  .map(([text, number, id]) => `${text} ${number}${id === null ? '' : ` ^${id}`}`);

/** The source of one block with LF line ends and without the final one. */
export const blockSource: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: sentence },
  { weight: 4, arbitrary: sentence.map((text) => `- ${text}`) },
  { weight: 1, arbitrary: sentence.map((text) => `- ${text.replace(' ', '\n  ')}`) },
  { weight: 1, arbitrary: sentence.map((text) => `  - ${text}`) },
  { weight: 1, arbitrary: fc.tuple(words, words).map(([first, second]) => `- ${first}\n\n  ${second}`) },
  { weight: 1, arbitrary: words.map((text) => `- ${text}\n  \`\`\`\n  # code\n\n  - code\n  \`\`\``) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.integer({ min: 1, max: 6 }), words).map(([n, text]) => `${'#'.repeat(n)} ${text}`),
  },
  { weight: 1, arbitrary: fc.nat(59).map((minute) => `## 10:${String(minute).padStart(2, '0')} | fact`) },
  { weight: 1, arbitrary: words.map((text) => `\`\`\`js\n${text}\n\n# ${text}\n\`\`\``) },
  { weight: 1, arbitrary: words.map((text) => `| h | ${text.replaceAll('|', '')} |\n|---|---|\n| 1 | 2 |`) },
  { weight: 1, arbitrary: words.map((text) => `<!-- ${text}\n\n- ${text} -->`) },
  { weight: 1, arbitrary: words.map((text) => `> ${text}\n> ${text}`) },
  { weight: 1, arbitrary: fc.constant('***') },
);

const FRONTMATTER_LINES = [
  'id: 7k2m9x0q4t1za',
  'tags: [a, b] # why',
  'date: 2026-02-16',
  'time: 12:30:00',
  '"quoted key": "x: y"',
  "name: 'O''Brien'",
  'empty:',
  'list:\n- one\n- two',
  'map:\n  a: 1\n  # inner\n  b: 2',
  'text: |\n  line\n\n  # not a comment',
  '# comment',
  '',
];

/** Valid frontmatter with comments, quotes, lists; possibly none. */
export const frontmatterSource: fc.Arbitrary<string> = fc.oneof(
  fc.constant(''),
  fc.shuffledSubarray(FRONTMATTER_LINES).map((lines) => `---\n${lines.map((line) => `${line}\n`).join('')}---\n`),
);

export const bodySource: fc.Arbitrary<string> = fc
  .array(fc.tuple(blockSource, fc.constantFrom('\n', '\n\n', '\n\n', '\n \n\n')), { maxLength: 12 })
  .map((blocks) => blocks.map(([source, gap]) => source + gap).join(''));

/** A file as a person or a program would write it, in either line-end style. */
export const tidyText: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('', '\uFEFF'), frontmatterSource, bodySource, fc.boolean(), fc.boolean())
  .map(([bom, head, body, crlf, cut]) => {
    const text = head + (cut ? body.trimEnd() : body);
    return bom + (crlf ? text.replaceAll('\n', '\r\n') : text);
  });

/** Markdown's own tokens in any order: every construct left open, nested and mixed. */
export const tokenSoup: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...TOKENS), { maxLength: 60 })
  .map((tokens) => tokens.join(''));

/** Any sequence of UTF-16 code units, lone surrogates included. */
const anyString: fc.Arbitrary<string> = fc
  .array(fc.integer({ min: 0, max: 0xff_ff }), { maxLength: 80 })
  .map((codes) => String.fromCharCode(...codes));

export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: tidyText },
  { weight: 4, arbitrary: tokenSoup },
  { weight: 1, arbitrary: tokenSoup.map((soup) => `---\n${soup}\n---\n${soup}`) },
  { weight: 1, arbitrary: anyString },
);
