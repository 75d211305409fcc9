import type { Config } from '../../model/config/schema.ts';
import { readFrontmatter } from '../../model/schemas/index.ts';
import type { MemoryFrontmatter } from '../../model/schemas/frontmatter.ts';
import { type MarkdownDocument, serializeDocument } from '../markdown/document.ts';
import { countLines } from '../markdown/lines.ts';
import { itemDefaults, type ItemDefaults } from './defaults.ts';
import { parseItems, renderItem, type Item, type LocatedItem } from './item.ts';
import { visibleText } from './metadata.ts';
import { appendInOrder, findSection, locateBlocks, sectionsOf, textOf } from './sections.ts';

/** MEMORY.md is always in context, so each block has a share of the tokens it may cost (S4 §4); the settings say which. */
export const CORE_BLOCKS = [
  { name: 'Identity', cap: 'identity_tokens' },
  { name: 'Active Context', cap: 'active_context_tokens' },
  { name: 'Persona', cap: 'persona_tokens' },
  { name: 'Critical Facts', cap: 'critical_facts_tokens' },
] as const;
export type CoreBlockName = (typeof CORE_BLOCKS)[number]['name'];

const BLOCK_NAMES: readonly string[] = CORE_BLOCKS.map((block) => block.name);

/** The settings' section of that name. */
export type CoreCaps = Config['core'];

/** Four characters a token: the estimate every model's English stays close to, and the same on every machine. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

export interface CoreMemory {
  readonly frontmatter: Partial<MemoryFrontmatter>;
  readonly defaults: ItemDefaults;
  readonly blocks: Readonly<Record<CoreBlockName, readonly LocatedItem[]>>;
  /** Sections a person added beside the four. */
  readonly otherSections: readonly string[];
}

export function parseCore(document: MarkdownDocument): CoreMemory {
  const sections = sectionsOf(document);
  const itemsOf = (name: CoreBlockName): readonly LocatedItem[] => parseItems(findSection(sections, name));
  const known = new Set(BLOCK_NAMES.map((name) => findSection(sections, name)));
  return {
    frontmatter: readFrontmatter('memory', document.frontmatter?.values),
    defaults: itemDefaults('memory', document.frontmatter?.values),
    blocks: {
      Identity: itemsOf('Identity'),
      'Active Context': itemsOf('Active Context'),
      Persona: itemsOf('Persona'),
      'Critical Facts': itemsOf('Critical Facts'),
    },
    otherSections: sections.filter((section) => section.level === 2 && !known.has(section)).map(({ title }) => title),
  };
}

export function addCoreBullet(document: MarkdownDocument, block: CoreBlockName, item: Item): MarkdownDocument {
  const defaults = itemDefaults('memory', document.frontmatter?.values);
  return appendInOrder(document, block, BLOCK_NAMES, renderItem(item, defaults));
}

export interface BlockUsage {
  readonly name: CoreBlockName;
  readonly tokens: number;
  readonly maxTokens: number;
}

export interface CoreUsage {
  readonly tokens: number;
  readonly lines: number;
  /** The fuller of the two caps: 1 is exactly full. */
  readonly share: number;
  readonly blocks: readonly BlockUsage[];
}

/** Measures MEMORY.md: tokens of what a model gets to read, lines of the file as a person sees it. */
export function coreUsage(document: MarkdownDocument, caps: CoreCaps): CoreUsage {
  const sections = sectionsOf(document);
  const tokens = estimateTokens(visibleText(textOf(locateBlocks(document))).trim());
  const lines = countLines(serializeDocument(document));
  return {
    tokens,
    lines,
    share: Math.max(tokens / caps.max_tokens, lines / caps.max_lines),
    blocks: CORE_BLOCKS.map(({ name, cap }) => {
      const text = visibleText(textOf(findSection(sections, name)?.blocks ?? [])).trim();
      return { name, maxTokens: caps[cap], tokens: estimateTokens(text) };
    }),
  };
}

/** A block in any letter case; what is none is returned as it is, for a schema to refuse. */
export function coreBlockNamed(text: string): string {
  return CORE_BLOCKS.find(({ name }) => name.toLowerCase() === text.trim().toLowerCase())?.name ?? text;
}
