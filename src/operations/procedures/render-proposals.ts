import type { LearnResult } from './learn.ts';
import type { RefineResult } from './refine.ts';
import type { Style, View } from '../command-line/style.ts';
import { counted } from '../../model/text.ts';

type Outcome = LearnResult['learned'][number]['outcome'];

function outcomeLine(style: Style, outcome: Outcome, proposal: string | null): string {
  switch (outcome) {
    case 'filed':
      return style.dim(`  proposed: mneme proposals show ${proposal ?? ''} · mneme approve ${proposal ?? ''}`);
    case 'applied':
      return style.dim(`  applied at once, as this home allows (${proposal ?? ''})`);
    case 'already-open':
      return style.dim(`  waits already: mneme approve ${proposal ?? ''}`);
    case 'rejected-before':
      return style.dim(`  was rejected before (${proposal ?? ''}) and is not proposed again`);
    case 'known':
      return style.dim('  known already');
    case 'not-proposed':
      return style.dim('  not proposed');
  }
}

export function renderRefined({ style }: View, { procedures }: RefineResult): string {
  if (procedures.length === 0) return 'The runs so far suggest nothing to change.\n';
  const lines = procedures.flatMap(({ name, path, refinements, proposal, outcome }) => [
    `${style.bold(name)}  ${style.dim(path)}`,
    ...refinements.map(({ kind, description, after }) => `  ${style.cyan(kind)}: ${description}${arrow(kind, after)}`),
    outcomeLine(style, outcome, proposal),
  ]);
  return `${lines.join('\n')}\n`;
}

function arrow(kind: string, after: string): string {
  if (kind === 'batchable') return '';
  return ` → ${after === '' ? 'take it out' : after}`;
}

export function renderLearned(style: Style, { learned, attempts, wentWell }: LearnResult): string {
  const looked = `${counted(attempts, 'request')} with several steps looked at, ${wentWell} went well`;
  if (learned.length === 0) return `Nothing was done the same way often enough. ${style.dim(`${looked}.`)}\n`;
  const lines = learned.flatMap(({ name, path, steps, learnedFrom, confidence, proposal, outcome }) => [
    `${style.bold(name)}  ${style.dim(`${path} · ${counted(learnedFrom.length, 'conversation')} · confidence ${confidence}`)}`,
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
    outcomeLine(style, outcome, proposal),
  ]);
  return `${lines.join('\n')}\n${style.dim(`${looked}.`)}\n`;
}
