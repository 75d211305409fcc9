import { z } from 'zod';
import { isMnemeError, MnemeError } from '../model/errors.ts';
import { roleOf } from '../model/mutation.ts';
import { type WriteResult, commitOrPropose, describeWrite, renderWrite, withCommit } from './commit-or-propose.ts';
import type { OperationContext } from './context.ts';
import type { Change } from '../workspace/door/request.ts';
import { defineOperation } from './operation.ts';
import { defineVerb } from './verb.ts';
import { asTheirs } from './files/user-words.ts';
import { assertMayChange } from './visible-to.ts';
import { readWorkspaceText, toWorkspacePath } from './workspace-files.ts';
import { readText } from './files/change-files.ts';

const input = z.object({
  path: z.string().min(1).describe('The file, such as MEMORY.md.'),
  replace: z.string().min(1).optional().describe('Text to replace; it must occur exactly once in the file.'),
  with: z.string().optional().describe('Text that replaces it; the command line removes the text when not given.'),
  content: z.string().optional().describe('The whole new text, instead of `replace`.'),
  base: z.string().optional().describe('The text that `content` was made from; what changed since is merged.'),
  summary: z.string().optional().describe('What the change is about.'),
  trigger: z.string().optional().describe('Reason for the change.'),
  session: z.string().optional().describe('Session it comes from.'),
});

export type EditInput = z.input<typeof input>;

export const edit = defineVerb({
  name: 'edit',
  summary: 'Change a file; what others changed meanwhile is merged.',
  description:
    'Open a file in your editor, or change it with --replace and --with, or with --content. What others changed meanwhile is merged.',
  examples: [
    'mneme edit MEMORY.md',
    'mneme edit memory/reference/house.md --replace March --with April',
    'mneme edit memory/reference/house.md --content - < house.md',
  ],
  input,
  effect: 'write',
  withoutLease: 'proposes',
  reach: 'filtered',
  async run(context, given): Promise<WriteResult> {
    const path = toWorkspacePath(context, given.path);
    assertMayChange(context, path);
    const change = planChange(context, path, given);
    const result = await commitOrPropose(context, {
      actor: context.actor,
      approval: roleOf(context.actor) === 'human' ? '—' : 'auto',
      trigger: given.trigger,
      session: given.session,
      summary: given.summary ?? 'edited',
      changes: [change],
    });
    return describeWrite(result);
  },
  library: { args: [] },
  cli: {
    section: 'everyday',
    args: ['path'],
    stdin: 'content',
    options: { summary: { value: 'words' }, base: false, trigger: false, session: false },
    around: async ({ input: typed }, { run, verb, terminal }) => {
      const { path = '', replace, content } = typed;
      if (replace !== undefined) return run({ with: '', ...typed, path });
      const { text: base } = await verb(presentText, { path });
      if (content !== undefined) return run({ ...typed, path, base });
      return run({ ...typed, path, base, content: await terminal.edit(path, base ?? '', OTHER_WAY) });
    },
    finish: withCommit,
  },
  render: renderWrite,
});

const OTHER_WAY =
  'Use `mneme edit` with --replace and --with, or with --content - to read the new text from standard input.';

/** The text of a file as it is on disk; undefined where there is none. */
const presentText = defineOperation({
  name: 'edit',
  summary: 'Read a file before it is edited.',
  input: input.pick({ path: true }),
  effect: 'read',
  reach: 'filtered',
  async run(context, given): Promise<{ readonly text: string | undefined }> {
    const path = toWorkspacePath(context, given.path);
    assertMayChange(context, path);
    try {
      return { text: await readWorkspaceText(context, path) };
    } catch (error) {
      if (isMnemeError(error, 'not-found')) return { text: undefined };
      throw error;
    }
  },
});

function planChange(
  context: OperationContext,
  path: string,
  { replace, with: replacement, content, base }: z.output<typeof input>,
): Change {
  if (replace !== undefined && replacement !== undefined && content === undefined) {
    const edited = (current: string | undefined): string =>
      asTheirs(context, path, current, replaceOnce(path, current, replace, replacement));
    return { path, edit: edited };
  }
  if (content !== undefined && replace === undefined) {
    return { path, content: asTheirs(context, path, base ?? readText(context, path), content), base };
  }
  throw new MnemeError('usage', `edit of ${path}: give either the text to replace or the whole new content.`, {
    hint: 'Give `replace` and `with`, or `content`.',
  });
}

function replaceOnce(path: string, current: string | undefined, find: string, replacement: string): string {
  if (current === undefined) throw new MnemeError('not-found', `There is no ${path}.`);
  const first = current.indexOf(find);
  if (first === -1) {
    throw new MnemeError('not-found', `The text to replace is not in ${path}.`, {
      hint: '`mneme read` shows the file as it is; spaces and line ends count.',
    });
  }
  if (current.includes(find, first + 1)) {
    throw new MnemeError('conflict', `The text to replace occurs more than once in ${path}.`, {
      hint: 'Take in more of what stands around it.',
    });
  }
  return current.slice(0, first) + replacement + current.slice(first + find.length);
}
