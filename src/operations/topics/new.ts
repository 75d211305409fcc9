import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import { ACTIVATIONS, PRIORITIES } from '../../model/schemas/topic.ts';
import { newTopicFile } from '../../workspace/formats/topic.ts';
import { slugify } from '../../workspace/safety/paths.ts';
import { scopeFolder } from '../../model/provenance.ts';
import { assertMayLearn } from '../may-learn.ts';
import { defineVerb } from '../verb.ts';
import { scopeField } from './list.ts';

const input = z.object({
  name: z.string().trim().min(1).max(100).describe('What it is called.'),
  description: z.string().trim().max(500).optional().describe('What it is for, in a sentence.'),
  keywords: z.array(z.string().trim().min(1).max(100)).max(50).optional().describe('Words that may call for it.'),
  instructions: z.string().max(100_000).optional().describe('What to do when it is active.'),
  activation: z.enum(ACTIVATIONS).default('gated').describe('auto, gated or manual.'),
  priority: z.enum(PRIORITIES).default('medium').describe('low, medium, high or critical.'),
  scope: scopeField,
});
export type NewTopicInput = z.input<typeof input>;

export interface NewTopic {
  readonly name: string;
  readonly path: string;
  /** `proposed` when an agent asked: only a person makes instructions of a text. */
  readonly outcome: 'written' | 'proposed' | 'already-open' | 'rejected-before';
  readonly mutation: string | null;
  readonly proposal: string | null;
}

export const newTopic = defineVerb({
  name: 'topics new',
  summary: 'Make a topic file; from an agent it is a proposal.',
  examples: ['mneme topics new "Deploying" --keywords deploy release --instructions "Run the smoke tests first."'],
  input,
  args: ['name'],
  effect: 'write',
  async run(context, given): Promise<NewTopic> {
    await assertMayLearn(context, newTopic.name, given);
    const { registry } = await context.parts.topics();
    const name = slugify(given.name, 60);
    const path = `${scopeFolder(given.scope ?? 'shared')}topics/${name}.md`;
    if ((await registry.sync()).some((topic) => topic.path === path)) {
      throw new MnemeError('conflict', `There is a topic ${name} already.`, {
        hint: `Change it: mneme edit ${path}, or take another name.`,
      });
    }
    const text = newTopicFile(given.name, frontmatterOf(given), given.instructions ?? PLACEHOLDER);
    if (roleOf(context.actor) !== 'human') {
      const proposed = await context.proposals.propose({
        kind: 'topic',
        title: `New topic ${name}`,
        why: `${context.actor} would like this playbook at hand: ${given.description ?? given.name}`,
        evidence: [],
        actor: context.actor,
        trust: 'agent',
        trigger: 'topics new',
        changes: [{ path, after: text }],
      });
      const outcome =
        proposed.outcome === 'filed' ? 'proposed' : proposed.outcome === 'applied' ? 'written' : proposed.outcome;
      return { name, path, outcome, mutation: proposed.mutation ?? null, proposal: proposed.id };
    }
    const { mutation } = await context.workspace.commit({
      actor: context.actor,
      approval: '—',
      trigger: 'topics new',
      summary: `topic ${name}`,
      changes: [{ path, content: text, base: undefined }],
    });
    return { name, path, outcome: 'written', mutation: mutation ?? null, proposal: null };
  },
  cli: {
    args: ['name...'],
    stdin: 'instructions',
    options: {
      keywords: { value: 'words', list: 'words' },
      activation: { value: 'how' },
      priority: { value: 'priority' },
      scope: { value: 'scope' },
    },
  },
  render: async (view, output) => (await import('./render.ts')).renderNew(view, output),
});

const PLACEHOLDER = '1. Say here what the agent should do, step by step.';

function frontmatterOf({ description, keywords, activation, priority, name }: z.output<typeof input>) {
  const words = keywords ?? (activation === 'manual' ? [] : [name]);
  return {
    ...(description === undefined ? {} : { description }),
    ...(words.length === 0 ? {} : { triggers: [{ type: 'keywords' as const, match: words }] }),
    activation,
    priority,
  };
}
