import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../model/errors.ts';
import type { RepositoryName } from '../journal/record.ts';

const BEGIN = '# >>> mneme (rewritten by Mneme; your own lines go outside)';
const END = '# <<< mneme';

const TEMPORARY = ['*.tmp', '*~', '.#*', '*.swp', '.mneme-*', '/scratch/', '/tmp/'];
const SYSTEM = ['.DS_Store', 'Thumbs.db', 'desktop.ini'];
/** Settings that an editor rewrites while a note is looked at, and what it threw away. */
const EDITORS = ['.obsidian/', '.trash/', '.logseq/'];
const SECRETS = ['.env', '.env.*', '*.key', '*.pem', 'secrets/'];
const DERIVED: Readonly<Record<RepositoryName, readonly string[]>> = {
  workspace: ['/memory/meta/audit.log', '/memory.db*'],
  raw: [],
  // Salts and words must be erasable; a history keeps what it has.
  chain: ['/content/', '/anchors.jsonl', '/agent.pub'],
};

/** Files that never enter a history: S0 §3.7, kept in the git directory so that no file of the user's is changed. */
export function excludeLines(kind: RepositoryName): string[] {
  return [...DERIVED[kind], ...TEMPORARY, ...SYSTEM, ...EDITORS, ...SECRETS];
}

const LFS_PATTERNS = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'pdf', 'mp3', 'mp4', 'zip'];

/** Bytes are never converted, whatever a `.gitattributes` in the folder or the machine's own settings say. */
export function attributeLines(withLfs: boolean): string[] {
  const lfs = LFS_PATTERNS.map((extension) => `/attachments/**/*.${extension} filter=lfs diff=lfs merge=lfs -text`);
  return ['* -text -ident -working-tree-encoding', '*.md diff=markdown', ...(withLfs ? lfs : [])];
}

/** Replaces Mneme's block in a file and leaves every other line alone. */
export function writeManagedLines(file: string, lines: readonly string[]): void {
  const present = readText(file);
  const wanted = withManagedLines(present, lines);
  if (wanted === present) return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, wanted);
}

/** Whether the file has a block of Mneme's, whatever stands in it. */
export function hasManagedBlock(file: string): boolean {
  return readText(file).includes(BEGIN);
}

export function hasManagedLines(file: string, lines: readonly string[]): boolean {
  const present = readText(file);
  return withManagedLines(present, lines) === present;
}

function withManagedLines(present: string, lines: readonly string[]): string {
  const block = `${BEGIN}\n${lines.join('\n')}\n${END}\n`;
  const start = present.indexOf(BEGIN);
  if (start === -1) return present === '' || present.endsWith('\n') ? present + block : `${present}\n${block}`;
  const end = present.indexOf(END, start);
  const after = end === -1 ? '' : present.slice(end + END.length).replace(/^\r?\n/, '');
  return present.slice(0, start) + block + after;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return '';
    throw error;
  }
}
