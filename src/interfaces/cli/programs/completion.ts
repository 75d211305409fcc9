import { z } from 'zod';
import { defineProgram } from '../derive/program.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const completion = defineProgram({
  name: 'completion',
  summary: 'Print a completion script for bash, zsh or fish.',
  description:
    'Print a completion script for bash, zsh or fish. For bash: eval "$(mneme completion bash)" in ~/.bashrc.',
  input: z.object({
    shell: z
      .enum(SHELLS, { error: ({ input }) => `"${String(input)}" is not a known shell: use ${SHELLS.join(', ')}` })
      .describe('The shell.'),
  }),
  args: ['shell'],
  cli: { section: 'interfaces' },
  async start({ cli, options, input: { shell } }) {
    const [{ completionScript }, { COMMANDS }] = await Promise.all([
      import('../completion.ts'),
      import('../commands.ts'),
    ]);
    const script = completionScript(
      shell,
      COMMANDS.map(({ command }) => command),
    );
    cli.print(options, { script }, (shown) => shown.script);
  },
});
