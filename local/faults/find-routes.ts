import type { Endpoint } from "../../infra/endpoints.ts";
import { nearestName } from "../../lib/http/nearest-name.ts";
import { ControlRefusal } from "../control/control-route.ts";
import { createRouter } from "../gateway/route.ts";
import type { RouteDefinition } from "../template/template.ts";

/** A route that the gateway serves, and its endpoint. */
export interface ServedEndpoint {
  readonly endpoint: Endpoint;
  readonly route: RouteDefinition;
}

/** The word for every route. */
export const EVERY_ROUTE = "all";

/** Joins the routes of a template with the endpoints that they were made from. */
export const servedEndpoints = (
  routes: readonly RouteDefinition[],
  endpoints: readonly Endpoint[],
): readonly ServedEndpoint[] =>
  routes.flatMap((route) => {
    const endpoint = endpoints.find(
      ({ contract }) => `${contract.method} ${contract.route}` === route.routeKey,
    );
    return endpoint === undefined ? [] : [{ endpoint, route }];
  });

/**
 * The endpoints that a person means by an endpoint's name, a route with or without its method, a path or a URL that the
 * route answers, or `all`.
 *
 * @param basePath what clients put before every route.
 * @throws {ControlRefusal} for anything else; the message has the nearest name, and all of them.
 */
export function findEndpoints(
  given: string,
  served: readonly ServedEndpoint[],
  basePath: string,
): readonly ServedEndpoint[] {
  if (given === EVERY_ROUTE) return served;
  const spelled = served.find((one) => spellingsOf(one).includes(given));
  const meant = spelled ?? answering(pathIn(given, basePath), served);
  if (meant !== undefined) return [meant];
  const near = nearestName(given, served.flatMap(spellingsOf));
  const names = served.map(({ endpoint: { contract } }) => `${contract.name} (${contract.route})`);
  throw new ControlRefusal(
    `There is no endpoint "${given}".${near === undefined ? "" : ` Did you mean ${near}?`} The endpoints are ${names.join(", ")}, and ${EVERY_ROUTE} for every one.`,
  );
}

const spellingsOf = ({ endpoint: { contract }, route }: ServedEndpoint): readonly string[] => [
  contract.name,
  contract.route,
  route.routeKey,
];

/** The path of a URL or of a path with a query, without the base path. */
function pathIn(given: string, basePath: string): string {
  const [path = ""] = given.replace(/^https?:\/\/[^/]*/, "").split("?");
  return basePath !== "" && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
}

function answering(path: string, served: readonly ServedEndpoint[]): ServedEndpoint | undefined {
  const match = createRouter(served.map(({ route }) => route))("GET", path);
  return match && served.find(({ route }) => route === match.route);
}
