import { endpoints } from "../../infra/endpoints.ts";
import type { Hint } from "./request-seen.ts";

const NOT_FOUND = 404;

const methods: ReadonlySet<string> = new Set(endpoints.map(({ contract }) => contract.method));

/** Says why the gateway itself answered 404, where the reason is a common slip. */
export const routeHints: Hint = ({ exchange: { response, match, target, method }, brand: { basePath } }) => {
  if (response.statusCode !== NOT_FOUND || match !== undefined || target === "unreadable") return [];
  if (target === "outside") return basePath === "" ? [] : [`The API is served under ${basePath} only.`];
  if (!methods.has(method)) return [`Endpoints answer ${[...methods].join(", ")} only, as on AWS.`];
  if (target.path.length > 1 && target.path.endsWith("/"))
    return ["No route ends with a slash; leave the last one out."];
  return [];
};
