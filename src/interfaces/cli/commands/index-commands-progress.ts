import type { IndexControls, IndexReport } from '../../../operations/search/index-operations.ts';
import { countOf, showCount, showSeconds } from '../../../operations/command-line/amounts.ts';
import type { Style } from '../../../operations/command-line/style.ts';
import type { ProgressLine } from '../progress.ts';

/** Says on one line how far the index has come. */
export function showIndexing(line: ProgressLine): Pick<IndexControls, 'onProgress' | 'onEmbedding'> {
  return {
    onProgress: ({ done, total }) => line.show(`indexing  ${showCount(done)} of ${countOf(total, 'file')}`),
    onEmbedding: ({ done, remaining }) => {
      const left = remaining === undefined || remaining === 0 ? '' : `, ${showCount(remaining)} left`;
      line.show(`making vectors  ${showCount(done)} done${left}`);
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
