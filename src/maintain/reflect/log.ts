import type { Proposal, ProposedChange } from '../../proposals/proposal.ts';
import { oneLine } from '../../model/text.ts';

export const REFLECTION_LOG = 'memory/meta/reflection-log.md';
export const REFLECTION_KIND = 'reflection';

export type ReflectionOutcome = 'approved' | 'partly approved' | 'rejected' | 'withdrawn' | 'waiting';

/** A reflection of the past, as the log tells it. */
export interface PastReflection {
  readonly number: number;
  readonly date: string;
  readonly outcome: ReflectionOutcome;
  readonly themes: readonly string[];
  readonly questions: readonly string[];
  /** Words that the person left out of it, or the reason for its rejection. */
  readonly reason: string | undefined;
}

/** `r-005`: what the history and `rollback --session` know a reflection by. */
export function reflectionName(number: number): string {
  return `r-${String(number).padStart(3, '0')}`;
}

export function numberOfReflection({ session }: Pick<Proposal, 'session'>): number {
  return Number(/^r-(\d+)$/u.exec(session ?? '')?.[1] ?? 0);
}

const TITLE = '# Reflection Log\n\nEvery reflection that was decided on, oldest first.\n';
const HEADING =
  /^## Reflection #(\d+) — (\d{4}-\d{2}-\d{2}) \| (approved|partly approved|rejected|withdrawn|waiting)$/u;

export function parseReflectionLog(text: string): PastReflection[] {
  return text.split(/^(?=## )/mu).flatMap((section): PastReflection[] => {
    const lines = section.split(/\r?\n/u);
    const heading = HEADING.exec(lines[0] ?? '');
    if (heading === null) return [];
    const find = (name: string): string | undefined =>
      lines.find((line) => line.startsWith(`- ${name}: `))?.slice(name.length + 4);
    return [
      {
        number: Number(heading[1]),
        date: heading[2] ?? '',
        outcome: (heading[3] ?? 'waiting') as ReflectionOutcome,
        themes: (find('themes') ?? '').split(', ').filter((theme) => theme !== ''),
        questions: lines.flatMap((line) =>
          line.startsWith('- question: ') ? [line.slice('- question: '.length)] : [],
        ),
        reason: find('reason'),
      },
    ];
  });
}

/** The log with these reflections as they stand now. What a person wrote between the entries stays. */
export function updateReflectionLog(current: string | undefined, proposals: readonly Proposal[]): string {
  const sections = (current ?? TITLE).split(/^(?=## )/mu);
  const places = new Map<string, number>();
  for (const [place, section] of sections.entries()) {
    const number = /^## Reflection #(\d+) — /u.exec(section)?.[1];
    if (number !== undefined && !places.has(number)) places.set(number, place);
  }
  for (const proposal of proposals) {
    const entry = `${renderEntry(proposal)}\n`;
    const place = places.get(String(numberOfReflection(proposal)));
    if (place === undefined) sections.push(`${sections.pop()?.trimEnd() ?? ''}\n\n`, entry);
    else sections[place] = entry;
  }
  return `${sections.join('').trimEnd()}\n`;
}

function renderEntry(proposal: Proposal): string {
  const of = (state: ProposedChange['state']): string =>
    proposal.changes
      .filter((change) => change.state === state)
      .map(({ path }) => path)
      .join(', ');
  const line = (name: string, value: string): string[] => (value === '' ? [] : [`- ${name}: ${oneLine(value)}`]);
  const isRejected = proposal.state === 'rejected';
  return [
    `## Reflection #${numberOfReflection(proposal)} — ${proposal.created.slice(0, 10)} | ${outcomeOf(proposal)}`,
    '',
    ...line('proposal', proposal.id),
    ...line('looked at', footerOf(proposal.why, 'Memories processed') ?? ''),
    ...line('applied', of('applied')),
    ...line(
      'declined',
      isRejected ? [of('waiting'), of('rejected')].filter((each) => each !== '').join(', ') : of('rejected'),
    ),
    ...line('waiting', isRejected ? '' : of('waiting')),
    ...line('reason', proposal.reason ?? ''),
    ...line('themes', footerOf(proposal.why, 'Themes') ?? ''),
    ...questionsIn(proposal.why).flatMap((question) => line('question', question)),
    '',
  ].join('\n');
}

export function outcomeOf({ state, changes }: Proposal): ReflectionOutcome {
  const applied = changes.filter((change) => change.state === 'applied').length;
  if (applied === changes.length) return 'approved';
  if (applied > 0) return 'partly approved';
  if (state === 'rejected' || state === 'withdrawn') return state;
  return 'waiting';
}

/** `**Themes**: a, b` at the end of a reflection's words. */
function footerOf(why: string, name: string): string | undefined {
  return why
    .split('\n')
    .find((line) => line.startsWith(`**${name}**: `))
    ?.slice(name.length + 6);
}

export const QUESTIONS_TITLE = '❓ Questions for You';

function questionsIn(why: string): string[] {
  const [, after = ''] = why.split(`**${QUESTIONS_TITLE}**`);
  const [own = ''] = after.split(/^\*\*/mu);
  return own.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
}
