import { readFrontmatter } from '../../model/schemas/index.ts';
import type { TopicFrontmatter, TopicSubscription, TopicTrigger } from '../../model/schemas/topic.ts';
import { triggerSchema } from '../../model/schemas/topic.ts';
import type { MarkdownDocument } from '../markdown/document.ts';
import { renderFrontmatter } from '../markdown/frontmatter.ts';
import { visibleText } from './metadata.ts';
import { fileStem } from './layout.ts';
import { documentTitle, findSection, sectionsOf, textOf } from './sections.ts';
import { oneLine } from '../../model/text.ts';

/** A reactive playbook with its defaults filled in. */
export interface Topic {
  readonly name: string;
  readonly title: string;
  readonly frontmatter: Partial<TopicFrontmatter>;
  readonly triggers: readonly TopicTrigger[];
  readonly subscriptions: readonly TopicSubscription[];
  readonly activation: 'auto' | 'gated' | 'manual';
  readonly priority: 'low' | 'medium' | 'high' | 'critical';
  readonly similarityThreshold: number;
  readonly maxContextKb: number;
  readonly instructions: string;
  readonly contextNotes: string;
  /** Everything below the title, as it is injected when there are no instructions of that name. */
  readonly body: string;
}

/** S0 §4.2: below this a message is not about the topic. */
export const DEFAULT_SIMILARITY_THRESHOLD = 0.15;
export const DEFAULT_MAX_CONTEXT_KB = 4;

export function parseTopic(document: MarkdownDocument, path: string): Topic {
  const frontmatter = readFrontmatter('topic', document.frontmatter?.values);
  const sections = sectionsOf(document);
  const text = (...names: string[]) => visibleText(textOf(findSection(sections, ...names)?.blocks ?? [])).trim();
  const name = fileStem(path);
  const title = sectionsOf(document, 1).find((section) => section.level === 1);
  return {
    name,
    title: frontmatter.name ?? documentTitle(document) ?? name,
    frontmatter,
    triggers: frontmatter.triggers ?? validTriggers(document.frontmatter?.values?.['triggers']),
    subscriptions: frontmatter.subscriptions ?? [],
    activation: frontmatter.activation ?? 'gated',
    priority: frontmatter.priority ?? 'medium',
    similarityThreshold: frontmatter.similarity_threshold ?? DEFAULT_SIMILARITY_THRESHOLD,
    maxContextKb: frontmatter.max_context_kb ?? DEFAULT_MAX_CONTEXT_KB,
    instructions: text('Instructions'),
    contextNotes: text('Context Notes', 'Context', 'Notes'),
    body: visibleText(textOf(title?.blocks ?? sections.flatMap((section) => section.blocks))).trim(),
  };
}

/** One broken trigger must not silence the others; the check reports it. */
function validTriggers(value: unknown): TopicTrigger[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((trigger) => triggerSchema.safeParse(trigger).data ?? []);
}

export function newTopicFile(title: string, frontmatter: TopicFrontmatter, instructions: string): string {
  const head = renderFrontmatter({ type: 'topic', ...frontmatter });
  return `${head}\n# ${oneLine(title)}\n\n## Instructions\n\n${instructions.trim()}\n`;
}
