import type { Measured } from './measure.ts';

export interface PeerRow {
  readonly name: string;
  readonly version: string;
  readonly settings: string;
  readonly measured?: Measured;
  /** Why there are no figures. */
  readonly failure?: string;
}

export function renderPeers(
  rows: readonly PeerRow[],
  { date, machine, data }: { readonly date: string; readonly machine: string; readonly data: string },
): string {
  const lines = rows.map(({ name, version, measured, failure }) => {
    const title = titleOf(name, version);
    if (measured === undefined) return `| ${title} | ${failure ?? ''} | | | | | |`;
    const { recall, indexSeconds, searchMs, peakMegabytes, diskMegabytes, questions } = measured;
    const cells = [
      [1000, 2000, 4000].map((budget) => recall[budget]?.toFixed(1)).join(' / '),
      String(questions),
      `${show(indexSeconds)} s`,
      `${show(searchMs.p50)} / ${show(searchMs.p95)} ms`,
      peakMegabytes === null ? '–' : `${Math.round(peakMegabytes)} MB`,
      `${show(diskMegabytes)} MB`,
    ];
    return `| ${title} | ${cells.join(' | ')} |`;
  });
  return `<!-- Written by npm run bench:peers -- --write; do not edit. -->

# Beside peers

\`npm run bench:peers\` installs memory systems from npm that run without an API key, at the versions of \`bench/peers/packages\`. Each gets
the same conversations and the same questions. Recall is the share of the turns holding the answer that are within the first 1,000, 2,000 and
4,000 tokens that the system returns (a token is four characters). This measures retrieval only: no language model writes or judges anything.

${date}, ${machine}; other programs ran at the same time. Data: ${data}.

| system | recall at 1K / 2K / 4K, % | questions | take in | search p50 / p95 | memory | disk |
|---|---|---|---|---|---|---|
${lines.join('\n')}

What each was given:

${rows.map(({ name, settings }) => `- **${name}**: ${settings}.`).join('\n')}

Mneme takes conversations in more slowly, because it embeds every passage, and searches more slowly than plain full-text search. It also
needs more disk space, because it keeps history and journal.

Read it with care. The conversations are ours, and Mneme's weights were chosen by looking at \`coding\`; \`--data locomo10.json\` or
\`--data longmemeval_s.json\` repeats it on files that others publish. We also chose how each system was used: the form in which it got the
conversations and, for a system without a ranking or without results for a whole question, the order of its answers. Systems with a language model or a downloaded embedder do
better than they do here. Disk is everything a system wrote, for Mneme with history and journal. The list above says where each search
starts a new process; all other systems were searched in one running process.
`;
}

/** "qmd 2.8.3, a search for each word": the version follows the name of the program. */
function titleOf(name: string, version: string): string {
  const [program = name, ...use] = name.split(', ');
  return [[program, version].join(' ').trim(), ...use].join(', ');
}

function show(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(2);
}
