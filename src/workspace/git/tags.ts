import { MnemeError } from '../../model/errors.ts';
import type { Git } from './git.ts';
import { writeAs } from './identity.ts';

/** Every tag Mneme makes stands below this (S0 §3.4). */
export const TAG_ROOT = 'memory/';

export const TAG_FAMILIES = ['daily', 'weekly', 'milestone', 'before', 'extract'] as const;
export type TagFamily = (typeof TAG_FAMILIES)[number];

/** Made by the scheduler, which may run twice: an existing one is the answer, not an error. */
const SNAPSHOT_FAMILIES: ReadonlySet<TagFamily> = new Set(['daily', 'weekly']);

const LABEL_RULES: Readonly<Record<TagFamily, { readonly pattern: RegExp; readonly hint: string }>> = {
  daily: { pattern: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, hint: 'Use a date: daily/2026-02-16.' },
  weekly: { pattern: /^\d{4}-W(?:0[1-9]|[1-4]\d|5[0-3])$/, hint: 'Use an ISO week: weekly/2026-W07.' },
  milestone: nameRule('milestone/first-release'),
  before: nameRule('before/big-rewrite'),
  extract: nameRule('extract/heuristic-2'),
};

function nameRule(example: string): { readonly pattern: RegExp; readonly hint: string } {
  // git also refuses "..", a final dot and ".lock"; one rule for a name keeps all of that out.
  const pattern = /^[\p{L}\p{N}](?!.*(?:\.\.|\.lock$|\.$))[\p{L}\p{N}._-]{0,99}$/u;
  return { pattern, hint: `Use letters, digits, dots and dashes, without spaces: ${example}.` };
}

export interface MemoryTag {
  readonly name: string;
  readonly commit: string;
  readonly timeMs: number;
  readonly message: string;
}

export interface NewTag {
  /** With or without `memory/`. */
  readonly name: string;
  readonly commit?: string | undefined;
  readonly message?: string | undefined;
  readonly nowMs: number;
}

export interface TagResult {
  readonly name: string;
  readonly commit: string;
  readonly isNew: boolean;
  /** Why no tag was made. */
  readonly reason?: 'exists' | 'unchanged' | undefined;
}

/** The full name of a tag, or an error that shows how one is spelt. */
export function parseTagName(text: string): { readonly name: string; readonly family: TagFamily } {
  const short = text.startsWith(TAG_ROOT) ? text.slice(TAG_ROOT.length) : text;
  const slash = short.indexOf('/');
  const family = TAG_FAMILIES.find((known) => known === short.slice(0, Math.max(slash, 0)));
  if (family === undefined) {
    throw new MnemeError('usage', `"${text}" is not a tag of Mneme's.`, {
      hint: `Begin it with one of ${TAG_FAMILIES.map((known) => `${known}/`).join(', ')}.`,
    });
  }
  const rule = LABEL_RULES[family];
  if (!rule.pattern.test(short.slice(slash + 1))) {
    throw new MnemeError('usage', `"${text}" cannot name a tag.`, { hint: rule.hint });
  }
  return { name: `${TAG_ROOT}${short}`, family };
}

/**
 * Marks a commit. Tags are annotated: when and why a snapshot was taken stays known even after the commit's own date
 * has become old. A daily or weekly tag is made only when something changed since the last one of its family.
 */
export async function createTag(git: Git, tag: NewTag): Promise<TagResult> {
  const { name, family } = parseTagName(tag.name);
  const commit = await git.text(['rev-parse', '--verify', `${tag.commit ?? 'HEAD'}^{commit}`]);
  const existing = await findTag(git, name);
  const isSnapshot = SNAPSHOT_FAMILIES.has(family);
  if (existing !== undefined) {
    if (isSnapshot || existing.commit === commit) {
      return { name, commit: existing.commit, isNew: false, reason: 'exists' };
    }
    throw new MnemeError('conflict', `The tag ${name} already marks another commit.`, {
      hint: 'Choose another name; a tag never moves.',
    });
  }
  if (isSnapshot) {
    const latest = await findLatestTag(git, family);
    if (latest?.commit === commit) return { name, commit, isNew: false, reason: 'unchanged' };
  }
  await writeTag(git, name, commit, tag);
  return { name, commit, isNew: true };
}

async function writeTag(git: Git, name: string, commit: string, tag: NewTag): Promise<void> {
  // A person may have told git to sign every tag; that would ask for a pass phrase nobody is there to type.
  await git.bytes(['tag', '--annotate', '--no-sign', '--file=-', name, commit], {
    input: `${tag.message ?? name}\n`,
    env: writeAs(git.identity, 'system:tag', tag.nowMs),
  });
}

const TAG_FORMAT = [
  '%(refname:strip=2)',
  '%(objectname)',
  '%(*objectname)',
  '%(creatordate:unix)',
  '%(contents:subject)',
  '',
].join('%00');
const TAG_FIELDS = 5;

/** Tags below `memory/`, or whose full name begins with `prefix`, in the order of their names. */
export async function listTags(git: Git, prefix = TAG_ROOT): Promise<MemoryTag[]> {
  const full = fullName(prefix);
  const tags = await readTags(git, ['--sort=refname'], full.slice(0, full.lastIndexOf('/') + 1));
  return tags.filter((tag) => tag.name.startsWith(full));
}

/** The last of a family by name. Years leave a thousand tags: git is asked for this one alone. */
export async function findLatestTag(git: Git, family: TagFamily): Promise<MemoryTag | undefined> {
  return (await readTags(git, ['--sort=-refname', '--count=1'], `${TAG_ROOT}${family}/`))[0];
}

async function readTags(git: Git, options: readonly string[], below: string): Promise<MemoryTag[]> {
  const fields = await git.fields(['for-each-ref', ...options, `--format=${TAG_FORMAT}`, `refs/tags/${below}`]);
  const tags: MemoryTag[] = [];
  for (let index = 0; index + TAG_FIELDS <= fields.length; index += TAG_FIELDS) {
    const [name = '', object = '', target = '', seconds = '', message = ''] = fields.slice(index, index + TAG_FIELDS);
    // An annotated tag points to an object of its own, a person's plain `git tag` to the commit itself.
    const commit = target === '' ? object : target;
    tags.push({ name: name.replace(/^\n/, ''), commit, timeMs: Number(seconds) * 1000, message });
  }
  return tags;
}

function fullName(name: string): string {
  return name.startsWith(TAG_ROOT) ? name : `${TAG_ROOT}${name}`;
}

/** By its name, with or without `memory/`. */
export async function findTag(git: Git, name: string): Promise<MemoryTag | undefined> {
  const full = fullName(name);
  return (await readTags(git, [], full)).find((tag) => tag.name === full);
}

/** Removes a tag of Mneme's; the commit it marked stays. */
export async function deleteTag(git: Git, name: string): Promise<MemoryTag> {
  const { name: full } = parseTagName(name);
  const tag = await findTag(git, full);
  if (tag === undefined) {
    throw new MnemeError('not-found', `There is no tag ${full.slice(TAG_ROOT.length)}.`, {
      hint: '`mneme history tag` lists them.',
    });
  }
  await git.bytes(['update-ref', '-d', `refs/tags/${full}`]);
  return tag;
}
