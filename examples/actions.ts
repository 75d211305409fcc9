/**
 * Actions for workflows, as `mneme procedure run NAME --actions examples/actions.ts` takes them: what a procedure may do
 * beside what is built in. Nothing else is ever run.
 */
import fs from 'node:fs/promises';
import { z } from 'zod';

export const actions = {
  /** Idempotent: done twice, it says the same, so it may be repeated after a crash. */
  'count-lines': {
    description: 'How many lines a file has.',
    input: z.object({ file: z.string() }),
    isIdempotent: true,
    run: async ({ file }: { readonly file: string }) => ({
      lines: (await fs.readFile(file, 'utf8')).split('\n').length,
    }),
  },
  /** Not idempotent: after a crash somebody is asked whether the line is there. */
  'add-line': {
    description: 'Adds a line to a file.',
    input: z.object({ file: z.string(), text: z.string() }),
    run: async ({ file, text }: { readonly file: string; readonly text: string }) => fs.appendFile(file, `${text}\n`),
  },
};
