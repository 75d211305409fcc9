import type { z } from 'zod';
import { pathOf, type Route } from '../route.ts';
import { CONVERSATION_ROUTES } from './conversations.ts';
import { KNOWLEDGE_ROUTES } from './knowledge.ts';
import { MEMORY_ROUTES } from './memory.ts';
import { REVIEW_ROUTES } from './review.ts';
import { TRUST_ROUTES } from './trust.ts';
import { UPKEEP_ROUTES } from './upkeep.ts';

/** Everything the API offers. Routing, validation, the OpenAPI document, the docs and the client's types follow from it. */
export const ROUTES = {
  ...MEMORY_ROUTES,
  ...CONVERSATION_ROUTES,
  ...KNOWLEDGE_ROUTES,
  ...REVIEW_ROUTES,
  ...TRUST_ROUTES,
  ...UPKEEP_ROUTES,
};

export type Routes = typeof ROUTES;
export type RouteName = keyof Routes;

/** What a caller gives and gets. */
export type InputOf<Name extends RouteName> = z.input<Routes[Name]['operation']['input']>;
export type AnswerOf<Name extends RouteName> = Awaited<ReturnType<Routes[Name]['operation']['run']>>;

/**
 * Every answer by its route; the OpenAPI document's schemas are generated from this type.
 * @public
 */
export type Answers = { readonly [Name in RouteName]: AnswerOf<Name> };

export interface ServedRoute extends Route {
  readonly name: RouteName;
  readonly path: string;
}

/** The table as a list, for what treats all routes alike. */
export function listRoutes(): readonly ServedRoute[] {
  return (Object.entries(ROUTES) as [RouteName, Route][]).map(([name, route]) =>
    Object.assign({ name, path: pathOf(name) }, route),
  );
}
