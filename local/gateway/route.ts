import type { RouteDefinition } from "../template/template.ts";
import { TemplateError } from "../template/template-error.ts";

const ROUTE_KEY = /^(ANY|DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT) (\/.*)$/;
const PARAMETER = /^\{([A-Za-z0-9_.-]+)\}$/;

export interface RouteMatch {
  readonly route: RouteDefinition;
  readonly pathParameters: Readonly<Record<string, string>>;
}

interface CompiledRoute {
  readonly route: RouteDefinition;
  readonly method: string;
  readonly segments: readonly string[];
}

/** Finds the route of a request. Literal segments win over parameters, and a named method wins over ANY. */
export type Router = (method: string, path: string) => RouteMatch | undefined;

/** Compiles an API's routes. Throws a `TemplateError` for a greedy route, or one without a method and a path. */
export function createRouter(routes: readonly RouteDefinition[]): Router {
  const compiled = routes.map(compile).sort((one, other) => specificity(other) - specificity(one));
  return (method, path) => {
    const segments = path.split("/");
    for (const candidate of compiled) {
      if (candidate.method !== "ANY" && candidate.method !== method) continue;
      const pathParameters = matchSegments(candidate.segments, segments);
      if (pathParameters !== undefined) return { route: candidate.route, pathParameters };
    }
    return undefined;
  };
}

function compile(route: RouteDefinition): CompiledRoute {
  const [, method, path] = ROUTE_KEY.exec(route.routeKey) ?? [];
  const segments = path?.split("/") ?? [];
  const isOdd = segments.some((segment) => segment.includes("{") && !PARAMETER.test(segment));
  if (method === undefined || isOdd) {
    throw new TemplateError(
      `The local gateway cannot serve the route "${route.routeKey}": a route key must be a method and a path without greedy parameters.`,
    );
  }
  return { route, method, segments };
}

/** Rank of a route: literal segments first, earlier ones above later ones; then a named method above ANY. */
function specificity({ method, segments }: CompiledRoute): number {
  const literals = segments.reduce((sum, segment) => sum * 2 + (PARAMETER.test(segment) ? 0 : 1), 0);
  return literals * 2 + (method === "ANY" ? 0 : 1);
}

function matchSegments(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const parameters = new Map<string, string>();
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] as string;
    const name = PARAMETER.exec(expected)?.[1];
    if (name === undefined ? segment !== expected : segment === "") return undefined;
    if (name !== undefined) parameters.set(name, segment);
  }
  return Object.fromEntries(parameters);
}
