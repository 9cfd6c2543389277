import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Why a question of the page is not answered. */
export interface GuardRefusal {
  readonly status: 401 | 403;
  readonly message: string;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * Refuses what this start's own document cannot have sent. Browsers name the asking page in `Origin` and say in
 * `Sec-Fetch-Site` how near it is, and neither can be changed by a script; the key is known only to the document, which
 * no other origin can read. `Host` is judged before, with every request.
 *
 * @param key the key that the request shows.
 * @param ownKey the key of this start.
 */
export function guardQuestion(
  headers: IncomingHttpHeaders,
  key: string,
  ownKey: string,
): GuardRefusal | undefined {
  const site = headers["sec-fetch-site"] ?? "same-origin";
  if (!isOwnOrigin(headers) || (site !== "same-origin" && site !== "none"))
    return { status: 403, message: "Only the page of this server is answered." };
  if (!timingSafeEqual(digest(key), digest(ownKey)))
    return { status: 401, message: "The key is that of another start. Load the page again." };
  return undefined;
}

/** A proxy that speaks TLS in front of this server is of the same host. */
const isOwnOrigin = ({ origin, host }: IncomingHttpHeaders): boolean =>
  origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
