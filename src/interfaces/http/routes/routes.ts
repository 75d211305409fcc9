import type { HttpRoutes } from '../../../verb-registry/verbs.generated.ts';
import { VERBS } from '../../../verb-registry/verbs.generated.ts';
import { pathOf, routesOf, type Route } from '../route.ts';

export type RouteName = keyof HttpRoutes;

/** Describes what a caller gives and gets. */
export type InputOf<Name extends RouteName> = HttpRoutes[Name]['input'];
export type AnswerOf<Name extends RouteName> = HttpRoutes[Name]['answer'];

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
  return verbs
    .flatMap(routesOf)
    .map(([name, route]) => Object.assign({ name: name as RouteName, path: pathOf(name) }, route));
}
