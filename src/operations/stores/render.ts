import type { CoreAdded, CoreEdited, ShownCore } from './core.ts';
import type { EpisodeList, ListedEpisode, ShownEpisode } from './episodes.ts';
import { counted, shorten } from '../../model/text.ts';
import type { Style, View } from '../command-line/style.ts';
import type { Pinned } from './pin.ts';

const METER_WIDTH = 20;

export function renderCore(
  { style }: View,
  { path, tokens, maxTokens, lines, maxLines, share, blocks }: ShownCore,
): string {
  const head = `${style.bold(path)}  ${meter(share)}  ${tokens} of ${maxTokens} tokens, ${lines} of ${maxLines} lines`;
  const parts = blocks.flatMap((block) => [
    '',
    `${style.bold(block.name)}  ${style.dim(`${meter(block.tokens / block.maxTokens)} ${block.tokens} of ${block.maxTokens} tokens`)}`,
    ...(block.bullets.length === 0 ? [style.dim('  nothing yet')] : []),
    ...block.bullets.map(
      ({ id, text, pinned, trust, unacknowledged }) =>
        `  ${style.dim(id)}  ${text}${pinned ? style.cyan('  pinned') : ''}${whose(style, trust, unacknowledged)}`,
    ),
  ]);
  return `${[head, ...parts].join('\n')}\n`;
}

function whose(style: Style, trust: string, isUnacknowledged: true | undefined): string {
  if (isUnacknowledged) return style.dim('  (external, not acknowledged: mneme audit ack)');
  return trust === 'user' ? '' : style.dim(`  (${trust})`);
}

function meter(share: number): string {
  const filled = Math.min(METER_WIDTH, Math.round(share * METER_WIDTH));
  return `[${'#'.repeat(filled)}${'.'.repeat(METER_WIDTH - filled)}]`;
}

export function renderCoreAdded(_view: View, { outcome, id, moved }: CoreAdded): string {
  const said = {
    added: `Added as ${id}.`,
    present: `It stands there already, as ${id}.`,
    replaced: `Added as ${id}, in place of what no longer holds.`,
    stored: 'Core memory is full of what is pinned; it was kept among the episodes instead.',
  }[outcome];
  return `${[said, ...moved.map(({ text, to }) => `Made room: "${shorten(text)}" is now in ${to}.`)].join('\n')}\n`;
}

export function renderCoreEdited(_view: View, { id, before, after, mutation, proposal }: CoreEdited): string {
  if (proposal !== null) return `${id} is the user's and waits for them: mneme approve ${proposal}\n`;
  if (mutation === null) return `${id} says so already.\n`;
  return after === null ? `Taken out: "${shorten(before)}"\n` : `${id}: "${shorten(before)}" → "${shorten(after)}"\n`;
}

export function renderEpisodes({ style }: View, { episodes, left, since }: EpisodeList): string {
  if (episodes.length === 0) {
    return `Nothing${since === null ? '' : ` since ${since}`}. \`mneme memory episodes --since DAY\` looks further back.\n`;
  }
  const lines: string[] = [];
  let day = '';
  for (const episode of episodes) {
    if (episode.date !== day && episode.score === null)
      lines.push(...(day === '' ? [] : ['']), style.bold(episode.date));
    day = episode.date;
    lines.push(lineOf(style, episode));
  }
  if (left > 0) lines.push(style.dim(`… and ${counted(left, 'more entry', 'more entries')} (--limit)`));
  return `${lines.join('\n')}\n`;
}

function lineOf(style: Style, { id, date, time, type, title, text, tags, importance, score }: ListedEpisode): string {
  const when = score === null ? (time ?? '     ') : `${date} ${time ?? ''}`.trim();
  const about = [type, ...tags.map((tag) => `#${tag}`), importance >= 0.8 ? 'important' : ''].filter(
    (part) => part !== '',
  );
  const words = shorten((title === null ? text : `${title}: ${text}`).replaceAll(/\s+/gu, ' '));
  return `${when}  ${words}  ${style.dim(`${about.join(' ')}${id === null ? '' : `  ${id}`}`)}`;
}

export function renderEpisode({ style }: View, shown: ShownEpisode): string {
  const { date, time, type, tags, importance, trust, source, session, path, startLine, text, near } = shown;
  const facts = [
    `${path}:${startLine}`,
    `importance ${importance}`,
    `trust ${trust}`,
    `source ${source}`,
    ...(session === null ? [] : [`session ${session}`]),
  ];
  const head = `${style.bold(`${date} ${time ?? ''}`.trim())}  ${[type, ...tags.map((tag) => `#${tag}`)].join(' ')}`;
  const related = near.map(({ id, text: words, why }) => `  ${style.dim(id)}  ${shorten(words)}  ${style.dim(why)}`);
  return `${[head, text, style.dim(facts.join(' · ')), ...(near.length === 0 ? [] : ['', 'Belongs with:', ...related])].join('\n')}\n`;
}

export function renderPinned(_view: View, { target, path, pinned, mutation, warnings }: Pinned): string {
  if (warnings.length > 0) return `${warnings.join('\n')}\n`;
  const state = pinned ? 'pinned' : 'no longer pinned';
  const what = target === path ? path : `${target} in ${path}`;
  return `${what} ${mutation === null ? 'was' : 'is'} ${state}${mutation === null ? ' already' : ''}.\n`;
}
