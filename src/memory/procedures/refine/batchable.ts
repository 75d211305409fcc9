import type { Step } from '../../../workspace/formats/procedure.ts';
import { appendToSection } from '../../../workspace/markdown/edit.ts';
import { parseDocument, serializeDocument } from '../../../workspace/markdown/document.ts';
import type { ExecutionRecord } from '../executions/record.ts';
import type { Refinement } from './refinement.ts';

/** Repeated messages and waits are intended. */
const NEVER_BATCHED = /^(?:say|wait|confirm|ask)$/iu;

/** Neighbouring steps that call one action with different things: one call with a list may do. */
export function findBatchable(steps: readonly Step[], records: readonly ExecutionRecord[]): Refinement[] {
  const found: Refinement[] = [];
  for (let at = 0; at < steps.length;) {
    const action = actionOf(steps[at]);
    let end = at + 1;
    while (isOneMore(steps, at, end)) end += 1;
    if (action !== undefined && end - at > 1) found.push(batch(action, steps.slice(at, end), records));
    at = end;
  }
  return found;
}

/** The same action with something else; the very same again would be a repetition, not a list. */
function isOneMore(steps: readonly Step[], from: number, at: number): boolean {
  const action = actionOf(steps[from]);
  if (action === undefined || actionOf(steps[at]) !== action) return false;
  return steps.slice(from, at).every((step) => step.action !== steps[at]?.action);
}

/** undefined for a step that cannot be joined with its neighbour. */
function actionOf(step: Step | undefined): string | undefined {
  const name = step?.condition === undefined ? step?.action?.split(/[\s:]/u, 1)[0] : undefined;
  return name === undefined || NEVER_BATCHED.test(name) ? undefined : name;
}

function batch(action: string, steps: readonly Step[], records: readonly ExecutionRecord[]): Refinement {
  const labels = steps.map(({ order }) => String(order));
  const range = `${labels[0] ?? ''}–${labels.at(-1) ?? ''}`;
  // Only the author knows how to join them; the note stays beside the steps until they did.
  const note = `Steps ${range} call \`${action}\` ${steps.length} times in a row; one call with a list may do.`;
  return {
    kind: 'batchable',
    type: 'optimization',
    steps: labels,
    description: note,
    before: `${steps.length} calls`,
    after: note,
    evidence: records.map(({ run }) => run),
    edit: (text) =>
      text.includes(note) ? text : serializeDocument(appendToSection(parseDocument(text), 'Notes', `- ${note}`)),
  };
}
