import { createHash } from 'node:crypto';

/** A declaration of the bundled types: its name, and everything up to the next one. */
interface Declaration {
  readonly name: string;
  readonly text: string;
}

const START =
  /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface|type|const|function|enum|namespace) ([A-Za-z_$][\w$]*)/u;
const WORD = /[A-Za-z_$][\w$]*/gu;

/** What is public by being reachable, and yet only for interfaces and tests. */
const INTERNAL =
  /^(?:OperationContext|Workspace|WorkspaceParts|EmbeddingDeps|Home|HomeIndexParts|AssertOpen|FRONTMATTER_SCHEMAS)$/u;

const INTERNAL_MEMBER =
  /^\s*(?:readonly )?internals: .*;$|^\s*private constructor\(.*\);$|^\s*#private;$|^\s*constructor\(.*OperationContext.*\);$/u;

/** The exported names and every type they lead to, in the order of the alphabet, without what is internal. */
export function reportOf(bundled: string): string {
  const declarations = withStableNames(bundled);
  const all = new Map(splitDeclarations(declarations).map((one) => [one.name, one]));
  const exported = exportedNames(declarations);
  const reached = new Set<string>();
  const queue = [...exported.keys()];
  for (const name of queue) {
    if (reached.has(name)) continue;
    if (INTERNAL.test(name)) continue;
    reached.add(name);
    const text = all.get(name)?.text ?? '';
    for (const [word] of text.matchAll(WORD)) if (all.has(word) && !reached.has(word)) queue.push(word);
  }
  const isExported = (name: string): boolean => exported.has(name);
  const section = (names: readonly string[]): string =>
    names
      .toSorted((a, b) => (a < b ? -1 : 1))
      .flatMap((name) => all.get(name)?.text ?? [])
      .join('\n\n');
  const names = [...reached].filter((name) => all.has(name));
  return [
    '# The public API of the library, made by scripts/api-report.ts. Do not edit.',
    `## Exported: ${[...exported.values()].toSorted().join(', ')}`,
    section(names.filter(isExported)),
    '## Types that these lead to',
    section(names.filter((name) => !isExported(name))),
    '',
  ].join('\n\n');
}

/**
 * The bundler numbers names that occur twice, and numbers them anew when a file is added. A schema is called by the type that
 * is made of it, anything else by a hash of what it says.
 */
function withStableNames(text: string): string {
  const names = new Map<string, string>();
  for (const [, alias = '', schema = ''] of text.matchAll(
    /^type ([\w$]+) = z\.(?:input|output)<typeof ([\w$]+)>;$/gmu,
  )) {
    if (/\$\d+$/u.test(schema)) names.set(schema, `schemaOf${alias.replace(/\$\d+$/u, '')}`);
  }
  for (const { name, text: own } of splitDeclarations(text)) {
    if (!/\$\d+$/u.test(name) || names.has(name)) continue;
    const plain = own.replaceAll(/\$\d+/gu, '');
    names.set(name, `${name.replace(/\$\d+$/u, '')}_${createHash('sha256').update(plain).digest('hex').slice(0, 6)}`);
  }
  const own = /^type ([\w$]+) = z\.(?:input|output)<typeof input>;$/mu.exec(text)?.[1] ?? 'input';
  // The one that kept its name; parameters are called so too.
  const named = text.replaceAll(/\b(typeof|const) input(?![\w$])/gu, `$1 schemaOf${own}`);
  return named.replaceAll(WORD, (word) => names.get(word) ?? word);
}

function splitDeclarations(text: string): Declaration[] {
  const found: { name: string; lines: string[] }[] = [];
  for (const line of text.split('\n')) {
    if (/^(?:\/\/#|export \{|import )/u.test(line)) continue;
    const name = START.exec(line)?.[1];
    if (name !== undefined) found.push({ name, lines: [] });
    // Regions of the bundler and comments in front belong to no declaration; the documentation says what they say.
    if (isComment(line) || INTERNAL_MEMBER.test(line)) continue;
    found.at(-1)?.lines.push(line.trimEnd());
  }
  return found.map(({ name, lines }) => ({ name, text: lines.join('\n').trim() }));
}

function isComment(line: string): boolean {
  return /^\s*(?:\/\*\*|\*|\/\/)/u.test(line);
}

/** Names inside the bundle by the names they are exported under. */
function exportedNames(text: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const [, list = ''] of text.matchAll(/^export \{([^}]*)\}/gmu)) {
    for (const part of list.split(',')) {
      const [inner, outer] = part
        .trim()
        .replace(/^type /u, '')
        .split(' as ');
      if (inner !== undefined && inner !== '') names.set(inner, outer ?? inner);
    }
  }
  return names;
}
