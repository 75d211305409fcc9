import type { z } from 'zod';
import type { Verb } from '../operations/verb.ts';

/** Describes what a caller of a verb over HTTP gives and gets; `Omitted` are the keys that HTTP does not take. */
export interface RouteOf<Source extends Verb, Omitted extends string = never> {
  readonly input: Omit<z.input<Source['input']>, Omitted>;
  readonly answer: Awaited<ReturnType<Source['run']>>;
}
