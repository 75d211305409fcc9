import { z } from 'zod';
import type { HookAgentName } from '../../../runtime/connect/hook-agents.ts';
import { defineProgram, type ProgramCall } from '../derive/program.ts';

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

const AGENT_HOOK = {
  input: z.object({ event: z.string().optional().describe('The event.') }),
  args: ['event'],
  // A usage error would end with 2, by which the agent would be told to block.
  cli: { isHidden: true, isLenient: true },
} as const;

export const hookClaudeCode = defineProgram({
  name: 'hook claude-code',
  summary: 'Answer a hook of Claude Code, whose input is on standard input. Always ends with 0.',
  ...AGENT_HOOK,
  start: (call) => answer('claude-code', call),
});

export const hookCodex = defineProgram({
  name: 'hook codex',
  summary: 'Answer a hook of Codex, whose input is on standard input. Always ends with 0.',
  ...AGENT_HOOK,
  start: (call) => answer('codex', call),
});

export const hookGemini = defineProgram({
  name: 'hook gemini',
  summary: 'Answer a hook of Gemini CLI, whose input is on standard input. Always ends with 0.',
  ...AGENT_HOOK,
  start: (call) => answer('gemini', call),
});

async function answer(
  agent: HookAgentName,
  { cli, options, input }: ProgramCall<(typeof AGENT_HOOK)['input']>,
): Promise<void> {
  const { answerAndExit } = await import('../../hooks/process-hook.ts');
  await answerAndExit({ home: cli.home(options), agent, event: input.event });
}
