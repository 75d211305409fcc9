import type { Contradiction } from '../../memory/graph/contradictions.ts';
import type { ContradictionReport } from './contradictions.ts';
import type { DuplicateReport } from './duplicates.ts';
import type { GraphExport } from './export.ts';
import type { Inferred } from './infer.ts';
import type { EntityList } from './list.ts';
import type { EntityName } from './open-graph.ts';
import type { QueryResult } from './query.ts';
import type { ShownEntity, ShownFact, ShownRelation } from './show.ts';
import type { Timeline } from './timeline.ts';
import type { FoundPath, Neighbours, ShownStep } from './walk.ts';
import { countOf } from '../command-line/plain.ts';
import { type Style, type View, table } from '../command-line/style.ts';

export function renderEntity({ style }: View, shown: ShownEntity): string {
  const { entity, aliases, status, properties, summary, facts, formerly, mentions, questions, findings } = shown;
  const about = [entity.type, status, aliases.length === 0 ? null : `also ${aliases.join(', ')}`];
  const isOpen = ({ status: state }: ShownEntity['tasks'][number]): boolean => state !== 'done' && state !== 'dropped';
  const parts: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['', summary === '' ? [] : [summary]],
    ['Now', facts.filter(({ holds }) => holds).map((fact) => factLine(style, fact))],
    ['Formerly', formerly.map((each) => formerLine(style, each))],
    ['Open tasks', shown.tasks.filter(isOpen).map((task) => taskLine(style, task))],
    ['Relations', shown.relations.filter(({ holds }) => holds).map((relation) => relationLine(style, relation))],
    [
      'Last mentioned',
      mentions.map(({ date, session, turn, text }) => `${date} ${text} ${style.dim(`${session}#${turn}`)}`),
    ],
    ['Decisions', shown.decisions.map((decision) => decisionLine(style, decision))],
    ['Done', shown.tasks.filter((task) => !isOpen(task)).map((task) => taskLine(style, task))],
    ['Open questions', questions.map(({ id, text }) => `${text}${idOf(style, id)}`)],
    ['To look at', findings.map((finding) => findingLine(style, finding))],
  ];
  const lines = [
    `${style.bold(entity.name)} ${style.dim(entity.id)}`,
    style.dim(about.filter((part) => part !== null).join(' · ')),
    ...Object.entries(properties).map(([name, value]) => `  ${style.cyan(name)} ${showValue(value)}`),
    ...parts.flatMap(([title, each]) => section(style, title, each)),
    style.dim(entity.path),
  ];
  return `${lines.join('\n')}\n`;
}

function formerLine(style: Style, { text, from, until }: ShownEntity['formerly'][number]): string {
  const span = [from ?? '', until ?? ''].join(' – ').trim();
  return span === '–' ? text : `${text} ${style.dim(span)}`;
}

function taskLine(style: Style, { id, text, status, due }: ShownEntity['tasks'][number]): string {
  return `${status.padEnd(7)} ${text}${due === null ? '' : ` (due ${due})`}${idOf(style, id)}`;
}

function decisionLine(style: Style, { id, text, date, rationale, status }: ShownEntity['decisions'][number]): string {
  const parts = [date, text, status === 'active' ? null : `[${status}]`, rationale === null ? null : `— ${rationale}`];
  return parts.filter((part) => part !== null).join(' ') + idOf(style, id);
}

function section(style: Style, title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return [
    '',
    ...(title === '' ? [] : [style.bold(title)]),
    ...lines.map((line) => `  ${line}`),
    ...(title === 'To look at' ? [''] : []),
  ];
}

function idOf(style: Style, id: string | null): string {
  return id === null ? '' : ` ${style.dim(`^${id}`)}`;
}

function factLine(style: Style, fact: ShownFact): string {
  const marks = [
    fact.from === null ? null : `since ${fact.from}`,
    fact.until === null ? null : `until ${fact.until}`,
    fact.source === 'inferred' ? `inferred from ${fact.premises.map((id) => `^${id}`).join(', ')}` : null,
    fact.verified === 0 ? null : `confirmed ×${fact.verified}`,
    fact.trust === 'user' ? null : fact.trust,
    ...fact.contradictedBy.map(({ proposal, actor }) => `contradicted by proposal ${proposal} of ${actor}`),
  ].filter((mark) => mark !== null);
  return `${fact.text}${marks.length === 0 ? '' : style.dim(`  ${marks.join(' · ')}`)}${idOf(style, fact.id)}`;
}

function relationLine(style: Style, relation: ShownRelation): string {
  const { direction, other, since, until, isInferred } = relation;
  const arrow = direction === 'in' && relation.relation === null ? `← ${relation.written}` : (relation.relation ?? '');
  const marks = [
    since === null ? null : `since ${since}`,
    until === null ? null : `until ${until}`,
    isInferred ? 'inferred' : null,
  ].filter((mark) => mark !== null);
  return `${style.cyan(arrow)} ${other.name} ${style.dim([other.id, ...marks].join(' · '))}${idOf(style, relation.id)}`;
}

function showValue(value: unknown): string {
  return Array.isArray(value)
    ? value.map(String).join(', ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
}

export function findingLine(style: Style, { kind, message, hint, path, line }: Contradiction): string {
  return `${style.yellow(kind)} ${message}\n    ${style.dim(`${path}:${line} — ${hint}`)}`;
}

export function renderList({ style }: View, { entities, total, facts, relations }: EntityList): string {
  if (total === 0) return 'Nobody and nothing is known yet: `mneme graph add NAME --type person` begins.\n';
  const rows = entities.map(({ type, name, id, status, relations: links, damage }) => [
    style.cyan(type),
    style.bold(name),
    style.dim(id),
    [status, links === 0 ? null : countOf(links, 'relation'), damage === null ? null : style.red('damaged')]
      .filter((part) => part !== null)
      .join(' · '),
  ]);
  const more = total > entities.length ? ` (${entities.length} shown; --limit shows more)` : '';
  return `${table(rows)}${style.dim(`${countOf(total, 'entity', 'entities')}${more}, ${countOf(facts, 'fact')}, ${countOf(relations, 'relation')} in all`)}\n`;
}

export function renderNeighbours({ style }: View, { entity, neighbours, links, isCut }: Neighbours): string {
  if (neighbours.length === 0) return `${entity.name} is connected with nobody and nothing.\n`;
  const lines = links.map((step) => `  ${stepText(style, step)}`);
  const cut = isCut ? style.dim('There is more than was followed; --limit and --depth show more.\n') : '';
  return `${style.bold(entity.name)}: ${countOf(neighbours.length, 'neighbour')}\n${lines.join('\n')}\n${cut}`;
}

function stepText(style: Style, { from, relation, written, to, since, until, isInferred }: ShownStep): string {
  const word = relation === null ? `← ${written} —` : `— ${relation} →`;
  const marks = [
    since === null ? null : `since ${since}`,
    until === null ? null : `until ${until}`,
    isInferred ? 'inferred' : null,
  ];
  const told = marks.filter((mark) => mark !== null).join(' · ');
  return `${from.name} ${style.cyan(word)} ${to.name}${told === '' ? '' : style.dim(`  ${told}`)}`;
}

export function renderPath({ style }: View, { from, to, steps }: FoundPath): string {
  if (steps === null) return `Nothing connects ${from.name} and ${to.name}.\n`;
  if (steps.length === 0) return `${from.name} is ${to.name}.\n`;
  return `${steps.map((step) => stepText(style, step)).join('\n')}\n${style.dim(countOf(steps.length, 'step'))}\n`;
}

export function renderTimeline({ style }: View, { entity, entries }: Timeline): string {
  if (entries.length === 0) return `Nothing of ${entity.name} is dated.\n`;
  const rows = entries.map(({ date, kind, text, id }) => [date, style.cyan(kind), `${text}${idOf(style, id ?? null)}`]);
  return `${style.bold(entity.name)}\n${table(rows, '  ')}`;
}

export function renderQuery({ style }: View, { entities, relations, isCut, notes }: QueryResult): string {
  if (entities.length === 0 && relations.length === 0) return 'Nothing in the graph matches.\n';
  const found = entities.map(({ name, id, type, score, by, matched }) => [
    score.toFixed(2),
    style.bold(name),
    style.dim(`${type} ${id}`),
    by === 'name' ? style.dim(`called ${matched}`) : oneLine(matched),
  ]);
  const edges = relations.map(({ from, relation, to, since, until }) => [
    from.name,
    style.cyan(relation),
    to.name,
    style.dim([since, until].filter((part) => part !== null).join(' … ')),
  ]);
  const cut = isCut ? style.dim('There are more; --limit shows them.\n') : '';
  return `${table(found)}${table(edges)}${cut}${notes.map((note) => `${style.yellow('note')} ${note}\n`).join('')}`;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ');
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}

export function named(style: Style, { name, id }: EntityName): string {
  return `${style.bold(name)} ${style.dim(id)}`;
}

export function renderInferred({ style }: View, { relations, facts, isCut, mutation, notes }: Inferred): string {
  const lines = [
    ...relations.flatMap(({ from, relation, to, premises, rule }) => [
      `${from.name} ${style.cyan(relation)} ${to.name}  ${style.dim(rule)}`,
      ...premises.map(({ text, id }) => `    ${style.dim(`because ${text} ^${id}`)}`),
    ]),
    ...facts.flatMap(({ text, confidence, premises }) => [
      `${text}  ${style.dim(confidence)}`,
      `    ${style.dim(`because of ${premises.map((id) => `^${id}`).join(', ')}`)}`,
    ]),
    ...(relations.length + facts.length === 0 ? ['Nothing follows that is not written down already.'] : []),
    ...(isCut ? [style.dim('There is more; --limit shows it.')] : []),
    ...(mutation === null
      ? []
      : [`${style.green('Kept')} as inferred; ${style.dim(`undo: mneme rollback ${mutation}`)}`]),
    ...notes.map((note) => `${style.yellow('note')} ${note}`),
  ];
  return `${lines.join('\n')}\n`;
}

export function renderContradictions({ style }: View, { contradictions, entities }: ContradictionReport): string {
  if (contradictions.length === 0)
    return `${style.green('Nothing contradicts')} anything in ${countOf(entities, 'entity', 'entities')}.\n`;
  return `${contradictions.map((finding) => findingLine(style, finding)).join('\n')}\n${countOf(contradictions.length, 'finding')}\n`;
}

export function renderDuplicates({ style }: View, { pairs, compared, isCut }: DuplicateReport): string {
  if (pairs.length === 0) return `Nobody is there twice among ${countOf(compared, 'likely pair')}.\n`;
  const lines = pairs.map(({ a, b, score, verdict, reasons, proposal }) => {
    const filed = proposal === null ? '' : `\n    ${style.dim(`proposal ${proposal}`)}`;
    const word = verdict === 'same' ? style.green('the same') : style.yellow('perhaps the same');
    return `${score.toFixed(2)} ${word}: ${named(style, a)} and ${named(style, b)}\n    ${style.dim(reasons.join('; '))}${filed}`;
  });
  const cut = isCut ? style.dim('There are more; --limit shows them.\n') : '';
  return `${lines.join('\n')}\n${cut}${style.dim('merge: mneme graph merge A B, or --propose')}\n`;
}

export function renderExport(_view: View, { text, entities, relations, writtenTo }: GraphExport): string {
  if (writtenTo === undefined) return text;
  return `Wrote ${countOf(entities, 'entity', 'entities')} and ${countOf(relations, 'relation')} to ${writtenTo}.\n`;
}
