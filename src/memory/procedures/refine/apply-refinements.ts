import type { REFINEMENT_TYPES } from '../../../model/schemas/procedure.ts';
import { parseDocument, serializeDocument } from '../../../workspace/markdown/document.ts';
import { type FrontmatterValue, setFrontmatterValue } from '../../../workspace/markdown/frontmatter.ts';
import { parseProcedure } from '../../../workspace/formats/procedure.ts';
import { findDamage } from '../../stores/plan.ts';

/** A change of a procedure that runs suggest. */
export interface Refinement {
  readonly kind: 'failing' | 'too-slow' | 'redundant' | 'batchable' | 'cacheable' | 'retire';
  readonly type: (typeof REFINEMENT_TYPES)[number];
  /** Labels of the steps it is about. */
  readonly steps: readonly string[];
  readonly description: string;
  /** The old text, and the new one. */
  readonly before: string;
  readonly after: string;
  /** Runs that show it. */
  readonly evidence: readonly string[];
  /** Makes the change in the text of the file; the same text when it no longer fits. */
  readonly edit: (text: string) => string;
}

/** The file with the refinements made, its version raised and its history told; the same text when none fits. */
export function applyRefinements(text: string, path: string, refinements: readonly Refinement[], time: string): string {
  let edited = text;
  const made: Refinement[] = [];
  for (const refinement of refinements) {
    const next = refinement.edit(edited);
    if (next !== edited) made.push(refinement);
    edited = next;
  }
  if (made.length === 0) return text;
  const document = parseDocument(edited);
  const { frontmatter } = parseProcedure(document, path);
  const history = [...(frontmatter.refinements ?? []), ...made.map((refinement) => entryOf(refinement, time))];
  const raised = setFrontmatterValue(document, 'version', nextVersion(frontmatter.version ?? '1'));
  return serializeDocument(setFrontmatterValue(raised, 'refinements', history as unknown as FrontmatterValue));
}

function entryOf(
  { type, description, before, after, evidence }: Refinement,
  time: string,
): Record<string, FrontmatterValue> {
  return {
    time,
    type,
    description,
    before,
    after: after === '' ? 'removed' : after,
    trigger: `${evidence.length} runs`,
  };
}

/** A procedure that nearly always fails is put away, not deleted: its file and its history stay. */
export function retire(text: string): string {
  return serializeDocument(setFrontmatterValue(parseDocument(text), 'status', 'retired'));
}

/** `1` → `1.1`, `1.2` → `1.3`: a refinement is not a new procedure. What is no such number gets one behind it. */
export function nextVersion(version: string): string {
  const match = /^(\d+)(?:\.(\d+))?$/u.exec(version.trim());
  return match === null ? `${version.trim()}.1` : `${match[1]}.${Number(match[2] ?? 0) + 1}`;
}

/** The version before a refinement; undefined when there was none. */
export function previousVersion(version: string): string | undefined {
  const match = /^([\s\S]*)\.(\d+)$/u.exec(version.trim());
  const [, head = '', tail = ''] = match ?? [];
  if (match === null || tail === '0') return undefined;
  return tail === '1' ? head : `${head}.${Number(tail) - 1}`;
}

/**
 * Fills in what the last refinement did to the success rate, once enough runs of both versions tell. The file stays as
 * it is when there is nothing to say.
 */
export function withRateChange(
  text: string,
  path: string,
  changeBetween: (before: string, after: string) => number | undefined,
): string {
  const document = parseDocument(text);
  if (document.frontmatter === undefined || findDamage(text, document.frontmatter) !== undefined) return text;
  const { refinements = [], version } = parseProcedure(document, path).frontmatter;
  const last = refinements.at(-1);
  if (last === undefined || last.success_rate_change !== undefined || version === undefined) return text;
  const before = previousVersion(version);
  const change = before === undefined ? undefined : changeBetween(before, version);
  if (change === undefined) return text;
  const all = [...refinements.slice(0, -1), { ...last, success_rate_change: change }];
  return serializeDocument(setFrontmatterValue(document, 'refinements', all as unknown as FrontmatterValue));
}
