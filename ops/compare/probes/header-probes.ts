import type { Field, HttpMessage } from "../message.ts";
import { get, type Probe, plain } from "../probe.ts";

/** The quota of HTTP APIs for the request line and the values of all headers. */
const HEADER_BYTES_MAX = 10_240;

const PATH = "/passes/compare";

const sample = (name: string, shows: string, message: Partial<HttpMessage>): Probe => ({
  name,
  shows,
  sending: plain({ target: PATH, ...message }),
});

const headers = (name: string, shows: string, ...fields: readonly Field[]): Probe =>
  sample(`header-${name}`, shows, { headers: fields });

/** Around the size of the request line and headers from which an HTTP API refuses a request. */
export const headerSizeProbes: readonly Probe[] = [
  sample("header-bytes-beyond", "A request line and headers of 10,241 bytes are too large.", {
    fillToBytes: HEADER_BYTES_MAX + 1,
  }),
  sample("header-bytes-largest", "A request line and headers of 10,240 bytes are not too large.", {
    fillToBytes: HEADER_BYTES_MAX,
  }),
  sample("header-bytes-far-beyond", "A request line and headers of 20,000 bytes are too large.", {
    fillToBytes: 20_000,
  }),
  sample("query-too-long", "A query of 12,000 bytes is too large.", {
    target: `${PATH}?x=${"a".repeat(12_000)}`,
  }),
];

const requestIds: readonly Probe[] = [
  headers("request-id", "The caller's own `Request-Id` comes back.", ["Request-Id", "compare.1"]),
  sample("header-request-id-absent", "An answer without a `Request-Id` of the caller has a new one.", {
    headers: [],
  }),
  headers("request-id-longest", "An id of 128 characters comes back.", ["Request-Id", "a".repeat(128)]),
  headers("request-id-too-long", "An id of 129 characters is replaced.", ["Request-Id", "a".repeat(129)]),
  headers("request-id-with-space", "An id with a space is replaced.", ["Request-Id", "a b"]),
  headers(
    "twice",
    "A header that is given twice reaches the function joined by a comma.",
    ["Request-Id", "a"],
    ["Request-Id", "b"],
  ),
  headers("name-case", "The names of headers have no letter case.", ["REQUEST-ID", "compare-2"]),
  headers("surrounding-space", "Space around a value is not part of it.", [
    "Request-Id",
    " \t compare-3 \t ",
  ]),
  headers("latin1", "A byte beyond ASCII in a value.", ["Request-Id", "caf\u00e9"]),
  headers("utf8", "UTF-8 in a value.", ["Request-Id", "caf\u00c3\u00a9"]),
  headers("empty", "A header without a value.", ["Request-Id", ""]),
];

const others: readonly Probe[] = [
  headers(
    "authorization-twice",
    "Two credentials of one kind.",
    ["Authorization", "Bearer a"],
    ["Authorization", "Bearer b"],
  ),
  headers("authorization-empty", "An `Authorization` without a value.", ["Authorization", ""]),
  headers("cookie", "Cookies change nothing.", ["Cookie", "a=1; b=2"]),
  headers(
    "forwarded",
    "A forged sender changes nothing.",
    ["X-Forwarded-For", "192.0.2.1"],
    ["Forwarded", "for=192.0.2.1"],
  ),
  headers("underscore", "A header's name may have an underscore.", ["X_Under_Score", "1"]),
  headers("content-type", "A content type without content changes nothing.", ["Content-Type", "text/plain"]),
  headers("folded", "A value over two lines, which HTTP/1.1 forbids.", ["X-Folded", "a\r\n b"]),
  headers("bad-name", "A name with a space, which HTTP forbids.", ["X Bad", "1"]),
  headers("expect-unknown", "An expectation that nobody meets is refused.", ["Expect", "the-unexpected"]),
  headers("accept-other", "A type that there is not is asked for in vain.", ["Accept", "text/html"]),
  headers("range", "Half of a record cannot be asked for.", ["Range", "bytes=0-1"]),
  headers("origin", "An answer to a browser's program of another origin.", [
    "Origin",
    "https://compare.example",
  ]),
];

const hosts: readonly Probe[] = [
  sample("host-absent", "A request without `Host` is refused.", { hosts: [] }),
  sample("host-twice", "A request with two `Host` lines is refused.", { hosts: ["a.example", "b.example"] }),
  sample("host-unreadable", "A `Host` with a path is refused.", { hosts: ["a.example/b"] }),
  sample("host-of-another", "A request for another host.", { hosts: ["compare.example"] }),
];

const forms: readonly Probe[] = [
  sample("method-options", "OPTIONS without an origin is not a preflight.", { method: "OPTIONS" }),
  sample("method-preflight", "A preflight of a browser.", {
    method: "OPTIONS",
    headers: [
      ["Origin", "https://compare.example"],
      ["Access-Control-Request-Method", "GET"],
      ["Access-Control-Request-Headers", "authorization"],
    ],
  }),
  sample("method-lower-case", "Methods have a letter case.", { method: "get" }),
  sample("body-on-get", "A body of a GET changes nothing.", {
    body: "abc",
    headers: [["Content-Length", "3"]],
  }),
  sample("body-in-chunks", "A body in chunks changes nothing.", {
    body: "3\r\nabc\r\n0\r\n\r\n",
    headers: [["Transfer-Encoding", "chunked"]],
  }),
  sample("length-twice", "Two lengths of a body are refused.", {
    body: "a",
    headers: [
      ["Content-Length", "1"],
      ["Content-Length", "2"],
    ],
  }),
  sample("version-1-0", "A request of HTTP/1.0.", { version: "1.0" }),
  {
    name: "method-connect",
    shows: "A tunnel is refused.",
    sending: ({ url }) => ({ message: { method: "CONNECT", target: `${url.hostname}:443` } }),
  },
  {
    name: "not-http",
    shows: "Bytes that are not HTTP are refused.",
    sending: () => ({ message: { bytes: "COMPARE\r\n\r\n" } }),
  },
];

const codings: readonly Probe[] = (
  ["zstd", "br", "gzip", "identity", "gzip;q=0.5, identity", "*", "deflate"] as const
).map((coding, at) => ({
  name: `coding-${at + 1}`,
  shows: `A list for \`Accept-Encoding: ${coding}\`.`,
  meant: 200,
  sending: (side) =>
    get(side, "/transactions?count=20", side.bearer("business.token"), ["Accept-Encoding", coding]),
}));

/** Awkward headers, hosts, methods and bodies, and the codings of an answer. */
export const headerProbes: readonly Probe[] = [...requestIds, ...others, ...hosts, ...forms, ...codings];
