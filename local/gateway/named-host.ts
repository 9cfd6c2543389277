import type { IncomingMessage } from "node:http";

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
