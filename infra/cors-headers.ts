import type { Stage } from "./stage.ts";

/** Headers of answers that a browser hides from its program unless the API exposes them by name. */
export const exposedHeaders: readonly string[] = [
  "Deprecation",
  "ETag",
  "Link",
  "RateLimit",
  "RateLimit-Policy",
  "Request-Id",
  "Retry-After",
  "Sunset",
  "WWW-Authenticate",
];

/** Request headers that endpoints read, by name: a wildcard does not cover Authorization (Fetch, 4.9). */
export const requestHeadersOf = ({ brand }: Pick<Stage, "brand">): string[] => [
  "Authorization",
  "If-None-Match",
  "Jws-Signature",
  "Request-Id",
  "X-API-KEY",
  brand.versionHeader,
  ...["API-Key", "Signature", "Timestamp"].map((name) => `${brand.headerPrefix}${name}`),
];
