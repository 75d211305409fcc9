import type { FadingList } from './fading.ts';
import type { DecayExplained, FadingExplained } from './explain.ts';
import type { DecayRun } from './run.ts';
import type { DecayStatusReport } from './status.ts';
import { plainLine } from '../command-line/plain.ts';
import { type View, showTime, table } from '../command-line/style.ts';
import { counted } from '../../model/text.ts';

const MAX_SHOWN = 20;

/** Why it is as fresh as it is, in a line; '' where there is nothing to say. */
export function whyFading({ timeZone }: View, { parts, keeps, becomes }: FadingExplained): string {
  if (parts === null) return keeps === null ? '' : `does not fade: ${keeps}`;
  const { base, faded, habit, typeWeight, daysSinceAccess } = parts;
  const days = counted(Math.floor(daysSinceAccess), 'day');
  const [next] = becomes;
  const then = next === undefined ? '' : `; ${next.status} from ${showTime(Date.parse(next.at), timeZone)}`;
  return `base ${base} × ${faded.toFixed(3)} after ${days} × use ${habit.toFixed(2)} × store ${typeWeight}${then}`;
}

export function renderDecayStatus({ style }: View, report: DecayStatusReport): string {
  const { stores, total, used, candidates, doubtful, proposal } = report;
  if (stores.length === 0) return `${style.dim('Nothing is remembered yet.')}\n`;
  const row = (name: string, counts: DecayStatusReport['total'], pinned: string): string[] => [
    name,
    ...[counts.active, counts.fading, counts.dormant, counts.faint].map(String),
    pinned,
  ];
  const all = stores.reduce((sum, { pinned }) => sum + pinned, 0);
  const lines = [
    table([
      ['', 'active', 'fading', 'dormant', 'faint', 'pinned'].map((word) => style.dim(word)),
      ...stores.map((counts) => row(counts.store, counts, String(counts.pinned))),
      row('all', total, String(all)),
    ]).trimEnd(),
    '',
    `${counted(used, 'memory', 'memories')} used so far. What has faded ranks lower; it is still found and injected.`,
    ...(report.enabled ? [] : [style.yellow('decay.lambda_per_day is 0: nothing fades.')]),
    ...(candidates === 0
      ? []
      : [`${counted(candidates, 'memory', 'memories')} could be archived: mneme memory decay run --dry-run`]),
    ...(proposal === null ? [] : [`A proposal waits: mneme proposals show ${proposal}`]),
    ...doubtful.map(({ id, text }) => `${style.yellow('doubtful')} ${style.dim(id)} ${plainLine(text)}`),
  ];
  return `${lines.join('\n')}\n`;
}

export function renderFadingNext({ style, timeZone }: View, { memories }: FadingList): string {
  if (memories.length === 0) return `${style.dim('Nothing will fade: there is nothing, or it is pinned.')}\n`;
  const lines = memories.flatMap(({ id, path, text, status, dormantFrom }) => [
    `- ${plainLine(text)}`,
    style.dim(`  ${status}, dormant from ${showTime(Date.parse(dormantFrom), timeZone)} · ${path} · ${id}`),
  ]);
  return `${lines.join('\n')}\n\n${style.dim('mneme memory pin ID keeps one from fading.')}\n`;
}

export function renderDecayRun({ style }: View, run: DecayRun): string {
  const shown = run.candidates
    .slice(0, MAX_SHOWN)
    .flatMap(({ text, path, status, reason }) => [
      `- ${plainLine(text)}`,
      style.dim(`  ${path} · ${status} · ${reason}`),
    ]);
  const more = run.candidates.length - MAX_SHOWN;
  const lines = [
    ...shown,
    ...(more > 0 ? [style.dim(`… and ${more} more`)] : []),
    `${counted(run.memories, 'memory', 'memories')} looked at; ${run.transitions} changed status since the last run.`,
    outcomeOf({ style }, run),
  ];
  return `${lines.join('\n')}\n`;
}

function outcomeOf(
  { style }: Pick<View, 'style'>,
  { outcome, proposal, count, mutation, candidates }: DecayRun,
): string {
  const what = counted(count, 'memory', 'memories');
  const id = proposal ?? '';
  if (outcome === 'archived') return `${style.green('Archived')} ${what}; undo: mneme rollback ${mutation ?? ''}`;
  if (outcome === 'proposed') {
    return `${style.green('Proposed')} to archive ${what}: mneme proposals show ${id}, then mneme approve ${id} or mneme reject ${id}`;
  }
  if (outcome === 'waiting')
    return `A proposal about ${what} waits already, so none was added: mneme proposals show ${id}`;
  if (outcome === 'dry-run' && candidates.length > 0) {
    return style.dim('Nothing was changed. `mneme memory decay run` proposes to archive them; a person decides.');
  }
  return 'Nothing is to be archived.';
}

export function renderExplained(view: View, explained: DecayExplained): string {
  const { style, timeZone } = view;
  const { fading, gc, kept, wouldArchive } = explained;
  const used =
    fading.lastUse === null
      ? 'never'
      : `${counted(fading.uses, 'time')}, last ${showTime(Date.parse(fading.lastUse), timeZone)}`;
  const share = (value: number): string => value.toFixed(2);
  const rows: [string, string][] = [
    ['where', explained.path],
    ['status', `${fading.status}, relevance ${fading.relevance.toFixed(3)}`],
    ['because', whyFading(view, fading)],
    ['used', used],
    ['becomes', fading.becomes.map(({ status, at }) => `${status} ${at.slice(0, 10)}`).join(', ')],
    [
      'worth keeping',
      `${share(gc.score)} (recency ${share(gc.recency)}, use ${share(gc.access)}, importance ${share(gc.importance)})`,
    ],
    ['age', ageOf(explained)],
    ['archive', archiveOf(wouldArchive, kept)],
  ];
  const shown = rows.filter(([, value]) => value !== '').map(([name, value]) => [style.dim(name), plainLine(value)]);
  return `${style.bold(plainLine(explained.id))}  ${plainLine(explained.text)}\n${table(shown)}`;
}

function ageOf({ ageDays, archiveAfterDays }: DecayExplained): string {
  const limit = archiveAfterDays === null ? 'no limit by age' : `kept at hand for ${archiveAfterDays}`;
  return `${counted(ageDays, 'day')}, ${limit}`;
}

function archiveOf(wouldArchive: string | null, kept: string | null): string {
  if (wouldArchive === null) return 'nothing speaks for it';
  return kept === null ? `is proposed: ${wouldArchive}` : `is not proposed, because ${kept}`;
}
