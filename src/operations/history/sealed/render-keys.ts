import { countOf, plainLine } from '../../command-line/plain.ts';
import type { View } from '../../command-line/style.ts';
import type { NewKey } from './key.ts';
import type { Resealed, SealKeys } from './keys.ts';

export function renderNewKey(_view: unknown, { file, recipient }: NewKey): string {
  return `Key: ${file}\nPublic half: ${recipient}\nKeep a copy elsewhere: without it nobody opens what was sealed, and no backup holds it.\n`;
}

export function renderKeys({ style }: View, { place, recipient, older, others, notes }: SealKeys): string {
  if (place === null) return `${style.dim('No key yet; make one: mneme sync keys new')}\n`;
  const lines = [
    `Key: ${place}${older === 0 ? '' : style.dim(` (and ${countOf(older, 'older key')}, to open what they sealed)`)}`,
    `Public half: ${recipient ?? ''}`,
    ...others.map(({ key, name }) => `Also for: ${key}${name === null ? '' : ` ${plainLine(name)}`}`),
    ...notes.map((note) => `${style.yellow('note')}  ${note}`),
  ];
  return `${lines.join('\n')}\n`;
}

export function renderResealed({ style }: View, { remote, recipients }: Resealed): string {
  return `${style.green('Sealed anew')} for ${countOf(recipients, 'key')} at ${remote}\n`;
}
