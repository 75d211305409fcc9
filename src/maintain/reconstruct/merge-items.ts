import { kindOfPath, type Layout } from '../../workspace/formats/layout.ts';
import { parseDocument, serializeDocument } from '../../workspace/markdown/document.ts';
import { appendBlock, appendToSection } from '../../workspace/markdown/edit.ts';
import { withoutFinalEol } from '../../workspace/markdown/lines.ts';
import type { ItemComparison } from './compare-items.ts';
import { withoutItems, type DerivedItem } from './derived-items.ts';

/** A file as taking over a reconstruction would leave it. */
export interface MergedText {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
}

export interface MergeSources {
  readonly layout: Layout;
  /** The file as it is now; undefined when there is none. */
  readonly readNow: (path: string) => string | undefined;
  /** The file as the reconstruction has it. */
  readonly readThen: (path: string) => string | undefined;
}

/**
 * The files with what was found anew, and without what was not found again. What both say stays to the byte, with the id
 * under which it is known; everything that no extractor wrote is not touched at all.
 */
export function mergeItems(comparison: ItemComparison, { layout, readNow, readThen }: MergeSources): MergedText[] {
  const paths = [...new Set([...comparison.gone, ...comparison.added].map(({ path }) => path))].toSorted();
  return paths.flatMap((path): MergedText[] => {
    const added = comparison.added.filter((item) => item.path === path);
    const gone = comparison.gone.filter((item) => item.path === path).map(({ id }) => id);
    const before = readNow(path);
    const after =
      before === undefined
        ? readThen(path)
        : withItems(withoutItems(path, before, kindOfPath(path, layout), gone), added);
    return after === undefined || after === before ? [] : [{ path, before, after }];
  });
}

/** Each below the heading it has in the reconstruction; entries of a day bring theirs along. */
function withItems(text: string, items: readonly DerivedItem[]): string {
  let document = parseDocument(text);
  for (const { section, raw } of items) {
    const source = withoutFinalEol(raw);
    document = section === undefined ? appendBlock(document, source) : appendToSection(document, section, source);
  }
  return serializeDocument(document);
}
