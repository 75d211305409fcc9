import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../model/errors.ts';
import type { RepositoryName } from '../journal/record.ts';
import type { Git } from './git.ts';
import { filterSettings, type SettingPair } from './invocation.ts';

export interface Setting {
  readonly value: string;
  /** The file it comes from, as git names it. */
  readonly origin: string;
}

/** The origin that git names for settings from the environment. */
const OURS = 'command line:';

/** A setting as git sees it, from the repository, the person or the machine. */
export async function findSettingOrigin(git: Git, key: string): Promise<Setting | undefined> {
  const result = await git.attempt(['config', '--show-origin', '-z', '--get-all', key]);
  if (result.code !== 0) return undefined;
  const fields = result.stdout.toString('utf8').split('\0');
  const found: Setting[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [origin = '', value = ''] = fields.slice(index, index + 2);
    // Settings that we pass to git ourselves do not count.
    if (origin !== OURS) found.push({ value, origin: origin.replace(/^file:/, '') });
  }
  return found.at(-1);
}

export async function findSetting(git: Git, key: string): Promise<string | undefined> {
  return (await findSettingOrigin(git, key))?.value;
}

export interface KnownSettings {
  /** The repository's own. */
  readonly local: ReadonlyMap<string, string>;
  /** With the person's and the machine's. */
  readonly effective: ReadonlyMap<string, string>;
}

/** All settings git sees; keys in lower case. */
export async function readSettings(git: Git): Promise<KnownSettings> {
  const local = new Map<string, string>();
  const effective = new Map<string, string>();
  const fields = await git.fields(['config', '--list', '--show-scope', '-z']);
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [scope = '', field = ''] = fields.slice(index, index + 2);
    const lineEnd = field.indexOf('\n');
    if (lineEnd === -1 || scope === 'command') continue;
    const [key, value] = [field.slice(0, lineEnd), field.slice(lineEnd + 1)];
    effective.set(key, value);
    if (scope === 'local') local.set(key, value);
  }
  return { local, effective };
}

/** For commands that look at the files: the person's own filters would be run on what a repository says, too. */
export async function withoutAnyFilters(git: Git): Promise<SettingPair[]> {
  return filterSettings([...(await readSettings(git)).effective.keys()]);
}

/** The repository's own settings; keys in lower case. */
export async function readLocalSettings(git: Git): Promise<ReadonlyMap<string, string>> {
  return (await readSettings(git)).local;
}

/** Adds settings to a repository that was just made, all at once: git itself would have to be started for each. */
export function addSettings(git: Git, settings: ReadonlyMap<string, string>): void {
  const lines: string[] = [];
  for (const [key, value] of settings) {
    const dot = key.indexOf('.');
    lines.push(`[${key.slice(0, dot)}]`, `\t${key.slice(dot + 1)} = ${quoteValue(value)}`);
  }
  appendFileSync(path.join(git.location.gitDir, 'config'), `${lines.join('\n')}\n`);
}

function quoteValue(value: string): string {
  const escaped = value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return `"${escaped}"`;
}

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
