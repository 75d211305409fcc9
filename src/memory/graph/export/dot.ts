import type { Picture } from './picture.ts';

/** Graphviz. */
export function toDot({ entities, relations }: Picture): string {
  const nodes = entities.map(
    ({ id, name, type }) => `  ${quoted(id)} [label=${quoted(`${name}\n(${type})`)}, class=${quoted(type)}];`,
  );
  const edges = relations.map(
    ({ from, to, relation, isInferred }) =>
      `  ${quoted(from)} -> ${quoted(to)} [label=${quoted(relation)}${isInferred ? ', style=dashed' : ''}];`,
  );
  return `${['digraph memory {', '  rankdir=LR;', '  node [shape=box];', ...nodes, ...edges, '}'].join('\n')}\n`;
}

function quoted(text: string): string {
  const clean = text.replaceAll(/[\p{Cc}]/gu, (letter) => (letter === '\n' ? '\n' : ' '));
  return `"${clean
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)}"`;
}
