import { localTime } from '../../model/time.ts';
import { roleOf } from '../../model/mutation.ts';
import { shorten } from '../../model/shorten.ts';
import type { Trust } from '../../model/provenance.ts';
import { realName } from '../../model/user-name.ts';
import { findSameEntry, noteHeardAgain } from '../../extract/heard-again.ts';
import type { Hit } from '../../retrieve/hit.ts';
import { parseEpisodes } from '../../workspace/formats/episode.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { OperationContext } from '../context.ts';
import type { Remembered } from '../remember.ts';

interface Told {
  readonly text: string;
  readonly trust: Trust;
  readonly session?: string | undefined;
  readonly turn?: string | undefined;
  readonly trigger?: string | undefined;
}

/** Notes at the entry that says the same that it was heard again; undefined when none does. */
export async function confirmEntry(
  context: OperationContext,
  { text, trust, session, turn, trigger }: Told,
  alike: readonly Hit[],
): Promise<Omit<Remembered, 'redacted'> | undefined> {
  // Whoever is believed less cannot make the user's word count more.
  if (trust !== 'user' && trust !== 'agent') return undefined;
  const { clock, config, workspace, actor, entities } = context;
  await entities.sync();
  const now = clock.now();
  const known = await findSameEntry(alike, { text, saidMs: now, user: realName(entities.findUser()?.name) });
  if (known === undefined) return undefined;
  const { date } = localTime(now, config.time_zone);
  const evidence = session === undefined || turn === undefined ? undefined : `${session}#${turn}`;
  let isThere = true;
  const edit = (current: string | undefined): string | undefined => {
    const after = current === undefined ? undefined : noteHeardAgain(current, known.id, { date, evidence });
    isThere = after !== undefined;
    return after ?? current;
  };
  const result = await workspace.commit({
    actor,
    approval: roleOf(actor) === 'human' ? '—' : 'auto',
    trigger,
    session,
    summary: `heard again "${shorten(text)}"`,
    changes: [{ path: known.path, edit }],
  });
  if (!isThere) return undefined;
  const file = result.files.find(({ path }) => path === known.path);
  const entry = parseEpisodes(parseDocument(file?.text ?? '')).entries.find(({ id }) => id === known.id);
  return {
    id: known.id,
    mutation: result.mutation ?? '',
    store: 'episodic',
    path: known.path,
    startLine: entry?.startLine ?? 1,
    endLine: entry?.endLine ?? 1,
    commit: null,
    warnings: ['It was remembered before; that it was said again is noted there.'],
  };
}
