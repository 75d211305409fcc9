import { z } from 'zod';
import type { Operation } from '../../operations/operation.ts';
import type { HttpShape, Verb } from '../../operations/verb.ts';

/**
 * The roles of a token, from least to most rights. A `viewer` is a person who only looks: sees everything, changes nothing. A
 * `reader` is an agent that only reads, within the scopes it was let into.
 */
export const API_ROLES = ['reader', 'viewer', 'proposer', 'main', 'owner'] as const;
export type ApiRole = (typeof API_ROLES)[number];

export type Method = 'GET' | 'POST' | 'PUT';

/** An operation as HTTP offers it. The path follows from its key in the table. */
export interface Route<Input extends z.ZodType = z.ZodType, Output = unknown> {
  readonly operation: Operation<Input, Output>;
  readonly method: Method;
  /** The right needed to call it: every client may read. */
  readonly needs: 'read' | 'propose' | 'write' | 'own';
  /** Set where an answer may take minutes: the usual time limit does not count. */
  readonly isLong: boolean;
}

interface HowServed {
  readonly method?: Method | undefined;
  readonly needs?: Route['needs'] | undefined;
  readonly isLong?: boolean | undefined;
}

/** Reads are asked for with GET unless what they take is long or not flat; who may do what follows from the operation. */
export function route<Input extends z.ZodType, Output>(
  operation: Operation<Input, Output>,
  { method, needs, isLong = false }: HowServed = {},
): Route<Input, Output> {
  return {
    operation,
    method: method ?? (operation.effect === 'read' ? 'GET' : 'POST'),
    needs: needs ?? (operation.by === 'person' ? 'own' : operation.effect),
    isLong,
  };
}

/** The routes of a verb, by name. */
export function routesOf(verb: Verb): [string, Route][] {
  if (verb.http === false) return [];
  const shapes: readonly HttpShape[] = Array.isArray(verb.http) ? verb.http : [verb.http ?? {}];
  return shapes.map((shape) => [shape.name ?? verb.name, route(narrowed(verb, shape), shape)]);
}

function narrowed(verb: Verb, { omit = [], fixed = {} }: HttpShape): Verb {
  const left = [...omit, ...Object.keys(fixed)];
  if (left.length === 0) return verb;
  if (!(verb.input instanceof z.ZodObject)) throw new Error(`The input of ${verb.name} is no object.`);
  const input = verb.input.omit(Object.fromEntries(left.map((key) => [key, true as const])) as Record<string, never>);
  return limitedTo<z.ZodType, z.ZodType, unknown>(verb, input, (given) => ({ ...(given as object), ...fixed }));
}

/** The same operation with fewer options: those that are functions, or that write in what is asked for with GET. */
export function limitedTo<Input extends z.ZodType, Narrow extends z.ZodType<z.output<Narrow>>, Output>(
  operation: Operation<Input, Output>,
  input: Narrow,
  complete: (given: z.output<Narrow>) => z.input<Input>,
): Operation<Narrow, Output> {
  return {
    ...operation,
    input,
    run: (context, given) => operation.run(context, operation.input.parse(complete(given))),
  };
}

const MAY: Readonly<Record<Route['needs'], readonly ApiRole[]>> = {
  read: API_ROLES,
  propose: ['proposer', 'main', 'owner'],
  write: ['main', 'owner'],
  own: ['owner'],
};

export function mayCall(role: ApiRole, needs: Route['needs']): boolean {
  return MAY[needs].includes(role);
}

export const API_PATH = '/api/v1';

/** `graph neighbours` is served under `/api/v1/graph/neighbours`. */
export function pathOf(name: string): string {
  return `${API_PATH}/${name.replaceAll(' ', '/')}`;
}
