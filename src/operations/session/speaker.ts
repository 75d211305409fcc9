import { isSomebodyElse } from '../../capture/triggers/detect.ts';
import { realName } from '../../model/knowledge.ts';
import type { Turn } from '../../workspace/formats/transcript.ts';
import type { OperationContext } from '../context.ts';

/** The owner of the memory, as far as known, and the person who spoke as the user in a session. */
export interface Speakers {
  readonly owner: string | undefined;
  /** Other names of the owner. */
  readonly aliases: readonly string[];
  readonly sessionUser: string | undefined;
}

/** The name the memory knows its user by counts before the one a session was started with. */
export async function findSpeakers(context: OperationContext, session: string): Promise<Speakers> {
  const { entities } = context;
  await entities.sync();
  // A person mends a file with an editor, of which nobody is told.
  if (entities.all().some(({ damage }) => damage !== undefined)) await entities.sync({ isThorough: true });
  const sessions = context.parts.sessions();
  // Where nothing says whose session it is, that is in a group chat who spoke first.
  const first = (): string | undefined =>
    [...(sessions.findEarlier(session)?.said ?? []), ...sessions.peek(session).turns].find(
      ({ role, name }) => role === 'user' && realName(name) !== undefined,
    )?.name;
  const sessionUser = realName(sessions.find(session)?.user ?? first());
  const known = entities.findUser();
  const name = realName(known?.name);
  return { owner: name ?? sessionUser, aliases: name === undefined ? [] : (known?.aliases ?? []), sessionUser };
}

/** The name of whoever said it, if that is not the person whose memory this is. */
export function strangerIn(
  { owner, aliases, sessionUser }: Speakers,
  { role, name }: Pick<Turn, 'role' | 'name'>,
): string | undefined {
  const said = realName(name) ?? sessionUser;
  const isOther = [owner, ...aliases].every((known) => isSomebodyElse({ role, name: said }, known));
  return isOther ? said : undefined;
}

/** The message to a speaker who wants something kept in another person's memory. */
export function refusalOf({ owner }: Speakers, stranger: string): string {
  const same = `mneme graph alias ${JSON.stringify(owner ?? '')} ${JSON.stringify(stranger)}`;
  return `This is the memory of ${owner ?? 'somebody else'}, and ${stranger} said it: nothing is kept as theirs. If both are one person: ${same}`;
}
