import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { isoWeek, localTime, isoTime } from '../../model/time.ts';
import { createTag, deleteTag, listTags, TAG_ROOT, type MemoryTag, type TagResult } from '../../workspace/git/tags.ts';
import type { OperationContext } from '../context.ts';
import { refuseSecretId } from '../../workspace/safety/clean-name.ts';
import { callInstead, defineVerb } from '../verb.ts';
import { openHistory, resolvePoint } from './open-history.ts';

export interface Tag {
  /** Without `memory/`: what every command takes. */
  readonly name: string;
  readonly commit: string;
  readonly time: string;
  readonly message: string;
}

export const listMemoryTags = defineVerb({
  name: 'tag list',
  summary: 'List the states of the memory that have a name.',
  input: z.object({ prefix: z.string().default('').describe('Only names that begin with this, such as daily/.') }),
  effect: 'read',
  reach: 'shared',
  async run(context, { prefix }): Promise<Tag[]> {
    const { git } = await openHistory(context);
    return (await listTags(git, prefix)).map(describeTag);
  },
  cli: { path: false },
  render: async (view, output) => (await import('./render-history.ts')).renderTags(view, output),
});

const createInput = z.object({
  name: z.string().min(1).optional().describe('before/NAME, milestone/NAME or extract/VERSION.'),
  snapshot: z.enum(['daily', 'weekly']).optional().describe('The tag of today or of this week instead of a name.'),
  message: z.string().trim().min(1).optional().describe('Why this state deserves a name.'),
  at: z.string().optional().describe('A state of the past: a date, a mutation id, a commit.'),
});

export interface Tagged extends Omit<TagResult, 'reason'> {
  /** Why no tag was made: there is one already, or nothing changed since the last of its kind. */
  readonly reason: 'exists' | 'unchanged' | null;
}

export const createMemoryTag = defineVerb({
  name: 'tag',
  summary: 'Give a state of the memory a name to come back to.',
  description:
    'Give a state of the memory a name to come back to: before/NAME, milestone/NAME, extract/VERSION. Without a name the ' +
    'tags are listed.',
  examples: [
    'mneme history tag',
    'mneme history tag before/cleanup -m "before the big clean-up"',
    'mneme history tag --daily',
  ],
  input: createInput,
  args: ['name'],
  effect: 'write',
  async run(context, given): Promise<Tagged> {
    await refuseSecretId(context.workspace.redactor, given.name ?? '', 'name');
    const { git } = await openHistory(context);
    const nowMs = context.clock.now();
    const at = given.at === undefined ? undefined : await resolvePoint(context, git, given.at);
    const message =
      given.message === undefined ? undefined : (await context.workspace.redactor.redact(given.message)).text;
    const result = await createTag(git, { name: nameOf(context, given), commit: at?.commit, message, nowMs });
    return { ...result, name: withoutRoot(result.name), reason: result.reason ?? null };
  },
  library: { args: [] },
  cli: {
    path: 'history tag',
    formerly: ['tag'],
    options: { snapshot: false, message: { short: 'm', value: 'words' }, at: { value: 'when' } },
    extra: {
      daily: { flags: '--daily', help: 'the tag of today; none when nothing changed since the last' },
      weekly: { flags: '--weekly', help: 'the tag of this week' },
      delete: { flags: '--delete', help: 'take the name away again' },
    },
    instead({ input: { name }, extra }) {
      if (extra['delete'] === true) {
        if (name !== undefined) return callInstead(deleteMemoryTag, { name });
        throw new MnemeError('usage', 'Which tag?', { hint: '`mneme history tag` lists them.' });
      }
      const isListing = name === undefined && extra['daily'] !== true && extra['weekly'] !== true;
      return isListing ? callInstead(listMemoryTags, {}) : undefined;
    },
    prepare({ input, extra: { daily, weekly } }) {
      if (daily === true && weekly === true) throw new MnemeError('usage', '--daily and --weekly exclude each other.');
      const snapshot = daily === true ? ('daily' as const) : weekly === true ? ('weekly' as const) : undefined;
      return { ...input, snapshot };
    },
  },
  render: async (view, output) => (await import('./render-history.ts')).renderTagged(view, output),
});

export const deleteMemoryTag = defineVerb({
  name: 'tag delete',
  summary: 'Take a name away again; the state itself stays in the history.',
  input: z.object({ name: z.string().min(1).describe('The tag.') }),
  args: ['name'],
  effect: 'write',
  async run(context, { name }): Promise<Tag> {
    const { git } = await openHistory(context);
    return describeTag(await deleteTag(git, name));
  },
  cli: { path: false },
  render: (_view, { name }) => `Removed the tag ${name}.\n`,
});

function nameOf(context: OperationContext, { name, snapshot }: z.output<typeof createInput>): string {
  if (name !== undefined && snapshot === undefined) return name;
  if (snapshot === undefined || name !== undefined) {
    throw new MnemeError('usage', name === undefined ? 'The tag needs a name.' : `--${snapshot} is a name already.`, {
      hint: 'Use before/NAME or milestone/NAME, or one of --daily and --weekly.',
    });
  }
  const { date } = localTime(context.clock.now(), context.config.time_zone);
  return snapshot === 'daily' ? `daily/${date}` : `weekly/${isoWeek(date)}`;
}

function describeTag({ name, commit, timeMs, message }: MemoryTag): Tag {
  const short = withoutRoot(name);
  return { name: short, commit, time: isoTime(timeMs), message: message === name ? '' : message };
}

function withoutRoot(name: string): string {
  return name.startsWith(TAG_ROOT) ? name.slice(TAG_ROOT.length) : name;
}
