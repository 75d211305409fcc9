import { z } from 'zod';
import type { ChangedFiles } from '../../operations/files/change-files.ts';
import type { ToolAnswer, ToolCall } from './tool.ts';

const text = z.string();

export const changeOutput = z.object({
  outcome: text,
  mutation: text.optional(),
  proposal: text.optional(),
  files: z.array(text),
  warnings: z.array(text),
});

const OUTCOMES: Readonly<Record<ChangedFiles['outcome'], (change: ChangedFiles) => string>> = {
  written: ({ files }) => `Changed ${files.join(', ')}.`,
  unchanged: () => 'It says that already; nothing was changed.',
  filed: ({ proposal, waitsBecause }) => `Proposed as ${proposal}: ${waitsBecause}.`,
  applied: ({ proposal }) => `Proposed and applied at once, as ${proposal}.`,
  'already-open': ({ proposal }) => `The same is waiting for a decision already: ${proposal}.`,
  'rejected-before': ({ proposal }) => `The same was rejected before: ${proposal}. Nothing was filed.`,
};

export function showChange(change: ChangedFiles, conceal: ToolCall['conceal']): ToolAnswer {
  const { outcome, mutation, proposal, files, redacted } = change;
  const warnings = change.warnings.map(conceal);
  const lines = [
    OUTCOMES[outcome](change),
    ...(redacted.length === 0 ? [] : [`Taken out as secret: ${redacted.join(', ')}.`]),
    ...warnings.map((warning) => `Note: ${warning}`),
  ];
  return {
    text: lines.join('\n'),
    structured: {
      outcome,
      ...(mutation === null ? {} : { mutation }),
      ...(proposal === null ? {} : { proposal }),
      files,
      warnings,
    },
  };
}
