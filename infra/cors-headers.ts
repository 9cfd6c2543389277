import type { Stage } from "./stage.ts";

/** Answers of ours that a browser hides from its program unless they are named. */
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

/** Headers that an endpoint reads. By name, because a wildcard does not cover Authorization (Fetch, 4.9). */
export const requestHeadersOf = ({ brand }: Stage): string[] => [
  "Authorization",
  "If-None-Match",
  "Jws-Signature",
  "Request-Id",
  "X-API-KEY",
  brand.versionHeader,
  ...["API-Key", "Signature", "Timestamp"].map((name) => `${brand.headerPrefix}${name}`),
];
