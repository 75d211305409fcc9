import type { Hit } from '../../src/retrieve/hit.ts';
import type { Label, SampleSession } from '../extract/sample.ts';

/** A label that later labels may take back. */
interface OpenLabel extends Label {
  readonly retracts?: string;
}

const KINDS = ['decision', 'preference', 'task'] as const;

/** What must survive: required decisions and preferences, and tasks that nothing later takes back or reports done. */
export function asked(sessions: readonly SampleSession[]): (readonly [SampleSession, Label])[] {
  const labels = sessions.flatMap((session) => session.items.map((label) => [session, label as OpenLabel] as const));
  const retracted = new Set(labels.flatMap(([, { retracts }]) => retracts ?? []));
  return labels.filter(
    ([, { kind, key, optional }]) =>
      optional !== true && KINDS.some((each) => each === kind) && !(kind === 'task' && retracted.has(key)),
  );
}

/**
 * The label's sentence as somebody would ask it who has forgotten the answer. The judge's words come in groups, of which the
 * first ones usually name the matter and the last one what was said of it. `natural` leaves out the words of the last group;
 * `blind` those of all groups, the matter's own name among them. Where next to nothing is left, the label's key is asked.
 */
export function questionOf({ statement, must, key }: Label, form: 'natural' | 'blind'): string {
  const groups = form === 'natural' ? must.slice(-1) : must;
  const answers = groups.flat().map((answer) => answer.trim().toLowerCase());
  const withoutPhrases = answers
    .filter((answer) => /\s/u.test(answer))
    .reduce((text, answer) => text.replaceAll(answer, ' '), statement.toLowerCase());
  const left = withoutPhrases
    .split(/[^\p{L}\p{N}'-]+/u)
    .filter((word) => word.length > 1 && !answers.some((answer) => word.includes(answer)));
  return left.length >= MIN_WORDS ? left.join(' ') : key.replaceAll('-', ' ');
}

const MIN_WORDS = 4;

/** Whether one text tells all of it. */
export function tells(text: string, { must }: Label): boolean {
  const said = text.toLowerCase();
  return must.every((group) => group.some((word) => said.includes(word.toLowerCase())));
}

/** Whether one of the hits tells it, from a session that says so: the same words elsewhere are another matter. */
export function isAmongHits(hits: readonly Hit[], label: Label, sessions: ReadonlySet<string>): boolean {
  return hits.some(({ text, provenance: { session } }) => tells(text, label) && sessions.has(session ?? ''));
}
