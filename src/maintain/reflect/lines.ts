import { type Proposal } from '../../proposals/proposal.ts';
import { isOpen } from '../../proposals/state.ts';
import { containment, stemsOf } from '../../reasoner/heuristic/text/words.ts';
import type { Entity } from '../../workspace/formats/entity.ts';
import { REFLECTION_KIND } from './log.ts';
import type { Promotion } from './promotions.ts';
import type { CoreLine } from './rewrite-core.ts';
import { inWords, isReadable, saidWhen } from './said-when.ts';
import { learnedOf, type Survey } from './survey.ts';

/** `Persona: “Never deploy on Fridays.” — said 3 March (s2#t3)` */
export function describePromotion({ block, text, said }: Promotion): string {
  const days = said.map(inWords).filter((each) => each !== '');
  const times = days.length < 2 ? 'said' : `said ${days.length} times:`;
  return `${block}: “${text}”${days.length === 0 ? '' : ` — ${times} ${days.join(', ')}`}`;
}

/** Tells whether a line, or what it says of somebody, stood on no page that a person has decided on: it is told once. */
export function notShownBefore(proposals: readonly Proposal[]): (line: string) => boolean {
  const shown = proposals
    .filter(({ kind, state }) => kind === REFLECTION_KIND && !isOpen(state) && state !== 'withdrawn')
    .map(({ why }) => why)
    .join('\n');
  return (line) => !shown.includes(line.replace(/^(?:\d+ · )?(?:\p{Lu}[^:]{0,40}: )?/u, '').slice(0, SHOWN_CHARS));
}

/** A page cuts longer lines. */
const SHOWN_CHARS = 150;

const SAME_MATTER = 0.8;

/** Other new statements: neither proposed for core memory nor repeated in another line. */
export function withoutRepetitions(survey: Survey, added: readonly CoreLine<Promotion>[]): string[] {
  const told = added.map(({ said }) => stemsOf(said.text));
  const lines: string[] = [];
  for (const { name, text } of learnedOf(survey)) {
    const stems = stemsOf(text);
    if (!isReadable(text) || told.some((other) => containment(stems, other) >= SAME_MATTER)) continue;
    told.push(stems);
    lines.push(text.startsWith(name) ? text : `${name}: ${text}`);
  }
  return lines;
}

/** Superseded beliefs and decisions, with their replacements. */
export function changesIn({ entities, since }: Survey): string[] {
  return entities
    .filter(({ isChanged }) => isChanged)
    .flatMap(({ record, entity }) => {
      const facts = entity.facts
        .filter(({ isSuperseded, meta }) => isSuperseded && (meta.until ?? '') >= since && meta.until !== undefined)
        .map((fact) => describeEnd(record.name, fact, entity));
      const decisions = entity.decisions.flatMap(({ text, ended }) =>
        ended !== undefined && ended >= since ? [`${record.name}: decided no longer: “${text}” (${ended})`] : [],
      );
      return facts.concat(decisions);
    });
}

function describeEnd(name: string, fact: Entity['facts'][number], { facts }: Entity): string {
  const next = facts.find(({ id }) => id !== undefined && id === fact.meta.superseded_by);
  if (next === undefined) return `${name}: no longer “${fact.text}” (since ${fact.meta.until ?? ''})`;
  return `${name}: “${fact.text}” became “${next.text}” — said ${saidWhen(next)}`;
}

/** True for a full date: a task due in a month is not over on its first day. */
function isDay(due: string | undefined): due is string {
  return due?.length === '2026-01-01'.length;
}

/** More questions than these nobody answers. */
const MAX_OVERDUE = 3;

/** Tasks whose day is over and that nobody closed. */
export function overdueQuestions({ entities, today }: Survey): string[] {
  return entities
    .flatMap(({ entity }) => entity.tasks)
    .filter(
      ({ status, meta, text }) =>
        status !== 'done' && status !== 'dropped' && isDay(meta.due) && meta.due < today && isReadable(text),
    )
    .toSorted((one, other) => (other.meta.due ?? '').localeCompare(one.meta.due ?? ''))
    .slice(0, MAX_OVERDUE)
    .map(({ text, meta }) => `“${text}” was due on ${inWords({ day: meta.due ?? '', turn: '' })}. Is it done?`);
}
