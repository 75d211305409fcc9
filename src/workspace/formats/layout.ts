import { type Scope, type Store, isScope } from '../../model/provenance.ts';
import type { FrontmatterKind } from '../../model/schemas/index.ts';
import { type MarkdownDocument, parseDocument } from '../markdown/document.ts';
import { type Config, defaultConfig } from '../../model/config/schema.ts';
import type { CoreCaps } from './core.ts';
import { locateBlocks } from './sections.ts';

/** Globs over workspace paths: `*` within a folder, `**` across folders, `?`, `[a-z]` and `{a,b}`. */

const TOKEN = /\*\*\/|\*\*|\*|\?|\[[^\]]+\]|\{[^{}]+\}|[\s\S]/gu;

/** Case does not count: the same folder is opened on systems that ignore it. */
export function compileGlob(glob: string): RegExp {
  const source = glob.replace(TOKEN, translate);
  return new RegExp(`^${source}$`, 'iu');
}

function translate(token: string): string {
  if (token === '**/') return '(?:.*/)?';
  if (token === '**') return '.*';
  if (token === '*') return '[^/]*';
  if (token === '?') return '[^/]';
  if (token.length > 2 && token.startsWith('[')) return token.replace(/^\[!/u, '[^').replaceAll('\\', String.raw`\\`);
  if (token.length > 2 && token.startsWith('{')) {
    const choices = token.slice(1, -1).split(',');
    return `(?:${choices.map((choice) => choice.replace(TOKEN, translate)).join('|')})`;
  }
  return token.replace(/[\\^$.*+?()[\]{}|/]/u, String.raw`\$&`);
}

/** The sort of file at a path: every kind with a frontmatter schema, and the few without. */
export type FileKind = FrontmatterKind | 'generated' | 'meta' | 'config' | 'asset';

export interface LayoutRule {
  /** A glob over workspace paths. */
  readonly pattern: string;
  readonly kind: FileKind;
  readonly store: Store;
}

interface CompiledRule extends LayoutRule {
  readonly matcher: RegExp;
}

/** A table from path patterns to stores; the first rule that matches decides. */
export interface Layout {
  readonly name: string;
  /** In our own home a file that breaks its schema is an error; in an adopted folder it is only worth a warning. */
  readonly isStrict: boolean;
  readonly rules: readonly CompiledRule[];
  /** The limits of MEMORY.md in this home. */
  readonly core: CoreCaps;
}

export function defineLayout(
  name: string,
  isStrict: boolean,
  rules: readonly LayoutRule[],
  core: CoreCaps = defaultConfig().core,
): Layout {
  return { name, isStrict, core, rules: rules.map((rule) => ({ ...rule, matcher: compileGlob(rule.pattern) })) };
}

function rule(pattern: string, kind: FileKind, store: Store): LayoutRule {
  return { pattern, kind, store };
}

/** The part of the tree that is Mneme's wherever it lives: it writes here in an adopted folder too. */
const OWN_RULES: readonly LayoutRule[] = [
  rule('MEMORY.md', 'memory', 'core'),
  rule('memory/episodes/*.md', 'episode', 'episodic'),
  rule('memory/journal/**/*.md', 'journal', 'journal'),
  rule('memory/graph/entities/*.md', 'entity', 'semantic'),
  rule('memory/graph/relations.md', 'relations', 'semantic'),
  rule('memory/graph/index.md', 'generated', 'meta'),
  rule('memory/procedures/**/*.md', 'procedure', 'procedural'),
  rule('memory/reference/**/*.md', 'reference', 'reference'),
  // Files of Anthropic's memory tool: any text, under whatever name the agent gave it.
  rule('memory/agent-notes/**', 'reference', 'reference'),
  rule('memory/vault/**', 'vault', 'vault'),
  rule('memory/meta/proposals/*.md', 'proposal', 'meta'),
  rule('memory/meta/pending-*.md', 'generated', 'meta'),
  rule('memory/meta/**', 'meta', 'meta'),
  rule('memory/archive/**/index.json', 'meta', 'meta'),
];

const IDENTITY_RULE = rule('{SOUL,IDENTITY,USER,AGENTS,TOOLS}.md', 'identity', 'identity');

const LAST_RULES: readonly LayoutRule[] = [
  rule('mneme.yaml', 'config', 'meta'),
  rule('**/*.{md,markdown}', 'reference', 'reference'),
  rule('**', 'asset', 'reference'),
];

export const HOME_LAYOUT = defineLayout('mneme', true, [
  ...OWN_RULES,
  IDENTITY_RULE,
  rule('topics/**/*.md', 'topic', 'topic'),
  // Transcripts live in a repository of their own; a path is relative to it or to the home.
  rule('{raw/,}conversations/**/*.md', 'transcript', 'episodic'),
  ...LAST_RULES,
]);

export const OPENCLAW_LAYOUT = defineLayout('openclaw', false, [
  rule('memory/[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*.md', 'episode', 'episodic'),
  ...OWN_RULES,
  IDENTITY_RULE,
  rule('{HEARTBEAT,BOOTSTRAP}.md', 'identity', 'identity'),
  rule('skills/**/SKILL.md', 'procedure', 'procedural'),
  rule('topics/**/*.md', 'topic', 'topic'),
  ...LAST_RULES,
]);

/** A Markdown vault: a person's notes keep their own meaning, only what Mneme itself writes is more than reference. */
export const VAULT_LAYOUT = defineLayout('vault', false, [...OWN_RULES, ...LAST_RULES]);

export interface Place {
  readonly kind: FileKind;
  readonly store: Store;
  readonly scope: Scope;
  readonly isArchived: boolean;
}

const SCOPE_PREFIX = /^memory\/scopes\/([^/]+)\//iu;
const ARCHIVE_PREFIX = /^memory\/archive\/(?:\d{4}-\d{2}\/)?/iu;

/** Everything the path of a file says about it. */
export function placeOf(path: string, layout: Layout): Place {
  const normal = normalPath(path);
  const scoped = normal.replace(SCOPE_PREFIX, '');
  const isArchived = ARCHIVE_PREFIX.test(scoped) && !/\/index\.json$/iu.test(scoped);
  // Archived files keep their kind: `memory/archive/2025-11/episodes/x.md.gz` is still an episode file.
  const bare = isArchived ? `memory/${scoped.replace(ARCHIVE_PREFIX, '').replace(/\.gz$/iu, '')}` : scoped;
  const own = matchRule(bare, layout);
  // A scope's folder holds the same tree, with or without the `memory/` level.
  const isShortened = scoped !== normal && isFallback(own) && !bare.toLowerCase().startsWith('memory/');
  const { kind, store } = isShortened ? matchRule(`memory/${bare}`, layout) : own;
  return { kind, store, scope: scopeOfPath(normal), isArchived };
}

function matchRule(path: string, layout: Layout): LayoutRule {
  return layout.rules.find((rule) => rule.matcher.test(path)) ?? rule('**', 'asset', 'reference');
}

function isFallback(found: LayoutRule): boolean {
  return LAST_RULES.some((last) => last.pattern === found.pattern);
}

export function normalPath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.?\/)+/u, '');
}

/** The name of a file without folder and `.md`. */
export function fileStem(path: string): string {
  return path.replace(/^.*[\\/]/u, '').replace(/\.md$/iu, '');
}

export function kindOfPath(path: string, layout: Layout = HOME_LAYOUT): FileKind {
  return placeOf(path, layout).kind;
}

export function storeOfPath(path: string, layout: Layout = HOME_LAYOUT): Store {
  return placeOf(path, layout).store;
}

/** The scope a path belongs to. A folder name without a kind is a project's: private is the safe reading. */
export function scopeOfPath(path: string): Scope {
  const folder = SCOPE_PREFIX.exec(normalPath(path))?.[1]?.toLowerCase();
  if (folder === undefined) return 'shared';
  const scope = folder.replace('--', ':');
  if (isScope(scope)) return scope;
  const name = folder
    .replaceAll(/[^a-z0-9._-]+/gu, '-')
    .replace(/^[^a-z0-9]+/u, '')
    .slice(0, 64);
  return `project:${name === '' ? 'unnamed' : name}`;
}

/** Written by Mneme from other files: a hand edit is reported and then regenerated. */
export function isGenerated(path: string): boolean {
  return kindOfPath(path) === 'generated';
}

export type Sensitivity = 'critical' | 'high' | 'standard';

const CRITICAL_FILES = /^(?:mneme\.yaml|soul\.md|identity\.md)$/iu;
const HIGH_FILES = /^(?:user|tools|agents)\.md$/iu;

/** Rates how much a change deserves attention (S4 §12.1): who the agent is, who the user is, or everyday memory. */
export function sensitivityOf(path: string): Sensitivity {
  const scoped = normalPath(path).replace(SCOPE_PREFIX, '');
  if (CRITICAL_FILES.test(scoped)) return 'critical';
  return HIGH_FILES.test(scoped) || storeOfPath(path) === 'vault' ? 'high' : 'standard';
}

/** The scope a file belongs to: its folder's, or for a file of the shared tree what its frontmatter says. */
export function scopeOfFile(folderScope: Scope, { frontmatter }: Pick<MarkdownDocument, 'frontmatter'>): Scope {
  if (folderScope !== 'shared' || frontmatter === undefined) return folderScope;
  const { values, entries } = frontmatter;
  // A slip in another line must not open the file to everybody.
  const stated = values === undefined ? scopeInLine(entries.find(({ key }) => key === 'scope')?.raw) : values['scope'];
  return statedScope(stated) ?? folderScope;
}

/** The scope that a value names, in any case; undefined where it means something else. */
function statedScope(stated: unknown): Scope | undefined {
  const name = typeof stated === 'string' ? stated.trim().toLowerCase() : '';
  return isScope(name) ? name : undefined;
}

function scopeInLine(line: string | undefined): string | undefined {
  return /^scope[ \t]*:[ \t]*["']?([\w.:-]+)/mu.exec(line ?? '')?.[1];
}

/** An item that says it belongs to another scope than its file. */
const SCOPE_MARK = /\bscope:\s*((?:user|project|channel|agent):[\w.-]+)/giu;

type Sees = (owner: Scope) => boolean;

/**
 * The lines, from 1, of items that are marked as belonging to a scope that is not seen: the whole item, with what stands indented
 * below it. All lines where the file says so of itself, as an earlier version of it may.
 */
export function linesOfOthers(text: string, sees: Sees): ReadonlySet<number> {
  const lines = new Set<number>();
  if (!/\bscope\b/iu.test(text)) return lines;
  const document = parseDocument(text);
  if (!sees(scopeOfFile('shared', document))) return new Set(text.split('\n').map((_line, index) => index + 1));
  let hiddenLevel: number | undefined;
  for (const { block, startLine, endLine } of locateBlocks(document)) {
    const isBelow = hiddenLevel !== undefined && block.kind === 'item' && block.level > hiddenLevel;
    if (!isBelow) hiddenLevel = isOthers(block.raw, sees) ? block.level : undefined;
    if (hiddenLevel === undefined) continue;
    for (let line = startLine; line <= endLine; line += 1) lines.add(line);
  }
  return lines;
}

function isOthers(raw: string, sees: Sees): boolean {
  return [...raw.matchAll(SCOPE_MARK)].some(([, stated]) => {
    const owner = statedScope(stated);
    return owner === undefined || !sees(owner);
  });
}

/** The text without them, as if they had never been there. */
export function withoutOthers(text: string, sees: Sees): string {
  const others = linesOfOthers(text, sees);
  if (others.size === 0) return text;
  return text
    .split('\n')
    .filter((_line, index) => !others.has(index + 1))
    .join('\n');
}

const BUILT_IN: Readonly<Record<string, Layout>> = {
  mneme: HOME_LAYOUT,
  openclaw: OPENCLAW_LAYOUT,
  vault: VAULT_LAYOUT,
};

/** The shape of a store's files when only the store is known. */
const KIND_OF_STORE: Readonly<Record<Store, FileKind>> = {
  core: 'memory',
  episodic: 'episode',
  semantic: 'entity',
  procedural: 'procedure',
  vault: 'vault',
  journal: 'journal',
  reference: 'reference',
  topic: 'topic',
  identity: 'identity',
  meta: 'meta',
};

/** The table that says which file belongs to which store: a person's own patterns first, then the named layout's. */
export function layoutOf(config: Config): Layout {
  const { layout: name, patterns } = config.workspace;
  const own: LayoutRule[] = Object.entries(patterns).map(([pattern, store]) =>
    store === 'ignore'
      ? { pattern, kind: 'asset', store: 'reference' }
      : { pattern, kind: KIND_OF_STORE[store], store },
  );
  const base = BUILT_IN[name] ?? VAULT_LAYOUT;
  if (own.length === 0) return { ...base, core: config.core };
  return defineLayout(name, base.isStrict, [...own, ...base.rules], config.core);
}
