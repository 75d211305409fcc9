import { z } from 'zod';
import { defineProgram } from '../derive/program.ts';

/** Called by git and by agents; not meant to be typed. */
export const hookGitPreCommit = defineProgram({
  name: 'hook git-pre-commit',
  summary: 'Check what git is about to commit.',
  input: z.object({
    gitDir: z.string().describe('The git directory.'),
    workTree: z.string().describe('The work tree.'),
    index: z.string().optional().describe('The index file.'),
  }),
  cli: { isHidden: true, options: { gitDir: { value: 'dir' }, workTree: { value: 'dir' }, index: { value: 'file' } } },
  async start({ cli, input }) {
    const { checkStaged } = await import('./check-staged.ts');
    cli.exitCode = await checkStaged(cli, input);
  },
});

export const hookClaudeCode = defineProgram({
  name: 'hook claude-code',
  summary: 'Answer a hook of Claude Code, whose input is on standard input. Always ends with 0.',
  input: z.object({ event: z.string().optional().describe('The event.') }),
  args: ['event'],
  // A usage error would end with 2, by which Claude Code would be told to block.
  cli: { isHidden: true, isLenient: true },
  async start({ cli, options, input: { event } }) {
    const { answerAndExit } = await import('../../hooks/process-hook.ts');
    await answerAndExit({ home: cli.home(options), event });
  },
});
