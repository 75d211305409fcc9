import { parseDocument, serializeDocument } from '../../../workspace/markdown/document.ts';
import { setFrontmatterValue, type FrontmatterValue } from '../../../workspace/markdown/frontmatter.ts';
import { parseProcedure } from '../../../workspace/formats/procedure.ts';
import { findDamage } from '../../stores/edit-file.ts';
import { previousVersion } from './versions.ts';

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
