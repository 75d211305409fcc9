import { errorMessage, MnemeError } from '../model/errors.ts';
import { roleOf, type Actor } from '../model/mutation.ts';
import { underPermit, type WritePermit } from '../workspace/door/request.ts';

/** Says whether this machine is the one that writes. */
export interface WriterGate {
  /** Why it is not, in words; undefined when it is, for as long as an ordinary write takes. */
  whyNot(): Promise<string | undefined>;
  /** Returns the permit that the write path checks, for a call that was just allowed. */
  permit(): WritePermit | undefined;
  close(): Promise<void>;
}

/**
 * The behaviour of an operation for an agent where another machine writes: it proposes what it would have written; it asks by
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

/**
 * Writes, or proposes where another machine writes: also where that one began to while this call was still at it. What
 * had been written in part by then is told as an error, because a proposal would say it a second time.
 */
export async function writeOrPropose<T>(
  asking: Asking,
  write: () => Promise<T>,
  propose: (reason: string) => Promise<T>,
): Promise<T> {
  // A proposal needs nobody's leave, also not that of the call this is a part of.
  const proposeAnyway = (why: string): Promise<T> => underPermit(undefined, () => propose(why));
  const reason = await whyPropose(asking);
  if (reason !== undefined) return proposeAnyway(reason);
  const permit = watch(permitOf(asking));
  try {
    return await underPermit(permit, write);
  } catch (error) {
    if (!permit.isLost || permit.hasWritten) throw error;
    return proposeAnyway(errorMessage(error));
  }
}

interface Watched extends WritePermit {
  isLost: boolean;
  hasWritten: boolean;
}

function watch(permit: WritePermit | undefined): Watched {
  return {
    isLost: false,
    hasWritten: false,
    async assertHolds() {
      try {
        await permit?.assertHolds();
        this.hasWritten = true;
      } catch (error) {
        this.isLost = true;
        throw error;
      }
    },
  };
}

/** For what no proposal can stand for. Whatever the call writes, it writes with the permit. */
export async function assertWriter(asking: Asking, name: string): Promise<WritePermit | undefined> {
  const reason = await whyPropose(asking);
  if (reason === undefined) return permitOf(asking);
  throw new MnemeError('locked', `${asking.actor} may not run ${name} here: ${reason}`, {
    hint: 'Try again later, do it on that machine, or let a person do it: people always write.',
  });
}

/** The permit for a write after all checks passed; people need none. */
export function permitOf({ actor, writer }: Asking): WritePermit | undefined {
  return roleOf(actor) === 'human' ? undefined : writer?.permit();
}
