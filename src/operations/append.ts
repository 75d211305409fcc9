import { z } from 'zod';
import { roleOf } from '../model/mutation.ts';
import { parseDocument, serializeDocument } from '../workspace/markdown/document.ts';
import { appendBlock, appendToSection } from '../workspace/markdown/edit.ts';
import { type WriteResult, commitOrPropose, describeWrite, renderWrite, withCommit } from './commit-or-propose.ts';
import { defineVerb } from './verb.ts';
import { asTheirs } from './files/user-words.ts';
import { assertMayChange } from './visible-to.ts';
import { toWorkspacePath } from './workspace-files.ts';

const input = z.object({
  path: z.string().min(1).describe('The file, such as memory/reference/router.md; it is made when missing.'),
  text: z.string().min(1, 'there is nothing to append').describe('Markdown to add: one or more blocks.'),
  section: z
    .string()
    .min(1)
    .optional()
    .describe('Heading of the section to add it to; the section is made when missing.'),
  trigger: z.string().optional().describe('Reason for writing it.'),
  session: z.string().optional().describe('Session it comes from.'),
});

export type AppendInput = z.input<typeof input>;

export const append = defineVerb({
  name: 'append',
  summary: 'Add text to the end of a file or of one of its sections.',
  description: 'Add text to the end of a file or of one of its sections; `-` reads the text from standard input.',
  examples: ['mneme memory append memory/reference/house.md --section Meters "- The meter is read in April"'],
  input,
  args: ['path', 'text...'],
  effect: 'write',
  withoutLease: 'proposes',
  reach: 'filtered',
  async run(context, given): Promise<WriteResult> {
    const path = toWorkspacePath(context, given.path);
    assertMayChange(context, path);
    const { section } = given;
    const result = await commitOrPropose(context, {
      actor: context.actor,
      approval: roleOf(context.actor) === 'human' ? '—' : 'auto',
      trigger: given.trigger,
      session: given.session,
      summary: section === undefined ? 'appended' : `appended to ${section}`,
      changes: [
        {
          path,
          edit: (current) => {
            // A file that begins here begins with what is given, frontmatter and all.
            if (section === undefined && (current ?? '').trim() === '') {
              return asTheirs(context, path, current, `${given.text.trim()}\n`);
            }
            const document = parseDocument(current ?? '');
            const next =
              section === undefined
                ? appendBlock(document, given.text)
                : appendToSection(document, section, given.text);
            return asTheirs(context, path, current, serializeDocument(next));
          },
        },
      ],
    });
    return describeWrite(result);
  },
  cli: {
    path: 'memory append',
    formerly: ['append'],
    stdin: 'text',
    options: { section: { value: 'heading' }, session: { value: 'id' }, trigger: { value: 'words' } },
    finish: withCommit,
  },
  render: renderWrite,
});
