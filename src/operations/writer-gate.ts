import { roleOf, type Actor } from '../model/mutation.ts';

/** Says whether this machine is the one that writes. */
export interface WriterGate {
  /** Why it is not, in words; undefined when it is, for as long as an ordinary write takes. */
  whyNot(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Why what somebody wants to write has to wait as a proposal; people always write. */
export async function whyPropose({
  actor,
  writer,
}: {
  readonly actor: Actor;
  readonly writer?: WriterGate | undefined;
}): Promise<string | undefined> {
  return roleOf(actor) === 'human' ? undefined : writer?.whyNot();
}
