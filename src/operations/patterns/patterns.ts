import type { Stores } from '../../extract/place.ts';
import { z } from 'zod';
import { builtInLabel } from '../../extract/extractors.ts';
import { takeIn, type ExtractedItem } from '../../extract/extraction.ts';
import { describeCounts, describePattern, sortOf } from '../../memory/patterns/describe.ts';
import { minePatterns } from '../../memory/patterns/mine.ts';
import { type Pattern, readOccurrences } from '../../memory/patterns/occurrence.ts';
import { listPatternFiles, planPattern, planRetirement, type PatternFile } from '../../memory/patterns/pattern-file.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { occurrencesIn } from '../../memory/patterns/from-conversations.ts';
import { type Candidate, realName } from '../../model/knowledge.ts';
import type { HeardConversation } from '../../reasoner/port.ts';
import { type Change, underPermit } from '../../workspace/door/request.ts';
import { addDays, localTime } from '../../model/time.ts';
import type { Transcript } from '../../workspace/formats/transcript.ts';
import { dayOfTranscript, readTranscript, transcriptPaths } from '../browse/sessions.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { assertWriter } from '../writer-gate.ts';

/** From here on a pattern is a fact about the user's life (S1 §7.4), unless it contradicts one. */
const FACT_CONFIDENCE = 0.8;

const input = z.object({
  learn: z
    .boolean()
    .default(false)
    .describe('Write each as a file under memory/procedures, and what is sure as a fact.'),
  minConfidence: z
    .number()
    .min(0)
    .max(1)
    .default(0.3)
    .describe('Leave out what is less sure (0 to 1; 0.3 when not given).'),
});

export type PatternsInput = z.input<typeof input>;

export interface FoundPattern {
  readonly key: string;
  readonly sort: 'temporal' | 'behavioural' | 'causal';
  readonly description: string;
  readonly counts: string;
  readonly held: number;
  readonly tried: number;
  readonly expected: number;
  readonly confidence: number;
  readonly status: 'active' | 'retired';
  /** Its file; null while it was only looked at. */
  readonly path: string | null;
  /** The outcome for the fact made from it; null below the threshold. */
  readonly fact: Pick<ExtractedItem, 'action' | 'id' | 'path' | 'reason'> | null;
}

export interface PatternsResult {
  /** The number of dated entries, requests and tool calls examined. */
  readonly occurrences: number;
  readonly patterns: readonly FoundPattern[];
  /** Files of patterns that no longer hold. */
  readonly retired: readonly string[];
  readonly mutation: string | null;
}

/** Recurring patterns: habits, sequences, choices and consequences. */
export const patterns = defineVerb({
  name: 'patterns',
  summary: 'Show what keeps happening: habits, sequences, choices, causes.',
  description:
    'Show what keeps happening in conversations and episodes: habits of the week and the clock, what follows what, what fixes what, what is chosen. Only what chance does not explain is shown.',
  input,
  effect: 'write',
  withoutLease: 'asks',
  run: runPatterns,
  http: { isLong: true },
  cli: { path: 'learn patterns', formerly: ['patterns'], options: { minConfidence: { value: 'share' } } },
  render: async (view, output) => (await import('./render.ts')).renderPatterns(view, output),
});

async function runPatterns(context: OperationContext, given: z.output<typeof input>): Promise<PatternsResult> {
  const { root } = context.workspace;
  const { time_zone: timeZone } = context.config;
  const occurrences = [
    ...readOccurrences({ root, timeZone }),
    ...occurrencesIn(await readLateTranscripts(context), timeZone),
  ];
  const found = minePatterns(occurrences, { minConfidence: given.minConfidence });
  const known = listPatternFiles(root);
  if (!given.learn) {
    const shown = found.map((pattern) => show(pattern, fileOf(pattern, known), null));
    return { occurrences: occurrences.length, patterns: shown, retired: [], mutation: null };
  }
  const permit = await assertWriter(context, 'patterns --learn');
  const learned = await underPermit(permit, () => learn(context, found, known));
  return { occurrences: occurrences.length, ...learned };
}

/** Habits of the last half year: a night reads no more, however many years there are. */
const MINED_DAYS = 182;

async function readLateTranscripts(context: OperationContext): Promise<Transcript[]> {
  const since = addDays(localTime(context.clock.now(), context.config.time_zone).date, -MINED_DAYS);
  const read: Transcript[] = [];
  for (const path of transcriptPaths(context)) {
    if (dayOfTranscript(path) < since) break;
    read.push(...readTranscript(context, path));
    // A year of conversations: a person at the keyboard does not wait for all of them.
    if (read.length % 50 === 49) await new Promise((resolve) => setImmediate(resolve));
  }
  return read;
}

async function learn(
  context: OperationContext,
  found: readonly Pattern[],
  known: readonly PatternFile[],
): Promise<Omit<PatternsResult, 'occurrences'>> {
  // Facts before files: a pattern's own file says the same, and would be taken for having been heard before.
  const facts = new Map<string, FoundPattern['fact']>();
  for (const pattern of found) {
    if (pattern.confidence < FACT_CONFIDENCE || pattern.isRetired) continue;
    const { action, id, path, reason } = await learnFact(context, pattern);
    facts.set(pattern.key, { action, id, path, reason });
  }
  const written = await writePatterns(context, found, known);
  const now = listPatternFiles(context.workspace.root);
  return {
    patterns: found.map((pattern) => show(pattern, fileOf(pattern, now), facts.get(pattern.key) ?? null)),
    ...written,
  };
}

/** All files in one mutation: the patterns of a life belong together and are taken back together. */
async function writePatterns(
  context: OperationContext,
  found: readonly Pattern[],
  known: readonly PatternFile[],
): Promise<Pick<PatternsResult, 'retired' | 'mutation'>> {
  const stores = await context.parts.stores();
  const { parts } = stores;
  const keys = new Set(found.map(({ key }) => key));
  const gone = known.filter(({ key, isRetired }) => !isRetired && !keys.has(key));
  const fresh = found.filter((pattern) => !pattern.isRetired || fileOf(pattern, known) !== undefined);
  const changes: Change[] = [
    ...fresh.map((pattern) => planPattern(parts, pattern, fileOf(pattern, known))),
    ...gone.map((file) => planRetirement(parts, file)),
    ...retiredFacts(context, stores, [
      ...gone,
      ...found.flatMap((each) => (each.isRetired ? (fileOf(each, known) ?? []) : [])),
    ]),
  ];
  if (changes.length === 0) return { retired: [], mutation: null };
  const { mutation } = await context.workspace.commit({
    changes,
    actor: context.actor,
    approval: 'auto',
    trigger: 'patterns',
    summary: `patterns: ${fresh.length} found, ${gone.length} no longer hold`,
  });
  return { retired: gone.map(({ path }) => path), mutation: mutation ?? null };
}

/** Facts concluded from a pattern end with it, unless they were confirmed since. */
function retiredFacts(
  { workspace }: OperationContext,
  { entities }: Stores,
  files: readonly PatternFile[],
): readonly Change[] {
  const user = entities.registry.findUser();
  if (user === undefined || files.length === 0) return [];
  const texts = files.flatMap(({ path }) => nodeFileSystem.read(`${workspace.root}/${path}`)?.toString('utf8') ?? []);
  return entities
    .read(user)
    .facts.filter(({ isSuperseded, meta }) => !isSuperseded && meta.source === 'inferred' && (meta.verified ?? 0) === 0)
    .filter(({ text }) => texts.some((file) => file.includes(text)))
    .flatMap(({ id }) => (id === undefined ? [] : entities.planSupersede(user, id, {}).changes));
}

/** As a statement about the user: heard before it is reinforced, against what is known it becomes a proposal. */
async function learnFact(context: OperationContext, pattern: Pattern): Promise<ExtractedItem> {
  const extraction = await context.parts.extraction();
  const statement = describePattern(pattern.shape);
  const conversation: HeardConversation = {
    session: '',
    user: realName(extraction.stores.entities.registry.findUser()?.name),
    timeZone: context.config.time_zone,
    turns: [],
  };
  const candidate: Candidate = {
    kind: 'fact',
    statement,
    evidence: { session: '', turns: [], quote: describeCounts(pattern) },
    trust: pattern.trust ?? 'agent',
    saidMs: pattern.lastMs,
    confidence: 'high',
    importance: 0.5,
    subject: { name: conversation.user ?? '', type: 'person', isUser: true },
    entities: [],
    relations: [],
    tags: ['pattern', sortOf(pattern.shape)],
    isCoreWorthy: false,
  };
  const attribution = { actor: context.actor, approval: 'auto', trigger: 'patterns' } as const;
  const request = { conversation, attribution, source: 'inferred' } as const;
  const finding = { candidate, extractor: builtInLabel('fact') };
  const expected = await takeIn(extraction, { ...request, isDryRun: true }, finding);
  // That it still holds is no new confirmation: it is looked at every night.
  return expected.action === 'confirmed' ? expected : takeIn(extraction, request, finding);
}

function fileOf({ key }: Pattern, known: readonly PatternFile[]): PatternFile | undefined {
  return known.find((file) => file.key === key);
}

function show(pattern: Pattern, file: PatternFile | undefined, fact: FoundPattern['fact']): FoundPattern {
  const { key, shape, held, tried, expected, confidence, isRetired } = pattern;
  return {
    key,
    sort: sortOf(shape),
    description: describePattern(shape),
    counts: describeCounts(pattern),
    held,
    tried,
    expected: Math.round(expected * 1000) / 1000,
    confidence: Math.round(confidence * 100) / 100,
    status: isRetired ? 'retired' : 'active',
    path: file?.path ?? null,
    fact,
  };
}
