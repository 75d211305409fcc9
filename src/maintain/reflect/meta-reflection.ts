import type { PastReflection } from './log.ts';
import { learnedOf, revisedOf, themesOf, type Survey } from './survey.ts';

/** What the reflections so far, seen together, tell. */
export interface Insights {
  /** What I've Learned About Learning. */
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
  if (decided.length === 0)
    return 'This is the first reflection anybody decides on; there is nothing to compare it with yet.';
  const approved = decided.filter(({ outcome }) => outcome === 'approved').length;
  const reasons = decided.flatMap(({ reason }) => reason ?? []).slice(-2);
  const said = reasons.length === 0 ? '' : ` You said: ${reasons.map((reason) => `“${reason}”`).join(', ')}.`;
  return `Reflections decided so far: ${decided.length}, approved as they were: ${approved}.${said} What was declined is not proposed again.`;
}

function aboutUnderstanding(survey: Survey): string {
  const learned = learnedOf(survey);
  const revised = revisedOf(survey);
  const names = [...new Set(learned.map(({ name }) => name))].slice(0, 4);
  const grew =
    learned.length === 0
      ? 'No fact is new.'
      : `${learned.length === 1 ? '1 fact is' : `${learned.length} facts are`} new, about ${names.join(', ')}.`;
  const [first] = revised;
  if (first === undefined) return `${grew} Nothing that was believed had to be revised.`;
  return `${grew} What was believed and no longer holds: ${revised.length}, such as “${first.text}”`;
}

function aboutTheme(past: readonly PastReflection[], themes: readonly string[]): string | undefined {
  const recent = past.slice(-(RECENT - 1));
  const counted = recurring([...recent.flatMap((each) => each.themes), ...themes]);
  const top = counted.find(([theme, times]) => times >= RECURS && themes.includes(theme));
  return top === undefined
    ? undefined
    : `${top[0]} has come up in ${top[1]} of the last ${recent.length + 1} reflections.`;
}

/** Each with how often it is there, the most frequent first. */
export function recurring(words: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].toSorted(([one, few], [other, many]) => many - few || one.localeCompare(other));
}
