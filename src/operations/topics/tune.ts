import { z } from 'zod';
import { adviseSettings, suggestChanges, type TuneAdvice, type TuneSuggestion } from '../../topics/tune.ts';
import type { WatchedTopic } from '../../topics/topic-file.ts';
import { parseDocument, serializeDocument } from '../../workspace/markdown/document.ts';
import {
  deleteFrontmatterValue,
  setFrontmatterValue,
  type FrontmatterValue,
} from '../../workspace/markdown/frontmatter.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { readWorkspaceText } from '../workspace-files.ts';
import { DAY_MS } from '../../model/time.ts';

const input = z.object({
  days: z.number().int().min(1).max(3650).default(90).describe('How far back decisions are looked at.'),
  dryRun: z.boolean().optional().describe('Only show what would be proposed.'),
});
export type TuneTopicsInput = z.input<typeof input>;

export interface TuneResult {
  readonly decisions: number;
  readonly proposals: readonly (TuneSuggestion & {
    /** Null in a dry run. */
    readonly proposal: string | null;
    readonly outcome: string;
  })[];
  /** Settings of the home; nobody but a person changes them. */
  readonly advice: readonly (TuneAdvice & { readonly command: string })[];
}

export const tuneTopics = defineVerb({
  name: 'topics tune',
  summary: 'Propose better thresholds and triggers from the decisions so far, with the evidence.',
  input,
  effect: 'write',
  withoutLease: 'proposes',
  async run(context, { days, dryRun }): Promise<TuneResult> {
    const { registry, log } = await context.parts.topics();
    const { config, clock } = context;
    const topics = await registry.sync();
    const decisions = log.read(new Date(clock.now() - days * DAY_MS).toISOString());
    const suggestions = suggestChanges(topics, decisions, config.watchers.similarity_threshold);
    const advice = adviseSettings(topics, decisions, config.gate.bypass.high_min_score);
    const proposals: TuneResult['proposals'][number][] = [];
    for (const suggestion of suggestions) {
      const topic = topics.find(({ path }) => path === suggestion.path);
      if (topic === undefined) continue;
      const filed = dryRun === true ? undefined : await propose(context, topic, suggestion);
      proposals.push({ ...suggestion, proposal: filed?.id ?? null, outcome: filed?.outcome ?? 'dry run' });
    }
    return {
      decisions: decisions.length,
      proposals,
      advice: advice.map((each) => Object.assign({ command: `mneme config set ${each.setting} ${each.to}` }, each)),
    };
  },
  http: { isLong: true },
  render: async (view, output) => (await import('./render.ts')).renderTuned(view, output),
});

async function propose(context: OperationContext, topic: WatchedTopic, suggestion: TuneSuggestion) {
  const before = await readWorkspaceText(context, suggestion.path);
  const title =
    suggestion.kind === 'threshold'
      ? `Topic ${topic.name}: similarity_threshold ${suggestion.from} → ${suggestion.to}`
      : `Topic ${topic.name}: leave out trigger ${suggestion.trigger + 1}`;
  return context.proposals.propose({
    kind: 'tuning',
    title,
    why: suggestion.evidence,
    evidence: [suggestion.path],
    actor: context.actor,
    trust: 'agent',
    trigger: 'topics tune',
    changes: [{ path: suggestion.path, before, after: changed(before, suggestion) }],
  });
}

function changed(before: string, suggestion: TuneSuggestion): string {
  const document = parseDocument(before);
  if (suggestion.kind === 'threshold') {
    return serializeDocument(setFrontmatterValue(document, 'similarity_threshold', suggestion.to));
  }
  const triggers = document.frontmatter?.values?.['triggers'];
  const left = Array.isArray(triggers) ? triggers.filter((_, at) => at !== suggestion.trigger) : [];
  const after =
    left.length === 0
      ? deleteFrontmatterValue(document, 'triggers')
      : setFrontmatterValue(document, 'triggers', left as FrontmatterValue);
  return serializeDocument(after);
}
