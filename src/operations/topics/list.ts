import { z } from 'zod';
import { isScope } from '../../model/provenance.ts';
import type { Activation, Priority } from '../../topics/port.ts';
import { type WatchedTopic, getTopic } from '../../topics/topic-file.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';

export const scopeField = z
  .string()
  .refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME')
  .optional()
  .describe('Besides what is shared, what belongs to this scope.');
export const sessionField = z.string().trim().min(1).max(200).optional().describe('The conversation.');

export interface ListedTopic {
  readonly name: string;
  readonly title: string;
  readonly path: string;
  readonly description: string;
  readonly activation: Activation;
  readonly priority: Priority;
  readonly isEnabled: boolean;
  /** Kinds of triggers, each once. */
  readonly triggers: readonly string[];
  /** Set when a session was named and the topic is active in it. */
  readonly active: { readonly cause: string; readonly reason: string; readonly since: string } | null;
  readonly findings: readonly string[];
}

const listInput = z.object({ session: sessionField, scope: scopeField });
export type ListTopicsInput = z.input<typeof listInput>;

export const listTopics = defineVerb({
  name: 'topics list',
  summary: 'List the topics, and with a session which of them are active in it.',
  examples: ['mneme topics list --session s1'],
  input: listInput,
  effect: 'read',
  async run(context, { session, scope }): Promise<{ topics: readonly ListedTopic[] }> {
    const { topics, states } = await context.parts.topics();
    const active = session === undefined ? [] : states.read(session).active;
    const found = await topics.visible(scope ?? 'shared');
    return {
      topics: found.map((topic) => {
        const entry = active.find(({ path }) => path === topic.path);
        return Object.assign(describe(topic), { active: entry === undefined ? null : pick(entry) });
      }),
    };
  },
  library: { answer: 'topics' },
  cli: { isDefault: true, options: { session: { value: 'id' }, scope: { value: 'scope' } } },
  render: async (view, output) => (await import('./render.ts')).renderTopics(view, output),
});

function pick({ cause, reason, sinceMs }: { cause: string; reason: string; sinceMs: number }) {
  return { cause, reason, since: new Date(sinceMs).toISOString() };
}

function describe(topic: WatchedTopic): Omit<ListedTopic, 'active'> {
  const { name, title, path, description, activation, priority, isEnabled, triggers, findings } = topic;
  return {
    name,
    title,
    path,
    description,
    activation,
    priority,
    isEnabled,
    triggers: [...new Set(triggers.map(({ type }) => type))],
    findings,
  };
}

const showInput = z.object({
  name: z.string().min(1).describe('The topic’s name, title or path.'),
  scope: scopeField,
});
export type ShowTopicInput = z.input<typeof showInput>;

export interface ShownTopic extends Omit<ListedTopic, 'active' | 'triggers'> {
  readonly triggers: WatchedTopic['triggers'];
  readonly subscriptions: WatchedTopic['subscriptions'];
  readonly similarityThreshold: number;
  readonly maxContextKb: number;
  readonly body: string;
  /** The last decisions about it, the latest first. */
  readonly decisions: readonly {
    timestamp: string;
    outcome: string;
    score: number;
    reason: string;
    wasUseful: boolean | null;
  }[];
}

const MAX_DECISIONS = 10;

export const showTopic = defineVerb({
  name: 'topics show',
  summary: 'Show a topic: triggers, subscriptions, playbook, and the last decisions about it.',
  input: showInput,
  args: ['name'],
  effect: 'read',
  async run(context: OperationContext, { name, scope }): Promise<ShownTopic> {
    const { topics, log } = await context.parts.topics();
    const topic = getTopic(await topics.visible(scope ?? 'shared'), name);
    const decisions = log.read().filter(({ topic_path: path }) => path === topic.path);
    return {
      ...describe(topic),
      triggers: topic.triggers,
      subscriptions: topic.subscriptions,
      similarityThreshold: topic.frontmatter.similarity_threshold ?? context.config.watchers.similarity_threshold,
      maxContextKb: topic.maxContextKb,
      body: topic.body,
      decisions: decisions
        .slice(-MAX_DECISIONS)
        .reverse()
        .map((each) => ({
          timestamp: each.timestamp,
          outcome: each.outcome,
          score: each.tier2_score,
          reason: each.reason,
          wasUseful: each.was_useful,
        })),
    };
  },
  cli: { options: { scope: { value: 'scope' } } },
  render: async (view, output) => (await import('./render.ts')).renderTopic(view, output),
});
