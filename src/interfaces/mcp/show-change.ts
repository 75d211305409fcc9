import type { ChangedFiles } from '../../operations/files/change-files.ts';
import { tell, type ToolAnswer, type ToolCall } from './tool.ts';

const OUTCOMES: Readonly<Record<ChangedFiles['outcome'], (change: ChangedFiles) => string>> = {
  written: ({ files }) => `Changed ${files.join(', ')}.`,
  unchanged: () => 'It says that already; nothing was changed.',
  filed: ({ proposal, waitsBecause }) => `${notYet('changed', proposal ?? '')} Why: ${waitsBecause}.`,
  applied: ({ proposal }) => `Changed, as proposal ${proposal}.`,
  'already-open': ({ proposal }) => `NOT changed yet: the same already waits for the user's approval as ${proposal}.`,
  'rejected-before': ({ proposal }) =>
    `NOT changed: the user rejected the same before (${proposal}). Do not try again.`,
};

export function showChange(change: ChangedFiles, conceal: ToolCall['conceal']): ToolAnswer {
  const { outcome, proposal, redacted } = change;
  const lines = [
    OUTCOMES[outcome](change),
    ...(redacted.length === 0 ? [] : [`Taken out as secret: ${redacted.join(', ')}.`]),
    ...change.warnings.map((warning) => `Note: ${conceal(warning)}`),
  ];
  return tell(lines, { outcome, ...(proposal === null ? {} : { proposal }) });
}

/** The reply about a pending change: models report success when this is not said first. */
export function notYet(what: string, proposal: string): string {
  return `NOT ${what} yet: it waits for the user's approval as ${proposal}. Tell the user so: they decide in the inbox of the dashboard.`;
}
