import type { z } from 'zod';
import type { HttpRoutes } from '../../../verb-registry/verbs.generated.ts';
import { VERBS } from '../../../verb-registry/verbs.generated.ts';
import { pathOf, routesOf, type Route } from '../route.ts';
import { CONVERSATION_ROUTES } from './conversations.ts';
import { KNOWLEDGE_ROUTES } from './knowledge.ts';
import { MEMORY_ROUTES } from './memory.ts';

/** Routes that are still written by hand. */
const ROUTES = {
  ...MEMORY_ROUTES,
  ...CONVERSATION_ROUTES,
  ...KNOWLEDGE_ROUTES,
};

type ByHand = {
  readonly [Name in keyof typeof ROUTES]: {
    readonly input: z.input<(typeof ROUTES)[Name]['operation']['input']>;
    readonly answer: Awaited<ReturnType<(typeof ROUTES)[Name]['operation']['run']>>;
  };
};
type Routes = ByHand & HttpRoutes;
export type RouteName = keyof Routes;

/** Describes what a caller gives and gets. */
export type InputOf<Name extends RouteName> = Routes[Name]['input'];
export type AnswerOf<Name extends RouteName> = Routes[Name]['answer'];

/**
 * Every answer by its route; the OpenAPI document's schemas are generated from this type.
 * @public
 */
export type Answers = { readonly [Name in RouteName]: AnswerOf<Name> };

export interface ServedRoute extends Route {
  readonly name: RouteName;
  readonly path: string;
}

let loaded: Promise<readonly ServedRoute[]> | undefined;

/** Everything the API offers. Routing, validation, the OpenAPI document, the docs and the client's types follow from it. */
export function loadRoutes(): Promise<readonly ServedRoute[]> {
  loaded ??= readRoutes();
  return loaded;
}

async function readRoutes(): Promise<readonly ServedRoute[]> {
  const verbs = await Promise.all(VERBS.map(({ load }) => load()));
  const routes = [...(Object.entries(ROUTES) as [RouteName, Route][]), ...verbs.flatMap(routesOf)];
  return routes.map(([name, route]) => Object.assign({ name: name as RouteName, path: pathOf(name) }, route));
}
