import fs from 'node:fs';
import path from 'node:path';

/** A source file's text by its path, with forward slashes. */
export type Sources = ReadonlyMap<string, string>;

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)'(\.{1,2}\/[^']+)'/gu;

/** Every source file below a folder; tests and their helpers may reach anywhere, and are left out. */
export function readSources(root: string, folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).sort()) {
    const file = path.posix.join(folder, name.replaceAll(path.sep, '/'));
    if (!file.endsWith('.ts') || /\.test\.ts$|\/testing(?:\/|\.ts$)/u.test(file)) continue;
    found.set(file, fs.readFileSync(path.join(root, file), 'utf8'));
  }
  return found;
}

export interface TwoWayPair {
  readonly folders: readonly [string, string];
  /** `importing file → imported file`, in both directions. */
  readonly imports: readonly string[];
}

/**
 * Pairs of folders directly below `folder` of which each imports the other. Imports of types and those made while
 * running count: a reader has to know both folders either way. Files beside the folders belong to none.
 */
export function findTwoWayPairs(sources: Sources, folder: string): TwoWayPair[] {
  const edges = new Map<string, string[]>();
  for (const [file, text] of sources) {
    const from = subfolderOf(file, folder);
    for (const [, specifier = ''] of text.matchAll(IMPORT)) {
      const target = path.posix.join(path.posix.dirname(file), specifier);
      const to = subfolderOf(target, folder);
      if (from === undefined || to === undefined || from === to) continue;
      const edge = `${from} ${to}`;
      edges.set(edge, [...(edges.get(edge) ?? []), `${file} → ${target}`]);
    }
  }
  return [...edges].flatMap(([edge, there]) => {
    const [one = '', other = ''] = edge.split(' ');
    const back = edges.get(`${other} ${one}`);
    return one < other && back !== undefined ? [{ folders: [one, other], imports: [...there, ...back] }] : [];
  });
}

function subfolderOf(file: string, folder: string): string | undefined {
  if (!file.startsWith(`${folder}/`)) return undefined;
  const [first, ...rest] = file.slice(folder.length + 1).split('/');
  return rest.length === 0 ? undefined : first;
}

/** Starts at column 0 in formatted code; ends with the statement. */
const STATEMENT = /^(?:export )?(const|let|var) (\w+)[\s\S]*?(?:;$|\{$)/gmu;
/** An empty collection is made to be filled; one with content is a table. */
const COLLECTION = /=\s+new (?:WeakMap|WeakSet|(?:Map|Set)(?:<[^=]*>)?\(\))/u;

/** `file: name` of every variable of a module that changes while a process runs. */
export function findModuleState(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    [...text.matchAll(STATEMENT)]
      .filter(([statement, kind]) => kind !== 'const' || COLLECTION.test(statement))
      .map(([, , name = '']) => `${file}: ${name}`),
  );
}

const PARTS = 'access|alerts|audit|chain|checksums|entities|homeIndex|parts|proposals|search|writes';
/** Parts of an open home that verbs work with; an interface that reaches one of them goes around a verb's checks. */
const HOME_PARTS: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:internals|#?context)\.(?:${PARTS})\b`, 'u'),
  // Taken apart: `const { audit } = this.#context;`, `({ audit }: OperationContext)`, `{ internals: { audit } }`.
  new RegExp(String.raw`\{[^{}]*\b(?:${PARTS})\b[^{}]*\}(?: = [^;{]*(?:internals|context);|: OperationContext\b)`, 'u'),
  new RegExp(String.raw`\binternals: \{[^{}]*\b(?:${PARTS})\b`, 'u'),
  /(?<!\.)\bworkspace\.(?!(?:paths|root|redactor|ts|git|files)\b)\w/u,
];

/** Files of interfaces that reach into an open home instead of calling a verb. */
export function findCallsAround(sources: Sources): string[] {
  return [...sources].filter(([, text]) => HOME_PARTS.some((part) => part.test(text))).map(([file]) => file);
}

const IMPORTED = /'(?:\.\.\/)+(operations\/[^']+)'/gu;
const TAKES_HOME = /^export (?:async )?function (\w+)(?:<[^>]*>)?\(\s*(?:\w+|\{[^}]*\}): OperationContext\b/gmu;
/** They are the checks. */
const CHECKS: ReadonlySet<string> = new Set(['operations/operation.ts', 'operations/visible-to.ts']);

/** `file: name` of every function of `src/operations` that an interface hands an open home to, although it is no verb. */
export function findUncheckedCalls(interfaces: Sources, operations: Sources): string[] {
  return [...interfaces].flatMap(([file, text]) => {
    const modules = new Set([...text.matchAll(IMPORTED)].map(([, module = '']) => module)).difference(CHECKS);
    const names = [...modules].flatMap((module) =>
      [...(operations.get(`src/${module}`) ?? '').matchAll(TAKES_HOME)].map(([, name = '']) => name),
    );
    return names
      .filter((name) => new RegExp(String.raw`\b${name}\(`, 'u').test(text))
      .map((name) => `${file}: ${name}`);
  });
}
