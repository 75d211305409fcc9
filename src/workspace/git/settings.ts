import { appendFileSync } from 'node:fs';
import path from 'node:path';
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
