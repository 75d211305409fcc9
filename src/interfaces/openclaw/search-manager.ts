import { quoteText } from '../../compile/fence.ts';
import type { Mneme } from '../../mneme.ts';
import type { Hit } from '../../retrieve/hit.ts';
import type { AgentMemory } from './agent-memory.ts';
import type { MemorySearchManager, MemorySearchResult, ReadText } from './host.ts';

const USUAL_RESULTS = 6;
/** About ten thousand tokens. */
const MAX_CHARS = 40_000;

export interface SearchAnswer {
  readonly results: readonly MemorySearchResult[];
  readonly mode: string;
  readonly notes: readonly string[];
}

export async function searchMemory(
  mneme: Mneme,
  query: string,
  { maxResults = USUAL_RESULTS, minScore = 0, corpus = 'all', scope }: SearchOptions,
): Promise<SearchAnswer> {
  const { hits, mode, notes } = await mneme.recall(query, {
    limit: maxResults,
    ...(scope === undefined ? {} : { scope }),
  });
  const results = hits
    .map(toResult)
    .filter(({ score, source }) => score >= minScore && (corpus === 'all' || corpus === 'wiki' || source === corpus));
  return { results, mode, notes };
}

interface SearchOptions {
  readonly maxResults?: number | undefined;
  readonly minScore?: number | undefined;
  readonly corpus?: 'memory' | 'sessions' | 'wiki' | 'all' | undefined;
  readonly scope?: string | undefined;
}

function toResult(hit: Hit): MemorySearchResult {
  const { path, startLine, endLine, score, scores, snippet, source, trust, time, id } = hit;
  return {
    path,
    startLine,
    endLine,
    score,
    vectorScore: scores.semantic,
    textScore: scores.lexical,
    snippet: quoteText(snippet),
    source: source === 'workspace' ? 'memory' : 'sessions',
    citation: `${path}#L${startLine}-L${endLine}`,
    provenance: { trust, date: time, id },
  };
}

export async function readText(
  mneme: Mneme,
  {
    path,
    from = 1,
    lines,
  }: { readonly path: string; readonly from?: number | undefined; readonly lines?: number | undefined },
): Promise<ReadText> {
  // Citations name lines behind the path.
  const target = path.replace(/#L\d+(?:-L\d+)?$/u, '');
  const result = await mneme.read(target, { from });
  const wanted = result.text.split('\n').slice(0, lines);
  const text = wanted.join('\n').slice(0, MAX_CHARS);
  const count = text.split('\n').length;
  const end = from + count - 1;
  const isCut = end < result.totalLines;
  return {
    path: result.path,
    text: quoteText(text),
    from,
    lines: count,
    truncated: isCut,
    ...(isCut ? { nextFrom: end + 1 } : {}),
  };
}

/** The search of OpenClaw's own command line, recall and status page. */
export function createSearchManager(memory: AgentMemory, mneme: Mneme): MemorySearchManager {
  const { home, workspace } = mneme.internals;
  return {
    search: async (query, options = {}) => (await searchMemory(mneme, query, options)).results,
    readFile: ({ relPath, from, lines }) => readText(mneme, { path: relPath, from, lines }),
    status: () => ({ backend: 'builtin', provider: 'mneme', workspaceDir: workspace.root, custom: { home } }),
    // The index follows every write by itself.
    sync: () => Promise.resolve(),
    probeEmbeddingAvailability: () => Promise.resolve({ ok: true }),
    probeVectorAvailability: () => Promise.resolve(true),
    close: () => memory.close(),
  };
}
