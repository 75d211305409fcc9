import path from 'node:path';
import { z } from 'zod';
import { namesSomething } from '../../memory/ignore-rules.ts';
import { MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { IGNORE_FILE, listItems, withItem, withoutItems } from '../../workspace/formats/control-files.ts';
import type { View } from '../command-line/style.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';

const HEADING = `# Nothing is learned about

One subject in a line that begins with "- ", as words or names; commas separate several. Delete a line to take the rule back.
`;

const subject = z
  .string()
  .transform((text) => text.replaceAll(/\s+/gu, ' ').trim())
  .pipe(z.string().min(1).max(200))
  .describe('A word, a name or a few words, such as "my health"; commas separate several.');

export interface IgnoreRuleList {
  readonly rules: readonly string[];
  /** Where they stand, for reading and editing. */
  readonly path: string;
}

export interface ChangedIgnoreRules extends IgnoreRuleList {
  /** The change, for `mneme rollback`; null when nothing had to change. */
  readonly mutation: string | null;
}

export const ignoreList = defineVerb({
  name: 'ignore list',
  summary: 'List what nothing is learned about.',
  input: z.object({}),
  effect: 'read',
  async run(context): Promise<IgnoreRuleList> {
    return { rules: readRules(context), path: IGNORE_FILE };
  },
  library: { name: 'control.ignored' },
  cli: { path: 'learn ignore list', isDefault: true, formerly: ['ignore', 'ignore list'] },
  render,
});

function render({ style }: View, { rules, path: file }: IgnoreRuleList): string {
  if (rules.length === 0) return 'Anything may be learned: there are no rules.\n';
  return `Nothing is learned about:\n${rules.map((rule) => `- ${rule}\n`).join('')}${style.dim(file)}\n`;
}

export const ignoreAdd = defineVerb({
  name: 'ignore add',
  summary: 'Learn nothing about a subject from now on. What is known of it stays; `mneme forget` takes it out.',
  examples: ['mneme learn ignore add "my health"'],
  input: z.object({ subject }),
  args: ['subject...'],
  effect: 'write',
  by: 'person',
  async run(context, given): Promise<ChangedIgnoreRules> {
    if (!namesSomething(given.subject)) {
      throw new MnemeError('usage', `"${given.subject}" has no word that could be found in a text.`, {
        hint: 'Name the subject in words: `mneme learn ignore add "my health"`.',
      });
    }
    return addIgnoreRule(context, given.subject);
  },
  library: { name: 'control.ignore' },
  cli: { path: 'learn ignore add', formerly: ['ignore add'] },
  render,
});

/** On the user's own word, whichever agent carries it. */
export async function addIgnoreRule(
  context: OperationContext,
  rule: string,
  asked: { readonly session?: string; readonly trigger?: string } = {},
): Promise<ChangedIgnoreRules> {
  const edit = (current: string | undefined): string =>
    listItems(current ?? '').some((item) => isSame(item, rule)) ? (current ?? '') : withItem(current, HEADING, rule);
  return change(context, `nothing is learned about "${rule}"`, edit, asked);
}

export const ignoreRemove = defineVerb({
  name: 'ignore remove',
  summary: 'Remove a rule, so that the subject is learned about again.',
  input: z.object({ subject }),
  args: ['subject...'],
  effect: 'write',
  by: 'person',
  async run(context, { subject: rule }): Promise<ChangedIgnoreRules> {
    const rules = readRules(context);
    if (!rules.some((item) => isSame(item, rule))) {
      throw new MnemeError('not-found', `There is no rule "${rule}".`, {
        hint: rules.length === 0 ? 'There are no rules.' : `The rules are: ${rules.join('; ')}.`,
      });
    }
    const edit = (current: string | undefined): string => withoutItems(current ?? '', (item) => isSame(item, rule));
    return change(context, `no longer ignores "${rule}"`, edit);
  },
  library: { name: 'control.unignore' },
  cli: { path: 'learn ignore remove', formerly: ['ignore remove'] },
  render,
});

function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

function readRules({ workspace }: OperationContext): readonly string[] {
  return listItems(nodeFileSystem.read(path.join(workspace.root, IGNORE_FILE))?.toString('utf8') ?? '');
}

async function change(
  context: OperationContext,
  summary: string,
  edit: (current: string | undefined) => string,
  asked: { readonly session?: string; readonly trigger?: string } = {},
): Promise<ChangedIgnoreRules> {
  const { mutation } = await context.workspace.commit({
    ...asked,
    changes: [{ path: IGNORE_FILE, edit }],
    actor: context.actor,
    approval: roleOf(context.actor) === 'human' ? '—' : 'approved',
    summary,
  });
  return { rules: readRules(context), path: IGNORE_FILE, mutation: mutation ?? null };
}
