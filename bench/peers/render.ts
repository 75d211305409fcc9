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
    const title = version === '' ? name : `${name} ${version}`;
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

\`npm run bench:peers\` installs memory systems from npm that run without a key, at the versions of \`bench/peers/packages\`, feeds each the
same conversations, asks each the same questions and counts which share of the turns that hold the answer stands in the first 1,000, 2,000
and 4,000 tokens of what it returns (a token is four characters). Retrieval only: no language model writes or judges anything.

${date}, ${machine}; other programs ran at the same time. Data: ${data}.

| system | recall at 1K / 2K / 4K, % | questions | take in | search p50 / p95 | memory | disk |
|---|---|---|---|---|---|---|
${lines.join('\n')}

What each was given:

${rows.map(({ name, settings }) => `- **${name}**: ${settings}.`).join('\n')}

Mneme loses where it does more: taking conversations in (it embeds every passage), disk (with history and journal) and search time beside plain
full-text search.

Read it with care. The conversations are ours, and Mneme's weights were chosen by looking at \`coding\`; \`--data locomo10.json\` or
\`--data longmemeval_s.json\` repeats it on files that others publish. Settings are ours as well: what was fed in, and where a system has no
ranking or finds nothing for a whole question, how its answers were put in order. Systems with a language model or a downloaded embedder do
better than they do here. Disk is everything a system wrote, for Mneme with history and journal. A program that is started for
each search says so; the others were asked in a running process.
`;
}

function show(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(2);
}
