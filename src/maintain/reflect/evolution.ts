import { recurring, type Insights } from './meta-reflection.ts';
import type { PastReflection } from './log.ts';

export const EVOLUTION_FILE = 'memory/meta/evolution.md';

const TITLE = '# Evolution\n\nHow the understanding grew, reflection by reflection; changed only with approval.\n';
const REFLECTION_HEADING = /^## Reflection #(\d+) — /u;
/** From the second milestone on, single reflections before the newest few are told by the milestone alone. */
const KEPT_SINGLE = 5;

export interface EvolutionStep {
  readonly number: number;
  readonly today: string;
  readonly insights: Insights;
  readonly past: readonly PastReflection[];
  readonly milestones: readonly number[];
}

/** evolution.md with what this reflection adds; at a milestone also with what all of them together tell. */
export function evolve(current: string | undefined, step: EvolutionStep): string {
  const { number, today, insights } = step;
  const position = step.milestones.toSorted((one, other) => one - other).indexOf(number);
  const before = position > 0 ? withoutSingle(current ?? TITLE, number - KEPT_SINGLE) : (current ?? TITLE);
  const own = [
    `## Reflection #${number} — ${today}`,
    '',
    `- Learning: ${insights.learning}`,
    `- Understanding: ${insights.understanding}`,
    ...(insights.theme === undefined ? [] : [`- Theme: ${insights.theme}`]),
  ];
  const milestone = position === -1 ? [] : ['', ...tellMilestone(step)];
  return `${[before.trimEnd(), '', ...own, ...milestone].join('\n')}\n`;
}

function withoutSingle(text: string, before: number): string {
  return text
    .split(/^(?=## )/mu)
    .filter((section) => Number(REFLECTION_HEADING.exec(section)?.[1] ?? Infinity) >= before)
    .join('');
}

function tellMilestone({ number, today, insights, past }: EvolutionStep): string[] {
  const themes = recurring([...past.flatMap((each) => each.themes), ...insights.themes]).slice(0, 5);
  const count = (outcome: PastReflection['outcome']): number => past.filter((each) => each.outcome === outcome).length;
  const often = themes.filter(([, times]) => times > 1).map(([theme]) => theme);
  const taken = `Of ${past.length} pages you took ${count('approved')} as they were and a part of ${count('partly approved')}; ${count('rejected')} you turned down.`;
  return [
    `## Milestone: ${number} reflections — ${today}`,
    '',
    `- ${taken}`,
    ...(often.length === 0 ? [] : [`- What kept coming back: ${often.join(', ')}.`]),
    ...(insights.persistent.length === 0 ? [] : [`- Questions that stayed open: ${insights.persistent.join('; ')}`]),
  ];
}
