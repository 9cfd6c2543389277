import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { RecentMap } from "../../lib/recent-map.ts";

/** Endings of names that no public registry gives out (RFC 6761, RFC 6762, RFC 9476 and ICANN's `internal`). */
const LOCAL_ENDINGS = [".localhost", ".local", ".internal", ".test"] as const;

/** Hosts whose judgement is remembered: clients send the same one with each request. */
const HOSTS_MAX = 100;

/** Whether a `Host` names this machine, or a machine of a private network. */
export type HostRule = (host: string) => boolean;

/**
 * Judges the `Host` of requests. A web page may point a name of its own domain at this machine (DNS rebinding) and then
 * counts as of the same origin. Such a name is public, so it has a dot and an ending that registries give out. Names
 * that cannot be public, addresses and `allowed` names are this machine's.
 */
export function hostRule(allowed: readonly string[]): HostRule {
  const names = new Set(allowed.map((name) => name.toLowerCase()));
  const judged = new RecentMap<string, boolean>(HOSTS_MAX);
  const judge = (host: string): boolean => {
    const name = nameOf(host);
    return (
      !name.includes(".") ||
      isIP(name) !== 0 ||
      LOCAL_ENDINGS.some((ending) => name.endsWith(ending)) ||
      names.has(name)
    );
  };
  return (host) => {
    const before = judged.get(host);
    if (before !== undefined) return before;
    const isOwn = judge(host);
    judged.set(host, isOwn);
    return isOwn;
  };
}

/** A host without its port, the brackets of an IPv6 address and the dot of a rooted name, in lower case. */
const nameOf = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");

/** A host and an optional port (RFC 3986, section 3.2.2). No machine's name has a `%`, which only some readers decode. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._~!$&'()*+,;=-]*)(?::\d*)?$/i;
/** The form of a target for proxies, which a server must accept too. */
const WHOLE_URL = /^https?:\/\/([^/?]*)/i;

/**
 * The host that a request names, with its port if it has one: that of its target, if the target is a whole URL (RFC 9112,
 * section 3.2.2), otherwise that of `Host`, which only HTTP/1.0 may leave out. Undefined for a malformed request, which
 * does not have exactly one valid `Host` (section 3.2), or whose target has no valid one.
 */
export function namedHost({
  rawHeaders,
  httpVersion,
  url = "",
}: Pick<IncomingMessage, "rawHeaders" | "httpVersion" | "url">): string | undefined {
  const hosts = rawHeaders.filter(
    (_, index) => rawHeaders[index - 1]?.toLowerCase() === "host" && index % 2 === 1,
  );
  const [host = ""] = hosts;
  const isComplete = hosts.length === 1 || (hosts.length === 0 && httpVersion === "1.0");
  if (!isComplete || !HOST.test(host)) return undefined;
  const [, ofTarget = host] = WHOLE_URL.exec(url) ?? [];
  return HOST.test(ofTarget) && (ofTarget !== "" || host === "") ? ofTarget : undefined;
}

/**
 * Whether no page of another origin has sent a request. Browsers name the asking page in `Origin` and say in
 * `Sec-Fetch-Site` how near it is, and no script can change either. A proxy that speaks TLS in front is of the same host.
 */
export function isOwnPage(headers: IncomingHttpHeaders): boolean {
  const { origin, host, "sec-fetch-site": site = "same-origin" } = headers;
  const isOwnOrigin = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  return isOwnOrigin && (site === "same-origin" || site === "none");
}
