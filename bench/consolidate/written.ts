import fs from 'node:fs';
import path from 'node:path';
import { parseEntityWithIds } from '../../src/memory/stores/entities/entity-edit.ts';
import { visibleText } from '../../src/workspace/formats/metadata.ts';
import { parseDocument } from '../../src/workspace/markdown/document.ts';
import type { Label, SampleSession } from '../extract/sample.ts';

/** A statement that stands in the memory as knowledge. */
export interface Written {
  readonly id: string;
  readonly path: string;
  readonly text: string;
  /** `k07#t4`: where it was said. */
  readonly evidence: readonly string[];
}

/** Every fact, decision, task and pattern in a workspace. */
export function snapshot(root: string): Written[] {
  return fs
    .readdirSync(path.join(root, 'memory'), { recursive: true, encoding: 'utf8' })
    .map((file) => `memory/${file.replaceAll(path.sep, '/')}`)
    .filter((file) => file.endsWith('.md'))
    .flatMap((file): Written[] => {
      const text = (): string => fs.readFileSync(path.join(root, file), 'utf8');
      if (file.startsWith('memory/patterns/'))
        return [{ id: file, path: file, text: visibleText(text()), evidence: [] }];
      if (!file.startsWith('memory/graph/entities/')) return [];
      const { facts, decisions, tasks } = parseEntityWithIds(parseDocument(text()), file);
      return [...facts, ...decisions, ...tasks].flatMap(({ id, text: said, meta }) =>
        id === undefined ? [] : [{ id, path: file, text: said, evidence: meta.evidence ?? [] }],
      );
    });
}

/** The label of the turn it was said in that a statement tells. */
export function findTold(sessions: readonly SampleSession[], { text, evidence }: Written): Label | undefined {
  const said = text.toLowerCase();
  const tells = (session: string, label: Label): boolean =>
    label.evidence.some((turn) => evidence.includes(`${session}#${turn}`)) &&
    label.must.every((group) => group.some((word) => said.includes(word.toLowerCase())));
  for (const { session, items } of sessions) {
    const told = items.find((label) => tells(session, label));
    if (told !== undefined) return told;
  }
  return undefined;
}
