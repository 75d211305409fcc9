import type { ListedItem, ReconstructionComparison } from './compare.ts';
import type { DroppedReconstruction } from './drop.ts';
import type { ReconstructionInfo } from './list.ts';
import type { ProposedReconstruction } from './merge.ts';
import type { Reconstructed } from './start.ts';
import { type Style, type View, showTime, table } from '../command-line/style.ts';
import { counted } from '../../model/text.ts';

export function renderReconstructed({ style }: View, result: Reconstructed): string {
  const { name, branch, sessions, isComplete, isResumed, extractors } = result;
  const progress = `${sessions.done} of ${counted(sessions.total, 'conversation')}`;
  if (branch === null) {
    return [
      `${style.bold(name)} would look at ${counted(sessions.total - sessions.done, 'conversation')} again with ${extractors.join(', ')}.`,
      `It would take ${takes(result)}. Nothing was begun.`,
      '',
    ].join('\n');
  }
  return [
    `${isComplete ? style.green('Done') : style.yellow('Not done yet')}: ${style.bold(name)} has looked at ${progress}${isResumed ? ', going on from before' : ''}.`,
    ...(isComplete
      ? [style.dim(`compare: mneme learn reconstruct compare ${name} · git diff main...${branch}`)]
      : [`What is left takes ${takes(result)}.`]),
    '',
  ].join('\n');
}

function takes({ estimate }: Reconstructed): string {
  const { calls, tokensIn, tokensOut, usd, model, provider } = estimate;
  if (provider === 'heuristic') return 'no model and costs nothing';
  const price = usd === null ? 'an unknown sum' : `about $${usd.toFixed(2)}`;
  return `${counted(calls, 'call')} to ${model ?? provider}, ${Math.round((tokensIn + tokensOut) / 1000)}k tokens, ${price}`;
}

export function renderReconstructions({ style, timeZone }: View, all: readonly ReconstructionInfo[]): string {
  if (all.length === 0) return 'There is no reconstruction. `mneme learn reconstruct start NAME` begins one.\n';
  return table(
    all.map(({ name, state, sessions, created, extractors, model, provider }) => [
      style.bold(name),
      state,
      `${sessions.done}/${sessions.total}`,
      created === '' ? '' : showTime(Date.parse(created), timeZone),
      style.dim([model ?? provider, ...extractors].join(' ')),
    ]),
  );
}

export function renderComparison({ style }: View, result: ReconstructionComparison): string {
  const { name, sessions, isComplete, counts, same, gone, added, probes, files, branch } = result;
  const rows = Object.entries(counts).map(([kind, { before, after }]) => [
    kind,
    String(before),
    String(after),
    signed(after - before),
  ]);
  return [
    `${style.bold(name)}: ${sessions.done} of ${counted(sessions.total, 'conversation')}${isComplete ? '' : style.yellow(' (not complete)')}`,
    '',
    table([['', 'known', 'found', ''], ...rows]).trimEnd(),
    '',
    `${same} the same, ${style.green(`${added.count} new`)}, ${style.red(`${gone.count} not found again`)}; ${counted(files.length, 'file')} differ`,
    ...listed(style.green('+'), added),
    ...listed(style.red('-'), gone),
    '',
    ...probeLines(style, probes),
    style.dim(`every line: git diff main...${branch} · take it over: mneme learn reconstruct merge ${name}`),
    '',
  ].join('\n');
}

function listed(sign: string, { count, shown }: { count: number; shown: readonly ListedItem[] }): string[] {
  const lines = shown.map(({ text, path }) => `  ${sign} ${text.replaceAll('\n', ' ')}  (${path})`);
  return count > shown.length ? [...lines, `  ${sign} and ${count - shown.length} more (--limit)`] : lines;
}

function probeLines(
  style: Style,
  { questions, before, after, lost, won, from }: ReconstructionComparison['probes'],
): string[] {
  if (before === null || after === null)
    return ['No question could be made of what is known; give some with --probes FILE.'];
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  return [
    `Of ${counted(questions, 'question')} (${from === 'file' ? 'from the file' : 'made of what is known'}) ${percent(before)} are answered now, ${percent(after)} by what was found.`,
    ...won.slice(0, 5).map((question) => `  ${style.green('+')} ${question}`),
    ...lost.slice(0, 5).map((question) => `  ${style.red('-')} ${question}`),
  ];
}

function signed(value: number): string {
  return value === 0 ? '' : value < 0 ? `−${-value}` : `+${value}`;
}

export function renderMerged({ style }: View, { name, proposals, added, gone, files }: ProposedReconstruction): string {
  if (proposals.length === 0)
    return `${style.bold(name)} found what is known already; there is nothing to take over.\n`;
  return [
    `${style.green('Proposed')}: ${added} new, ${gone} taken out, in ${counted(files.length, 'file')}. Nothing happens before you say yes.`,
    ...proposals.map((id) => `  mneme proposals show ${id}   ${style.dim(`mneme approve ${id}`)}`),
    '',
  ].join('\n');
}

export function renderDropped({ style }: View, { name, branch, withdrawn }: DroppedReconstruction): string {
  const waiting = withdrawn.length === 0 ? '' : ` ${counted(withdrawn.length, 'proposal')} withdrawn.`;
  return `${style.green('Dropped')} ${style.bold(name)} and ${branch}; the memory is as it was.${waiting}\n`;
}
