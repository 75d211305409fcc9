import type { PastReflection } from './log.ts';
import { counted } from '../../model/text.ts';
import { inWords } from './said-when.ts';
import { learnedOf, revisedOf, themesOf, type Survey } from './survey.ts';

/** Insights from all reflections so far. */
export interface Insights {
  /** Section "What I've Learned About Learning". */
  readonly learning: string;
  /** Evolving Understanding. */
  readonly understanding: string;
  /** Emergent Theme; undefined while nothing recurs. */
  readonly theme: string | undefined;
  readonly themes: readonly string[];
  /** Questions that were asked at least three times and are still open. */
  readonly persistent: readonly string[];
}

const RECENT = 5;
const RECURS = 3;

export function reflectOnPast(survey: Survey): Insights {
  const { past } = survey;
  const themes = themesOf(survey);
  return {
    learning: aboutLearning(past),
    understanding: aboutUnderstanding(survey),
    theme: aboutTheme(past, themes),
    themes,
    persistent: recurring(past.flatMap(({ questions }) => questions))
      .filter(([, times]) => times >= RECURS)
      .map(([question]) => question),
  };
}

function aboutLearning(past: readonly PastReflection[]): string {
  const decided = past.filter(({ outcome }) => outcome !== 'withdrawn' && outcome !== 'waiting');
  const last = decided.at(-1);
  if (last === undefined) return 'This is our first look back; from the next one on there is something to compare.';
  const said = last.reason === undefined ? '' : ` You said: “${last.reason}”.`;
  const taken = decided.filter(({ outcome }) => outcome === 'approved').length;
  const before =
    decided.length === 1 ? '' : ` ${share(taken, decided.length)} of the pages so far you took as they were.`;
  return `${LAST[last.outcome]}${said}${before}`;
}

const LAST: Readonly<Record<PastReflection['outcome'], string>> = {
  approved: 'You took the last page as it was.',
  'partly approved': 'Of the last page you took a part; the rest is not proposed again.',
  rejected: 'You turned the last page down, and none of it is proposed again.',
  withdrawn: '',
  waiting: '',
};

function share(part: number, whole: number): string {
  if (part === whole) return 'All';
  if (part === 0) return 'None';
  return `${part} of ${whole}`;
}

/** Describes new and changed knowledge since the person's last review. */
function aboutUnderstanding(survey: Survey): string {
  const learned = learnedOf(survey);
  const [first, ...others] = revisedOf(survey);
  const counts = recurring(learned.map(({ name }) => name)).slice(0, 3);
  const since = survey.since === '' ? 'So far' : `Since ${inWords({ day: survey.since, turn: '' })}`;
  const names = counts.map(([name, times]) => `${name} (${times})`).join(', ');
  const grew = learned.length === 0 ? `${since} I learned nothing new.` : `${since} I learned most about ${names}.`;
  if (first === undefined) return `${grew} Nothing that I believed turned out wrong.`;
  const more = others.length === 0 ? '' : `, and ${counted(others.length, 'more thing')}`;
  return `${grew} Then I believed “${first.text}”${more}; that is over now.`;
}

function aboutTheme(past: readonly PastReflection[], themes: readonly string[]): string | undefined {
  const recent = past.slice(-(RECENT - 1));
  const counted = recurring([...recent.flatMap((each) => each.themes), ...themes]);
  const top = counted.find(([theme, times]) => times >= RECURS && themes.includes(theme));
  return top === undefined
    ? undefined
    : `${top[0]} has been on your mind: on ${top[1]} of the last ${recent.length + 1} pages.`;
}

/** Each with how often it is there, the most frequent first. */
export function recurring(words: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].toSorted(([one, few], [other, many]) => many - few || one.localeCompare(other));
}

export const EVOLUTION_FILE = 'memory/meta/evolution.md';

const TITLE = '# Evolution\n\nHow the understanding grew, reflection by reflection; changed only with approval.\n';
const REFLECTION_HEADING = /^## Reflection #(\d+) — /u;
/** From the second milestone on, single reflections before the newest few are told by the milestone alone. */
const KEPT_SINGLE = 5;

interface EvolutionStep {
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
