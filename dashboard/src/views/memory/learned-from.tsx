import type { JSX } from 'preact';
import { useQuery } from '../../api/query.ts';
import { linkTo } from '../../app/route.ts';
import { actorName } from '../../text/names.ts';
import { Loaded, Time } from '../../ui/parts.tsx';
import { Taught } from '../../ui/taught.tsx';

/** Shows the origin of a memory: the turn that taught it, or its author. */
export function Learned({ id }: { readonly id: string }): JSX.Element {
  const query = useQuery('why', { id });
  return (
    <Loaded query={query} lines={2}>
      {(answer) => {
        if (!('remembered' in answer)) return null;
        const { provenance, text } = answer.remembered;
        const { session, turn, mutation, actor, writtenAt } = provenance;
        return (
          <div class="stack tight">
            {session === null || turn === null ? null : <Taught session={session} turn={turn} words={text} />}
            {mutation === null ? null : (
              <p class="small faint">
                Written by {actor === null ? 'somebody' : actorName(actor)} <Time at={writtenAt} /> ·{' '}
                <a href={linkTo('time/changes', mutation)}>the change</a>
              </p>
            )}
            {session === null && mutation === null ? (
              <p class="small faint">It was there before Mneme kept a history of it.</p>
            ) : null}
          </div>
        );
      }}
    </Loaded>
  );
}
