import type { KeyObject } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import { contractBrand } from "../../lib/brand.ts";
import { matchesIfNoneMatch } from "../../lib/passes/entity-tag.ts";
import { passRules } from "../../ops/check-pass/check-pass.ts";
import type { Finding, Verdict } from "../../ops/checks/rule.ts";
import { Wallet, type WalletOptions } from "../../ops/wallet/wallet.ts";
import { NOW } from "./chain.ts";
import { listenOnLoopback } from "./listen-on-loopback.ts";

/** One answer of a pass endpoint that is written for tests. */
export interface PassAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** An answer in gzip. Its body has a character for each byte, so it must be sent with `encoding: "latin1"`. */
export const compressed = (answer: PassAnswer, from: BufferEncoding = "utf8"): PassAnswer => ({
  ...answer,
  headers: { ...answer.headers, "content-encoding": "gzip" },
  body: gzipSync(Buffer.from(answer.body, from)).toString("latin1"),
});

export interface PassRequest {
  readonly reference: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export const TOKENS = { good: "aGVhZA.Y2xhaW1z.c2lnbmF0dXJl", noScope: "aGVhZA.bm9zY29wZQ.c2lnbmF0dXJl" };
const LATE_MS = 30;
export const REFERENCES = { current: "ref-1", gone: "ref-gone" };

/** A client of a server, whose waits take no time. */
export const walletFor = (url: string, options: Partial<WalletOptions> = {}): Wallet =>
  new Wallet({
    baseUrl: new URL(url),
    credentials: { token: TOKENS.good, tls: {} },
    version: "2026-07-01",
    versionHeader: contractBrand.versionHeader,
    clock: () => NOW,
    wait: async () => {},
    ...options,
  });

/** The rules with these ids. */
export const rulesNamed = (...ids: readonly string[]) => passRules.filter(({ id }) => ids.includes(id));

/** The ids of the findings with a verdict. */
export const idsOf = (findings: readonly Finding[], verdict: Verdict): string[] =>
  findings.filter((finding) => finding.verdict === verdict).map(({ id }) => id);

/** The steps of a server, in their order; each may answer. */
export type Step = "credential" | "scope" | "version" | "limit" | "pass" | "tag";
export const STEPS: readonly Step[] = ["credential", "scope", "version", "limit", "pass", "tag"];

/**
 * The differences of a server from the plain one, which break the contract or are left open by it. They change the
 * answer, or the values that the answer is made from.
 */
export interface Traits {
  readonly order?: readonly Step[];
  readonly tagOf?: (body: string, version: number) => string;
  readonly passOf?: (reference: string, version: number) => string;
  readonly change?: (answer: PassAnswer, request: PassRequest, state: ServerState) => PassAnswer;
  readonly isNamed?: (ifNoneMatch: string | undefined, tag: string) => boolean;
  /** Whether a signature is valid for a path. */
  readonly isSigned?: (signature: string, path: string) => boolean;
  /** Whether the server accepts a signature that the key has not made. */
  readonly believes?: (jws: string, publicKey: KeyObject) => boolean;
  /** The refusal beyond the limit. */
  readonly refuse?: () => PassAnswer;
  /** Sent after the header of a 304; `isTailLate` sends it later, in a write of its own. */
  readonly tail?: string;
  readonly isTailLate?: boolean;
  /** How the characters of answers become bytes; UTF-8 unless given. */
  readonly encoding?: BufferEncoding;
  /** Sent before each answer: a text, or the result of a function that is called for each answer. */
  readonly early?: string | (() => string);
  /** The HTTP version that answers name; 1.1 unless given. */
  readonly http?: "1.0";
  /** Whether the server keeps a connection that the client does not ask to close. */
  readonly keepsConnections?: boolean;
  /** How a header's name is spelled; in lower case unless given. */
  readonly spell?: (name: string) => string;
}

export interface ServerState {
  /** The requests so far, the one that is being answered included. */
  readonly requests: PassRequest[];
  version: number;
  /** The number of requests that the limit still admits; refilled when the caller waits. */
  allowance: number;
}

const error = (status: number, headers: Record<string, string> = {}): PassAnswer => ({
  status,
  headers,
  body: '{"code":"x"}',
});

interface Asked {
  readonly request: PassRequest;
  readonly state: ServerState;
  readonly traits: Traits;
  readonly token: string | undefined;
  readonly body: string;
  readonly tag: string;
}

/**
 * A caller is known by a valid token, a valid signature or both; with an invalid one beside it, the caller is refused.
 */
function isKnown({ request, traits, token }: Asked): boolean {
  const signature = request.headers["jws-signature"];
  const isSigned = signature !== undefined && traits.isSigned?.(signature, request.path) === true;
  if (signature !== undefined && traits.isSigned !== undefined && !isSigned) return false;
  return token === undefined ? isSigned : Object.values(TOKENS).includes(token);
}

const steps: Readonly<Record<Step, (asked: Asked) => PassAnswer | undefined>> = {
  credential: (asked) => (isKnown(asked) ? undefined : error(401)),
  // The scope is read from the claims; whether the signature is valid does not matter here.
  scope: ({ token }) => (token?.split(".")[1] === TOKENS.noScope.split(".")[1] ? error(403) : undefined),
  version: ({ request }) =>
    request.headers["service-api-version"] === "2026-07-01" ? undefined : error(400),
  limit: ({ state, traits }) => {
    state.allowance -= 1;
    if (state.allowance >= 0) return undefined;
    return traits.refuse?.() ?? error(429, { "retry-after": "1" });
  },
  pass: ({ request: { reference } }) => {
    if (reference === REFERENCES.gone) return error(410);
    return reference === REFERENCES.current ? undefined : error(404);
  },
  tag: ({ request, traits, tag }) =>
    (traits.isNamed ?? matchesIfNoneMatch)(request.headers["if-none-match"], tag)
      ? { status: 304, headers: { etag: tag }, body: "" }
      : undefined,
};

/** The answer that keeps the contract, except for the traits. */
function answerTo(request: PassRequest, state: ServerState, traits: Traits): PassAnswer {
  const reference = REFERENCES.current;
  const body =
    traits.passOf?.(reference, state.version) ??
    JSON.stringify({ partner_reference: reference, version: state.version });
  const tag = traits.tagOf?.(body, state.version) ?? `"tag-${state.version}"`;
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  const asked = { request, state, traits, token, body, tag };
  for (const step of traits.order ?? STEPS) {
    const answer = steps[step](asked);
    if (answer !== undefined) return answer;
  }
  return { status: 200, headers: { "content-type": "application/json", etag: tag }, body };
}

/** A server over plain sockets that answers a request by itself, until the end of the test. @returns its address. */
export async function startSockets(answer: (socket: Socket, text: string) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket.on("error", () => {}));
    socket.on("data", (chunk) => answer(socket, chunk.toString()));
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${await listenOnLoopback(server)}`;
}

/** Starts a pass endpoint over plain sockets, so that it can break HTTP as well. It is closed at the end of the test. */
export async function startPassServer(traits: Traits = {}, allowance = Number.POSITIVE_INFINITY, port = 0) {
  const state: ServerState = { requests: [], version: 1, allowance };
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (!text.includes("\r\n\r\n")) return;
      const request = parseRequest(text);
      text = "";
      state.requests.push(request);
      const right = answerTo(request, state, traits);
      const echoed = {
        ...right,
        headers: { ...right.headers, "request-id": request.headers["request-id"] ?? "none" },
      };
      write(socket, request, traits.change?.(echoed, request, state) ?? echoed, traits);
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  onTestFinished(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, state, close };
}

function write(socket: Socket, request: PassRequest, answer: PassAnswer, traits: Traits): void {
  const { status, headers, body } = answer;
  const { encoding, http = "1.1", spell = (name: string) => name } = traits;
  const keeps = traits.keepsConnections === true && request.headers.connection !== "close";
  const lines = Object.entries({
    ...headers,
    ...(status !== 304 &&
      !("transfer-encoding" in headers) && {
        "content-length": String(Buffer.byteLength(body, encoding)),
      }),
    connection: keeps ? "keep-alive" : "close",
  });
  const head = lines.map(([name, value]) => `${spell(name)}: ${value}\r\n`).join("");
  const rest = status === 304 ? (traits.tail ?? "") : body;
  const early = typeof traits.early === "function" ? traits.early() : (traits.early ?? "");
  const header = `${early}HTTP/${http} ${status} X\r\n${head}\r\n`;
  if (keeps) socket.write(`${header}${rest}`, encoding);
  else if (traits.isTailLate !== true) socket.end(`${header}${rest}`, encoding);
  // The rest follows once the client has read the header, and may think that the answer is complete.
  else socket.write(header, () => setTimeout(() => socket.end(rest), LATE_MS));
}

function parseRequest(text: string): PassRequest {
  const [line = "", ...rest] = text.slice(0, text.indexOf("\r\n\r\n")).split("\r\n");
  const headers = Object.fromEntries(
    rest.map((header) => [
      header.slice(0, header.indexOf(":")).toLowerCase(),
      header.slice(header.indexOf(":") + 1).trim(),
    ]),
  );
  const path = line.split(" ")[1] ?? "";
  return { reference: decodeURIComponent(path.split("/").at(-1) ?? ""), path, headers };
}
