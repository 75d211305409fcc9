import type { Proposal } from '../../proposals/proposal.ts';
import { isOpen } from '../../proposals/state.ts';

export interface WeekFigures {
  /** `2026-W07` */
  readonly week: string;
  /** Each day with its entries and conversations. */
  readonly days: readonly { readonly date: string; readonly entries: number; readonly conversations: number }[];
  readonly core: { readonly tokens: number; readonly maxTokens: number };
  /** As the report of the week before has it. */
  readonly coreBefore: number | undefined;
  readonly proposals: readonly Proposal[];
}

export function reportPath(week: string): string {
  return `memory/meta/reports/${week}.md`;
}

const CORE_LINE = /^- core memory: (\d+) of /mu;

/** The size of core memory when a report was written. */
export function coreTokensIn(report: string): number | undefined {
  const tokens = CORE_LINE.exec(report)?.[1];
  return tokens === undefined ? undefined : Number(tokens);
}

/** A week in figures: whether capturing works, whether core memory grows, which changes needed a person. */
export function renderWeekReport({ week, days, core, coreBefore, proposals }: WeekFigures): string {
  const entries = days.reduce((sum, day) => sum + day.entries, 0);
  const [first, last] = [days[0]?.date ?? '', days.at(-1)?.date ?? ''];
  const isOfWeek = (time: string | undefined): boolean =>
    time !== undefined && time.slice(0, 10) >= first && time.slice(0, 10) <= last;
  const decided = (state: Proposal['state']): number =>
    proposals.filter((proposal) => proposal.state === state && isOfWeek(proposal.decided)).length;
  const grown = coreBefore === undefined ? '' : ` (${signed(core.tokens - coreBefore)} since the last report)`;
  return `${[
    `# Report — ${week}`,
    '',
    '<!-- Made by mneme; it is written anew with the week. -->',
    '',
    '| day | entries | conversations |',
    '|---|---|---|',
    ...days.map((day) => `| ${day.date} | ${day.entries} | ${day.conversations} |`),
    '',
    `- captures per day: ${(entries / Math.max(1, days.length)).toFixed(1)}`,
    `- core memory: ${core.tokens} of ${core.maxTokens} tokens${grown}`,
    `- proposals made: ${proposals.filter(({ created }) => isOfWeek(created)).length}`,
    `- proposals approved: ${decided('applied')}, rejected: ${decided('rejected')}, withdrawn: ${decided('withdrawn')}`,
    `- proposals that wait: ${proposals.filter(({ state }) => isOpen(state)).length}`,
  ].join('\n')}\n`;
}

function signed(value: number): string {
  return value < 0 ? `−${-value}` : `+${value}`;
}
