import type { ErrorCode } from '../../../model/errors.ts';
import type { Actor } from '../../../model/mutation.ts';
import type { Scope } from '../../../model/provenance.ts';

/** The start parameters of a thread. */
export interface ThreadStart {
  readonly home: string;
}

/** A question as it goes into a thread; `close` ends it. */
export type ToThread = { readonly number: number; readonly asked: Asked } | 'close';

export interface Asked {
  readonly actor: Actor;
  readonly scope: Scope | undefined;
  readonly input: unknown;
}

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'problem'; readonly message: string }
  | { readonly kind: 'answer'; readonly number: number; readonly json: string }
  /** The operation's refusal, for the caller; every other error is `failed` and retried elsewhere. */
  | { readonly kind: 'refusal'; readonly number: number; readonly error: RefusedInWords }
  | { readonly kind: 'failed'; readonly number: number };

export interface RefusedInWords {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | undefined;
}
