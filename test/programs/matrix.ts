import { PROGRAMS } from './programs.ts';
import { STEPS, type Step } from './try-program.ts';

/** What the last run saw, by program; kept in results.json. */
export type Results = Record<
  string,
  {
    readonly version: string;
    readonly date: string;
    readonly system: string;
    readonly notInstalled?: boolean;
    readonly works: readonly Step[];
  }
>;

const WORDS: Readonly<Record<Step, string>> = {
  connected: '`mneme install`',
  captured: 'captured',
  told: 'next prompt is told',
  tool: 'tool called',
  alone: 'answers while Mneme is broken or gone',
  restored: '`mneme uninstall` restores every byte',
};

/** docs/programs.md */
export function renderMatrix(results: Results): string {
  const heads = ['program', 'version', ...STEPS.map((step) => WORDS[step]), 'by hand', 'date, system'];
  const rows = PROGRAMS.map(({ name, title, byHand, own }) => {
    const seen = results[name];
    if (seen === undefined) return [title, '–', ...STEPS.map(() => 'not run'), byHand, '–'];
    const cells = STEPS.map((step) => {
      if (seen.notInstalled) return 'not installed';
      if (!seen.works.includes(step)) return 'no';
      // Its own command wrote the settings and writes them again: Mneme answers for no byte there.
      return step === 'restored' && own !== undefined ? 'its slots are free again' : 'yes';
    });
    return [title, seen.version, ...cells, byHand, `${seen.date}, ${seen.system}`];
  });
  const table = [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return `<!-- Written by npm run test:programs -- --write; do not edit. -->

# Programs Mneme was run in

\`npm run test:programs\` installs each program from npm at the version named here, points it at a server on this machine that
speaks its provider's protocol, connects it with \`mneme install\`, tells it a fact, asks for the fact in another session, has
it call \`memory_search\`, asks while Mneme fails and while it is gone, and disconnects it. A program that cannot be installed is a failure. CI runs one of them,
another every day; OpenClaw, which takes minutes, is run by hand. macOS and Windows are untested.

${table}
`;
}
