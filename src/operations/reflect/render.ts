import { type View, paintDiff } from '../command-line/style.ts';
import type { Reflected } from './reflect.ts';

const HEADS: Readonly<Record<Reflected['outcome'], string>> = {
  proposed: 'waits for your decision',
  'already-waiting': 'waits already',
  'nothing-new': 'is not needed',
  'dry-run': 'would say',
};

export function renderReflected({ style }: View, result: Reflected): string {
  const { outcome, number, text, changes, proposal } = result;
  if (outcome === 'nothing-new') return `${text}\n`;
  const words = text.replaceAll(/^\*\*([^*\n]+)\*\*(?=$|:)/gmu, (_, title: string) => style.bold(title));
  const diffs = changes.flatMap(({ path, diff }, index) => [
    '',
    style.bold(`${index + 1}. ${path}`),
    paintDiff(style, diff.trimEnd()),
  ]);
  const next =
    proposal === null
      ? []
      : [
          '',
          `mneme approve reflection   ${style.dim('all of it; --only 1,3 a part, --without "words" all but these, --edit your version')}`,
          `mneme reject reflection --why "…"`,
        ];
  return `${[style.bold(`Reflection #${number} ${HEADS[outcome]}`), '', words, ...diffs, ...next].join('\n')}\n`;
}
