import type { Scope } from '../model/provenance.ts';
import type { Redactor } from '../workspace/safety/redact.ts';
import { projectName } from '../model/text.ts';

/** Details given about a session when it starts; all are optional. */
export interface SessionDetails {
  readonly channel?: string | undefined;
  readonly model?: string | undefined;
  /** The folder being worked in, or the project's name. */
  readonly project?: string | undefined;
  readonly user?: string | undefined;
  readonly topic?: string | undefined;
  readonly origin?: string | undefined;
  /** The private scope it belongs to; a session keeps the one it began with. */
  readonly scope?: Scope | undefined;
}

/** Whatever is typed may hold a secret, and all of this reaches the transcript. */
export async function cleanDetails(redactor: Redactor, details: SessionDetails): Promise<SessionDetails> {
  const clean = async (text: string | undefined): Promise<string | undefined> =>
    text === undefined ? undefined : (await redactor.redact(text)).text.replaceAll(/\s+/gu, ' ').trim();
  const { channel, model, project, user, topic, origin, scope } = details;
  return {
    channel: await clean(channel),
    model: await clean(model),
    project: await clean(project === undefined ? undefined : projectName(project)),
    user: await clean(user),
    topic: await clean(topic),
    origin,
    scope: scope === 'shared' ? undefined : scope,
  };
}
