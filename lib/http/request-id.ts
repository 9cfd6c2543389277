import { randomUUID } from "node:crypto";

const VISIBLE_ASCII = /^[\x21-\x7e]{1,128}$/;

/** The response's `Request-Id`: the caller's own if it is 1 to 128 visible ASCII characters, else a new one. */
export function requestIdOf(headers: Readonly<Record<string, string>>): string {
  const given = headers["request-id"] ?? "";
  return VISIBLE_ASCII.test(given) ? given : randomUUID();
}
