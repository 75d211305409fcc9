import fs from 'node:fs';
import path from 'node:path';
import type { Sources } from './structure.ts';

/** One entry of SPEC.md. */
interface Invariant {
  readonly id: string;
  /** Files that enforce it, as the entry lists them. */
  readonly files: readonly string[];
}

const ENTRY = /^- `([A-Z]+-\d+)` /gmu;
const FILE = /`((?:src|test|scripts|dashboard)\/[^`\s]+\.ts)[^`]*`/gu;
const CITATION = /\/\/ SPEC ([A-Z]+-\d+(?:, [A-Z]+-\d+)*)/gu;

function readInvariants(text: string): Invariant[] {
  const starts = [...text.matchAll(ENTRY)];
  return starts.map(({ 1: id = '', index }, at) => {
    const entry = text.slice(index, starts[at + 1]?.index);
    return { id, files: [...entry.matchAll(FILE)].map(([, file = '']) => file) };
  });
}

/** Every file that may cite an invariant, by its path from the root. */
export function readCiting(root: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const folder of ['src', 'test', 'scripts', 'dashboard/src']) {
    for (const name of fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const file = path.posix.join(folder, name.replaceAll(path.sep, '/'));
      // The functions of this check and their tests write citations as examples.
      if (!file.endsWith('.ts') || file.startsWith('scripts/spec.')) continue;
      found.set(file, fs.readFileSync(path.join(root, file), 'utf8'));
    }
  }
  return found;
}

/** Says what is wrong with the ids of SPEC.md and their citations; empty when every id has a test that names it. */
export function findSpecProblems(spec: string, sources: Sources): string[] {
  const invariants = readInvariants(spec);
  const cited = new Map(
    [...sources].map(([file, text]) => [
      file,
      new Set([...text.matchAll(CITATION)].flatMap(([, ids = '']) => ids.split(', '))),
    ]),
  );
  const problems = findDisorder(invariants);
  for (const { id, files } of invariants) {
    if (files.length === 0) problems.push(`${id} names no test`);
    for (const file of files) {
      const ids = cited.get(file);
      if (ids === undefined) problems.push(`${id} names ${file}, which does not exist`);
      else if (!ids.has(id)) problems.push(`${file} does not cite ${id} (write "// SPEC ${id}" above its test)`);
    }
  }
  const filesOf = new Map(invariants.map(({ id, files }) => [id, files]));
  for (const [file, ids] of cited) {
    for (const id of ids) {
      if (filesOf.get(id)?.includes(file) !== true) problems.push(`${file} cites ${id}, whose entry does not name it`);
    }
  }
  return problems;
}

/** Ids are unique, and rise within their section, which stays in one place. */
function findDisorder(invariants: readonly Invariant[]): string[] {
  const problems: string[] = [];
  const last = new Map<string, number>();
  let section = '';
  for (const { id } of invariants) {
    const [word = '', number = ''] = id.split('-');
    if (word !== section && last.has(word)) problems.push(`${id} stands outside of its section`);
    if (Number(number) <= (last.get(word) ?? 0)) problems.push(`${id} does not follow ${word}-${last.get(word) ?? 0}`);
    section = word;
    last.set(word, Number(number));
  }
  return problems;
}
