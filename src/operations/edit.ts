import { z } from 'zod';
import { MnemeError } from '../model/errors.ts';
import { roleOf } from '../model/mutation.ts';
import { commitOrPropose } from './commit-or-propose.ts';
import type { OperationContext } from './context.ts';
import { describeWrite, type WriteResult } from './write-result.ts';
import { defineOperation } from './operation.ts';
import { asTheirs } from './files/as-theirs.ts';
import { assertMayChange } from './visible-to.ts';
import { toWorkspacePath } from './workspace-files.ts';

const common = {
  path: z.string().min(1).describe('The file, such as MEMORY.md.'),
  summary: z.string().optional().describe('What the change is about.'),
  trigger: z.string().optional(),
  session: z.string().optional(),
};

const input = z.union([
  z.object({
    ...common,
    replace: z.string().min(1).describe('Text that occurs exactly once in the file.'),
    with: z.string().describe('What to put there instead.'),
  }),
  z.object({
    ...common,
    content: z.string().describe('The whole new text.'),
    base: z.string().optional().describe('The text it was made from; what changed since is merged.'),
  }),
]);

export type EditInput = z.input<typeof input>;

export const edit = defineOperation({
  name: 'edit',
  summary: 'Change a file; what others changed meanwhile is merged.',
  input,
  effect: 'write',
  withoutLease: 'proposes',
  reach: 'filtered',
  async run(context, given): Promise<WriteResult> {
    const path = toWorkspacePath(context, given.path);
    assertMayChange(context, path);
    const change =
      'replace' in given
        ? {
            path,
            edit: (current: string | undefined) =>
              asTheirs(context, path, current, replaceOnce(path, current, given.replace, given.with)),
          }
        : {
            path,
            content: asTheirs(context, path, given.base ?? currentText(context, path), given.content),
            base: given.base,
          };
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
});

function currentText({ homeIndex }: OperationContext, path: string): string | undefined {
  return homeIndex.files.read({ source: 'workspace', path })?.text;
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
