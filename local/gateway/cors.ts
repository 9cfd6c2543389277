import type { CorsRules } from "../template/template.ts";

/** Response headers of CORS, by name. */
export type CorsHeaders = Readonly<Record<string, string>>;

/** An answer's headers without its CORS headers: an API with CORS rules ignores those that a function sends. */
export const withoutCorsHeaders = <Value>(headers: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("access-control-")));

/** Whether a request is a preflight, which an API with CORS rules answers itself, on every path. */
export const isPreflight = (method: string, headers: Readonly<Record<string, string>>): boolean =>
  method === "OPTIONS" && "origin" in headers && "access-control-request-method" in headers;

/** Headers for a preflight; empty for an origin that is not allowed, so that the browser blocks the request. */
export function preflightHeaders(rules: CorsRules, origin: string | undefined): CorsHeaders {
  const allowed = allowOrigin(rules, origin);
  if (allowed === undefined) return {};
  return {
    ...allowed,
    ...(rules.methods.length > 0 && { "access-control-allow-methods": rules.methods.join(",") }),
    ...(rules.headers.length > 0 && { "access-control-allow-headers": rules.headers.join(",") }),
    ...(rules.maxAgeS !== undefined && { "access-control-max-age": `${rules.maxAgeS}` }),
  };
}

/** Headers for any other answer to this origin; empty for one that is not allowed. */
export function responseCorsHeaders(rules: CorsRules, origin: string | undefined): CorsHeaders {
  const allowed = allowOrigin(rules, origin);
  if (allowed === undefined) return {};
  return {
    ...allowed,
    ...(rules.exposedHeaders.length > 0 && {
      "access-control-expose-headers": rules.exposedHeaders.join(","),
    }),
  };
}

function allowOrigin(rules: CorsRules, origin: string | undefined): CorsHeaders | undefined {
  if (origin === undefined) return undefined;
  const match = rules.origins.find((allowed) => matchesOrigin(allowed, origin));
  if (match === undefined) return undefined;
  return {
    "access-control-allow-origin": match === "*" ? "*" : origin,
    ...(rules.credentials && { "access-control-allow-credentials": "true" }),
  };
}

/** An HTTP API has three wildcards: `*`, `http://*` and `https://*`. */
function matchesOrigin(allowed: string, origin: string): boolean {
  if (allowed === "*" || allowed === origin) return true;
  return allowed.endsWith("://*") && origin.startsWith(allowed.slice(0, -1));
}
