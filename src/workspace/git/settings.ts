import type { Git } from './git.ts';

export interface Setting {
  readonly value: string;
  /** The file it comes from, as git names it. */
  readonly origin: string;
}

/** A setting as git sees it, from the repository, the person or the machine. */
export async function findSettingOrigin(git: Git, key: string): Promise<Setting | undefined> {
  const result = await git.attempt(['config', '--show-origin', '-z', '--get', key]);
  if (result.code !== 0) return undefined;
  const [origin = '', value = ''] = result.stdout.toString('utf8').split('\0');
  return { value, origin: origin.replace(/^file:/, '') };
}

export async function findSetting(git: Git, key: string): Promise<string | undefined> {
  return (await findSettingOrigin(git, key))?.value;
}

/** The repository's own settings; keys in lower case. */
export async function readLocalSettings(git: Git): Promise<Map<string, string>> {
  const settings = new Map<string, string>();
  for (const field of await git.fields(['config', '--local', '--list', '-z'])) {
    const lineEnd = field.indexOf('\n');
    if (lineEnd !== -1) settings.set(field.slice(0, lineEnd), field.slice(lineEnd + 1));
  }
  return settings;
}
