import { Document, isScalar, isSeq, visit } from 'yaml';

/** A new file's frontmatter as a person would type it: short lists on one line, nothing folded. */
export function renderFrontmatter(values: Readonly<Record<string, unknown>>): string {
  const document = new Document(values);
  visit(document, {
    Seq: (_key, node) => {
      if (isSeq(node) && node.items.every(isScalar)) node.flow = true;
    },
  });
  return `---\n${document.toString({ lineWidth: 0, flowCollectionPadding: false })}---\n`;
}
