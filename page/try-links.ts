/** An endpoint, as far as a link to it needs. */
interface TriedEndpoint {
  readonly name: string;
  /** With `{name}` placeholders. */
  readonly route: string;
}

/** Addresses of the screen "Try it"; undefined for what no endpoint answers. */
export interface TryLinks {
  /** The address for a route. */
  readonly ofRoute: (route: string) => string | undefined;
  /** The address for a recorded request and its answer, with its parameters filled in. */
  readonly ofExample: (recorded: string) => string | undefined;
}

const RECORDED = /^GET ([^?\s]+)\??(\S*)\n[\s\S]*?^HTTP\/1\.1 (200|400|404)/m;
/** What names an instant or a record of the recording. */
const OF_RECORDING = /^(?:\w+=\d{13}|(?:id_type|request_id|from|to)=.*)$/;

/** The links to endpoints. What is of the recording is left to the demo, unless the request was to be refused. */
export function tryLinks(endpoints: readonly TriedEndpoint[]): TryLinks {
  const addressOf = (name: string, query: readonly string[]): string =>
    `#/try/${name}${query.length === 0 ? "" : `?${query.join("&")}`}`;
  return {
    ofRoute: (route) => {
      const found = endpoints.find((endpoint) => endpoint.route === route);
      return found && addressOf(found.name, []);
    },
    ofExample: (recorded) => {
      const [, path = "", query = "", status] = RECORDED.exec(recorded) ?? [];
      const found = endpoints.find(({ route }) => namesIn(route, path) !== undefined);
      if (found === undefined) return undefined;
      const given = query.split("&").filter((part) => part !== "");
      if (status !== "200") return addressOf(found.name, [...(namesIn(found.route, path) ?? []), ...given]);
      const lasting = given.filter((part) => !OF_RECORDING.test(part));
      return addressOf(found.name, lasting);
    },
  };
}

/** The path's parameters as parts of a query; undefined for the path of another route. */
function namesIn(route: string, path: string): readonly string[] | undefined {
  const parts = route.split("/");
  const given = path.split("/");
  const isOfRoute = parts.every((part, at) => part.startsWith("{") || part === given[at]);
  if (!isOfRoute || parts.length !== given.length) return undefined;
  return parts.flatMap((part, at) => (part.startsWith("{") ? [`${part.slice(1, -1)}=${given[at]}`] : []));
}
