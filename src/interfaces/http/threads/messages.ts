import type { ErrorCode } from '../../../model/errors.ts';
import type { Actor } from '../../../model/mutation.ts';
import type { Scope } from '../../../model/provenance.ts';

/** What a thread is started with. */
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
  /** What the operation says to whoever asked; everything else is `failed` and asked again elsewhere. */
  | { readonly kind: 'refusal'; readonly number: number; readonly error: RefusedInWords }
  | { readonly kind: 'failed'; readonly number: number };

export interface RefusedInWords {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | undefined;
}
