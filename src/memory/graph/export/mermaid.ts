import type { Picture } from './picture.ts';

/** A Mermaid flow chart: Obsidian and most forges draw it as it stands. */
export function toMermaid({ entities, relations }: Picture): string {
  const names = new Map(entities.map(({ id }, index) => [id, `n${index + 1}`]));
  const nodes = entities.map(
    ({ id, name, type }) => `  ${names.get(id)}["${label(name)}<br/><small>${label(type)}</small>"]`,
  );
  const edges = relations.map(({ from, to, relation, isInferred }) => {
    const arrow = isInferred ? `-. "${label(relation)}" .->` : `-- "${label(relation)}" -->`;
    return `  ${names.get(from)} ${arrow} ${names.get(to)}`;
  });
  return `${['graph LR', ...nodes, ...edges].join('\n')}\n`;
}

/** Quotes and everything that Mermaid or HTML would take for syntax, as character references. */
function label(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N} .,:_\-/]/gu, (letter) => `#${letter.codePointAt(0)};`);
}
