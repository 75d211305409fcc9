import { countOf, showBytes, showCount, showSeconds } from '../command-line/plain.ts';
import { type Progress, type Style, type View, table } from '../command-line/style.ts';
import type { IndexControls, IndexReport, IndexState } from './index-operations.ts';
import { counted } from '../../model/text.ts';

/** Shows on one line how far the index has come. */
export function showIndexing({ signal, report }: Progress): IndexControls {
  return {
    signal,
    onProgress: ({ done, total }) => report(`indexing  ${showCount(done)} of ${countOf(total, 'file')}`),
    onEmbedding: ({ done, remaining }) => {
      const left = remaining === undefined || remaining === 0 ? '' : `, ${showCount(remaining)} left`;
      report(`making vectors  ${showCount(done)} done${left}`);
    },
  };
}

export function isFinished({ isComplete, embedding }: IndexReport): boolean {
  return isComplete && embedding.every(({ remaining }) => remaining === 0);
}

export function indexReportLines(style: Style, report: IndexReport): string[] {
  const vectors = report.embedding.reduce((sum, { done }) => sum + done, 0);
  const amounts = [
    `${countOf(report.put, 'file')} taken over`,
    ...(report.removed === 0 ? [] : [`${showCount(report.removed)} removed`]),
    `${showCount(report.unchanged)} unchanged`,
    ...(vectors === 0 ? [] : [`${countOf(vectors, 'vector')} made`]),
  ];
  return [
    `${style.green('Indexed')} in ${showSeconds(report.tookMs)}: ${amounts.join(', ')}.`,
    ...(report.rebuiltBecause === undefined
      ? []
      : [`${style.yellow('note')}  It was made anew: ${report.rebuiltBecause}`]),
    ...report.problems.map((problem) => `${style.yellow('note')}  ${problem}`),
    ...report.embedding.flatMap(({ problem }) =>
      problem === undefined ? [] : [`${style.yellow('note')}  ${problem.message} ${problem.hint ?? ''}`.trimEnd()],
    ),
  ];
}

export function renderReport({ style }: View, report: IndexReport): string {
  return `${indexReportLines(style, report).join('\n')}\n`;
}

export function renderFindings({ style }: View, { findings }: { readonly findings: readonly string[] }): string {
  if (findings.length === 0) return `${style.green('The index agrees with the files.')}\n`;
  const lines = findings.map((finding) => `${style.yellow('differs')} ${finding}`);
  return `${[...lines, `${counted(findings.length, 'finding')}. Mend it: mneme index rebuild.`].join('\n')}\n`;
}

export function renderState({ style }: View, state: IndexState): string {
  const models = state.embedder.map(({ model, coverage, why }) => {
    const share = coverage >= 1 ? '' : style.yellow(` for ${Math.floor(coverage * 100)} % so far`);
    return ['meaning', `${model}${share} ${style.dim(`(${why})`)}`];
  });
  return table([
    ['index', `${state.path} (${state.engine}, ${showBytes(state.bytes)})`],
    ...(state.standIn === null ? [] : [['stand-in', style.yellow(state.standIn)]]),
    ['holds', `${countOf(state.passages, 'passage')} of ${countOf(state.documents, 'file')}`],
    ...(models.length === 0 ? [['meaning', style.yellow('no model: words alone')]] : models),
    ['state', state.isFresh ? style.green('up to date') : style.yellow('the next question brings it up to date')],
    ...(state.dirty === null ? [] : [['lacks', style.yellow(state.dirty)]]),
    ...(state.rebuilt === null ? [] : [['made anew', state.rebuilt]]),
  ]);
}
