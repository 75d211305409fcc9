import { MnemeError } from '../model/errors.ts';
import { roleOf, type Actor } from '../model/mutation.ts';

/** Says whether this machine is the one that writes. */
export interface WriterGate {
  /** Why it is not, in words; undefined when it is, for as long as an ordinary write takes. */
  whyNot(): Promise<string | undefined>;
  close(): Promise<void>;
}

/**
 * What an operation does for an agent where another machine writes: it proposes what it would have written; it asks by
 * itself, because only some of its uses write; or it concerns this machine alone (its conversations, what it did and
 * noted, the copies it keeps), which nobody else writes.
 */
export type WithoutLease = 'proposes' | 'asks' | 'own';

interface Asking {
  readonly actor: Actor;
  readonly writer?: WriterGate | undefined;
}

/** Why what somebody wants to write has to wait as a proposal; people always write. */
export async function whyPropose({ actor, writer }: Asking): Promise<string | undefined> {
  return roleOf(actor) === 'human' ? undefined : writer?.whyNot();
}

/** For what no proposal can stand for. */
export async function assertWriter(asking: Asking, name: string): Promise<void> {
  const reason = await whyPropose(asking);
  if (reason === undefined) return;
  throw new MnemeError('locked', `${asking.actor} may not run ${name} here: ${reason}`, {
    hint: 'Try again later, do it on that machine, or let a person do it: people always write.',
  });
}
