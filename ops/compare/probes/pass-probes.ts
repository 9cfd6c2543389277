import { found, get, getPass, type Probe, type Sending, segment } from "../probe.ts";
import { fieldOf } from "../read-answer.ts";
import type { Side } from "../side.ts";

const pathOf = (reference: string): string => `/passes/${segment(reference)}`;
const ownPath = (side: Side): string => pathOf(side.get("passes.partnerReference"));

const pass = (
  name: string,
  shows: string,
  meant: number,
  sending: (side: Side) => Sending | Promise<Sending>,
): Probe => ({ name: name === "" ? "get-pass" : `get-pass-${name}`, shows, meant, sending });

/** Requests that have the pass already: the headers of a 304. */
export const unchangedProbes: readonly Probe[] = [
  pass("unchanged", "A 304 has the content type of the 200 and no other.", 304, (side) =>
    getPass(side, ownPath(side), ["If-None-Match", "*"]),
  ),
  {
    name: "get-pass-unchanged-by-tag",
    shows: "A tag comes back as it was sent, and is recognised.",
    meant: 304,
    before: (side) => getPass(side, ownPath(side)),
    sending: (side, before) => {
      const tag = found(side, before && fieldOf(before, "etag"), "an `ETag`");
      return getPass(side, ownPath(side), ["If-None-Match", tag]);
    },
  },
];

/** The mutual TLS of the address that the credentials name. */
const certificate = (
  name: string,
  shows: string,
  client: "own" | "other" | "none",
  meant?: number,
): Probe => ({
  name: `get-pass-${name}`,
  shows,
  ...(meant !== undefined && { meant }),
  sending: async (side) => {
    const to = await side.mutualTls(client);
    const target = `${to.url.pathname.replace(/\/+$/, "")}${ownPath(side)}`;
    return { message: { target, headers: [side.version()] }, to };
  },
});

/** The endpoint of passes, with each kind of credential. */
export const passProbes: readonly Probe[] = [
  pass("", "A pass.", 200, (side) => getPass(side, ownPath(side))),
  pass("changed", "A tag of another state gets the pass.", 200, (side) =>
    getPass(side, ownPath(side), ["If-None-Match", '"compare"']),
  ),
  pass("compressed", "A pass is never compressed.", 200, (side) =>
    getPass(side, ownPath(side), ["Accept-Encoding", "gzip, br, zstd"]),
  ),
  pass("unsupported-version", "A version that there is not.", 400, (side) =>
    get(side, ownPath(side), [side.get("passes.versionHeader"), "2020-01-01"], side.bearer("passes.token")),
  ),
  pass("insufficient-scope", "The challenge of a 403 names the scope.", 403, (side) =>
    get(side, ownPath(side), side.version(), side.bearer("passes.noScopeToken")),
  ),
  pass("not-found", "A pass that there is not.", 404, (side) => getPass(side, pathOf("compare-absent"))),
  pass("gone", "A pass that was voided.", 410, (side) =>
    getPass(side, pathOf(side.get("passes.voidReference"))),
  ),
  pass("by-signature", "A detached JWS proves the caller.", 200, async (side) =>
    get(side, ownPath(side), side.version(), await side.signedJws(ownPath(side))),
  ),
  pass("by-signature-of-another-path", "A detached JWS for another path.", 401, async (side) =>
    get(side, ownPath(side), side.version(), await side.signedJws("/passes/compare")),
  ),
  certificate("by-certificate", "A certificate of the truststore proves the caller.", "own", 200),
  certificate("by-certificate-of-a-stranger", "A certificate that is registered for nobody.", "other", 401),
  certificate("without-certificate", "The handshake ends without a certificate.", "none"),
];
