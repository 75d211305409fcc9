import { z } from 'zod';
import { isActive, withActive, withoutActive } from '../../topics/state/session-state.ts';
import { type WatchedTopic, getTopic, isEventTrigger } from '../../topics/topic-file.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { scopeField } from './list.ts';
import { MINUTE_MS } from '../../model/time.ts';

const input = z.object({
  name: z.string().min(1).describe('The topic’s name, title or path.'),
  session: z.string().trim().min(1).max(200).describe('The conversation it is for.'),
  scope: scopeField,
});
export type ActivateTopicInput = z.input<typeof input>;

export interface ChangedActivation {
  readonly name: string;
  readonly path: string;
  readonly session: string;
  readonly isActive: boolean;
  /** False when it was so before. */
  readonly isChanged: boolean;
}

export const activateTopic = defineVerb({
  name: 'topics activate',
  summary: 'Switch a topic on in a conversation, until it is switched off.',
  input,
  args: ['name'],
  effect: 'write',
  withoutLease: 'own',
  async run(context, { name, session, scope }): Promise<ChangedActivation> {
    const { topics, states } = await context.parts.topics();
    const topic = getTopic(await topics.visible(scope ?? 'shared'), name);
    const before = states.read(session);
    const entry = {
      path: topic.path,
      cause: 'manual' as const,
      reason: `switched on by ${context.actor}`,
      sinceMs: context.clock.now(),
      score: null,
      decision: null,
      matches: [],
    };
    await states.write(
      session,
      withActive({ ...before, active: before.active.filter(({ path }) => path !== topic.path) }, entry),
    );
    const isChanged = before.active.find(({ path }) => path === topic.path)?.cause !== 'manual';
    return { name: topic.name, path: topic.path, session, isActive: true, isChanged };
  },
  cli: { options: { session: { value: 'id' }, scope: { value: 'scope' } } },
  render: async (view, output) => (await import('./render.ts')).renderChanged(view, output),
});

export const deactivateTopic = defineVerb({
  name: 'topics deactivate',
  summary: 'Switch a topic off in a conversation; it rests for a few messages.',
  input,
  args: ['name'],
  effect: 'write',
  withoutLease: 'own',
  async run(context, { name, session, scope }): Promise<ChangedActivation> {
    const { topics, states } = await context.parts.topics();
    const topic = getTopic(await topics.visible(scope ?? 'shared'), name);
    const before = states.read(session);
    await states.write(session, withoutActive(before, topic.path));
    return { name: topic.name, path: topic.path, session, isActive: false, isChanged: isActive(before, topic.path) };
  },
  cli: { options: { session: { value: 'id' }, scope: { value: 'scope' } } },
  render: async (view, output) => (await import('./render.ts')).renderChanged(view, output),
});

const eventInput = z.object({
  kind: z.enum(['webhook', 'cron']).describe('webhook: something happened elsewhere; cron: a time has come.'),
  session: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('The conversation the topics are for; without one, all that go on.'),
  source: z.string().max(200).optional().describe('Where a webhook comes from, such as email.'),
  event: z.string().max(200).optional().describe('What happened, such as new_message.'),
  fromMs: z.number().optional().describe('For cron: the moment of the last look; schedules due since then count.'),
});
export type TopicEventInput = z.input<typeof eventInput>;

/** Webhooks and times come from the server and the scheduler; both call this. */
export const topicEvent = defineVerb({
  name: 'topics event',
  summary: 'Activate the topics that wait for an event or a time.',
  description:
    'Say that something happened (`webhook email new_message`) or that a time has come (`cron`), and activate the topics that wait for it.',
  input: eventInput,
  effect: 'write',
  withoutLease: 'own',
  async run(context, given): Promise<{ readonly activated: readonly string[] }> {
    const { topics, states } = await context.parts.topics();
    const found: { readonly topic: WatchedTopic; readonly reason: string }[] = [];
    for (const topic of await topics.visible('shared')) {
      if (!topic.isEnabled || topic.activation === 'manual') continue;
      const reason = await findEvent(topic, given, context);
      if (reason !== undefined) found.push({ topic, reason });
    }
    const sinceMs = context.clock.now();
    const sessions = given.session === undefined ? context.parts.sessions().list() : [given.session];
    for (const session of found.length === 0 ? [] : sessions) {
      let state = states.read(session);
      for (const { topic, reason } of found) {
        const entry = { path: topic.path, reason, score: null, decision: null, matches: [] };
        state = withActive(state, { ...entry, cause: 'event', sinceMs });
      }
      await states.write(session, state);
    }
    return { activated: sessions.length === 0 ? [] : found.map(({ topic }) => topic.name) };
  },
  cli: { args: ['kind', 'source', 'event'], options: { fromMs: false, session: { value: 'id' } } },
  render: async (view, output) => (await import('./render.ts')).renderEvent(view, output),
});

async function findEvent(
  { triggers }: WatchedTopic,
  { kind, source, event, fromMs }: z.output<typeof eventInput>,
  { clock, config }: OperationContext,
): Promise<string | undefined> {
  for (const trigger of triggers.filter(isEventTrigger)) {
    if (trigger.type === 'webhook' && kind === 'webhook' && trigger.source === source) {
      if (trigger.event === undefined || trigger.event === event) return `event ${source} ${event ?? ''}`.trim();
    }
    if (trigger.type === 'cron' && kind === 'cron') {
      const due = await findDue(trigger.schedule, config.time_zone, fromMs ?? clock.now() - MINUTE_MS, clock.now());
      if (due) return `schedule ${trigger.schedule}`;
    }
  }
  return undefined;
}

/** Whether the time of any topic came after a moment. */
export async function hasDueTopics(context: OperationContext, fromMs: number): Promise<boolean> {
  for (const topic of await (await context.parts.topics()).topics.visible('shared')) {
    if (!topic.isEnabled || topic.activation === 'manual') continue;
    const given = { kind: 'cron' as const, fromMs };
    if ((await findEvent(topic, given, context)) !== undefined) return true;
  }
  return false;
}

/** Whether a schedule was due after one moment and up to another; a schedule nobody understands never is. */
async function findDue(schedule: string, timeZone: string, fromMs: number, toMs: number): Promise<boolean> {
  const { Cron } = await import('croner');
  try {
    const next = new Cron(schedule, { timezone: timeZone, paused: true }).nextRun(new Date(fromMs));
    return next !== null && next.getTime() <= toMs;
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return false;
    throw error;
  }
}
