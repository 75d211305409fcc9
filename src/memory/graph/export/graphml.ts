import type { Picture, PictureEntity, PictureRelation } from './picture.ts';

const NODE_KEYS = ['name', 'type', 'aliases', 'status', 'scope', 'path', 'facts'] as const;
const EDGE_KEYS = ['relation', 'since', 'until', 'inferred'] as const;

/** GraphML, which Gephi, yEd and most graph libraries read. */
export function toGraphml({ entities, relations }: Picture): string {
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...NODE_KEYS.map((key) => `  <key id="${key}" for="node" attr.name="${key}" attr.type="string"/>`),
    ...EDGE_KEYS.map((key) => `  <key id="${key}" for="edge" attr.name="${key}" attr.type="string"/>`),
    '  <graph id="memory" edgedefault="directed">',
    ...entities.flatMap(nodeLines),
    ...relations.flatMap(edgeLines),
    '  </graph>',
    '</graphml>',
  ].join('\n')}\n`;
}

function nodeLines(entity: PictureEntity): string[] {
  const values: Record<(typeof NODE_KEYS)[number], string | undefined> = {
    name: entity.name,
    type: entity.type,
    aliases: entity.aliases.join('; '),
    status: entity.status,
    scope: entity.scope,
    path: entity.path,
    facts: entity.facts.join('\n'),
  };
  return [`    <node id="${escaped(entity.id)}">`, ...dataLines(values), '    </node>'];
}

function edgeLines({ from, to, relation, since, until, isInferred }: PictureRelation, index: number): string[] {
  const values = { relation, since, until, inferred: isInferred ? 'true' : undefined };
  return [
    `    <edge id="e${index + 1}" source="${escaped(from)}" target="${escaped(to)}">`,
    ...dataLines(values),
    '    </edge>',
  ];
}

function dataLines(values: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [`      <data key="${key}">${escaped(value)}</data>`],
  );
}

/** Control characters have no place in XML, not even escaped. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\t\n]|[\uFFFE\uFFFF]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
