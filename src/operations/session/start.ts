import { z } from 'zod';
import { isScope } from '../../model/provenance.ts';
import { isPrivateEnvironment } from '../../platform/environment.ts';
import { defineVerb } from '../verb.ts';
import { assertSeesSession } from './session-scope.ts';

const words = (what: string) => z.string().trim().min(1).max(200).optional().describe(what);

const input = z.object({
  id: z.string().min(1).optional().describe('Go on with this session, or begin one of this name; a new one if absent.'),
  channel: words('Where it takes place, such as slack or cli.'),
  model: words('The model that answers.'),
  project: words('The folder being worked in, or the project’s name.'),
  user: words('What the user is called.'),
  topic: words('What it is about; the user’s first words when not given.'),
  tags: z.array(z.string().trim().min(1).max(60)).max(20).optional().describe('Words to find it by, comma-separated.'),
  scope: z
    .string()
    .refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME')
    .optional()
    .describe('Whose it is: what is said in a private scope is found, and learned from, only there.'),
  private: z
    .boolean()
    .optional()
    .describe('Nothing said in it is kept, indexed or learned from; what is known may still be injected.'),
  mustBeNew: z.boolean().optional().describe('Refuse an id that a session has already, instead of going on with it.'),
});

export type StartSessionInput = z.input<typeof input>;

export interface StartedSession {
  readonly session: string;
  /** 2 and up when it was ended before. */
  readonly part: number;
  /** The number of the first turn of this part. */
  readonly firstTurn: number;
  /** Whether there was a session of this id, open or ended. */
  readonly isResumed: boolean;
  /** Whether nothing said in it is kept. */
  readonly isPrivate: boolean;
}

export const startSession = defineVerb({
  name: 'session start',
  summary: 'Begin a conversation, or go on with one.',
  description: 'Begin a conversation, or go on with one. Prints its id.',
  input,
  effect: 'write',
  withoutLease: 'own',
  async run(context, { id, mustBeNew, private: asked, ...details }): Promise<StartedSession> {
    if (id !== undefined) assertSeesSession(context, id);
    const sessions = context.parts.sessions();
    const wantsPrivate = asked === true || isPrivateEnvironment();
    const given = wantsPrivate ? { ...details, topic: undefined, tags: undefined } : details;
    const { session, part, firstTurn, isResumed } = await sessions.start(given, id, mustBeNew);
    if (wantsPrivate) await sessions.makePrivate(session);
    return { session, part, firstTurn, isResumed, isPrivate: sessions.isPrivate(session) };
  },
  library: false as const,
  cli: {
    args: ['id'],
    options: {
      channel: { value: 'name' },
      model: { value: 'name' },
      project: { value: 'folder' },
      user: { value: 'name' },
      topic: { value: 'words' },
      scope: { value: 'scope' },
      mustBeNew: false,
    },
  },
  render: (_view, { session }) => `${session}\n`,
});
