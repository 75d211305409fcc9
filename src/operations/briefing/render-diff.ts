import type { ItemDifference, ReceiptDiff } from '../../compile/receipt-diff.ts';
import type { DiffedReceipts, ShownReceipt } from './receipts.ts';
import { plainLine } from '../command-line/plain.ts';
import { type View, table } from '../command-line/style.ts';
import { renderReceipt } from './render-receipt.ts';
import { counted, shorten } from '../../model/text.ts';

export function renderShown(view: View, { stored, recompiled, silence }: ShownReceipt): string {
  const shown = renderReceipt(view, stored, silence);
  if (recompiled === null) return shown;
  const { difference, promptDiff } = recompiled;
  const heading = view.style.bold('Made again');
  const verdict = difference.isSame ? 'gives the same prompt, byte for byte.' : 'gives another prompt.';
  return `${shown}\n${heading} from the state it names: ${verdict}\n${renderDifference(view, difference, promptDiff)}`;
}

export function renderDiff(view: View, diff: DiffedReceipts): string {
  if (diff.isSame && diff.causes.length === 0) return 'The two prompts are the same.\n';
  const verdict = diff.isSame ? 'The two prompts are the same, though made from something else.\n' : '';
  return verdict + renderDifference(view, diff, diff.promptDiff);
}

function renderDifference(view: View, { causes, items, shared }: ReceiptDiff, promptDiff: string): string {
  const { style } = view;
  const made = causes.map(({ what, before, after }) => [
    style.dim(what),
    shorten(plainLine(before), MAX_SHOWN),
    '→',
    shorten(plainLine(after), MAX_SHOWN),
  ]);
  const parts = [
    made.length === 0 ? '' : `${style.bold('Made from something else')}\n${table(made, '  ')}`,
    items.length === 0
      ? ''
      : `${style.bold('Told differently')}\n${table(
          items.map((item) => rowOf(view, item)),
          '  ',
        )}`,
    shared === 0 ? '' : `${counted(shared, 'piece')} told alike.\n`,
    promptDiff === '' ? '' : `${style.bold('Line by line')}\n${promptDiff.split('\n').map(plainLine).join('\n')}`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function rowOf({ style }: View, { id, path, slot, before, after, why }: ItemDifference): string[] {
  const isIn = after?.included === true;
  const wasIn = before?.included === true;
  const sign = isIn && wasIn ? style.dim('±') : isIn ? style.green('+') : style.yellow('−');
  return [sign, slot, plainLine(id === path || id.includes('#') ? id : `${id} ${path}`), style.dim(plainLine(why))];
}

const MAX_SHOWN = 60;
