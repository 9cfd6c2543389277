import type { KeyObject } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { matchesIfNoneMatch } from "../../lib/passes/entity-tag.ts";

/** One answer of a pass endpoint that is written for tests. */
export interface PassAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** An answer in gzip; what it is sent with has to make a byte of each character (`encoding: "latin1"`). */
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

/** What a server looks at, one after the other; each step may answer. */
export type Step = "credential" | "scope" | "version" | "limit" | "pass" | "tag";
export const STEPS: readonly Step[] = ["credential", "scope", "version", "limit", "pass", "tag"];

/**
 * In what a server differs from the plain one: where it breaks the contract, or in what the contract leaves open. It
 * changes the answer, or what the answer is made from.
 */
export interface Traits {
  readonly order?: readonly Step[];
  readonly tagOf?: (body: string, version: number) => string;
  readonly passOf?: (reference: string, version: number) => string;
  readonly change?: (answer: PassAnswer, request: PassRequest, state: ServerState) => PassAnswer;
  readonly isNamed?: (ifNoneMatch: string | undefined, tag: string) => boolean;
  /** Whether a signature is good for a path, where there is one. */
  readonly isSigned?: (signature: string, path: string) => boolean;
  /** Whether a signature is believed that is none of the key's. */
  readonly believes?: (jws: string, publicKey: KeyObject) => boolean;
  /** The refusal of whoever asks too much. */
  readonly refuse?: () => PassAnswer;
  /** Sent on the wire behind a 304, with its header or in a write of its own. */
  readonly tail?: string;
  readonly isTailLate?: boolean;
  /** How the characters of answers become bytes; UTF-8 unless said. */
  readonly encoding?: BufferEncoding;
  /** Sent on the wire before each answer; what a function returns, before the one it was asked for. */
  readonly early?: string | (() => string);
  /** The protocol's version that answers name; 1.1 unless said. */
  readonly http?: "1.0";
  /** Whether connections are kept for whoever does not ask for their end. */
  readonly keepsConnections?: boolean;
  /** How a header's name is spelled; in lower case unless said. */
  readonly spell?: (name: string) => string;
}

export interface ServerState {
  version: number;
  /** Requests that are still let through; refilled when the caller waits. */
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

/** Whoever shows something shows nothing that is not good, and something that is. */
function isKnown({ request, traits, token }: Asked): boolean {
  const signature = request.headers["jws-signature"];
  const isSigned = signature !== undefined && traits.isSigned?.(signature, request.path) === true;
  if (signature !== undefined && traits.isSigned !== undefined && !isSigned) return false;
  return token === undefined ? isSigned : Object.values(TOKENS).includes(token);
}

const steps: Readonly<Record<Step, (asked: Asked) => PassAnswer | undefined>> = {
  credential: (asked) => (isKnown(asked) ? undefined : error(401)),
  // As the claims say, whatever the signature does.
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

/** The answer that keeps the contract, but for what the traits say. */
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

/** A pass endpoint over plain sockets, so that it can break HTTP as well. */
export async function startPassServer(traits: Traits = {}, allowance = Number.POSITIVE_INFINITY) {
  const state: ServerState = { version: 1, allowance };
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (!text.includes("\r\n\r\n")) return;
      const request = parseRequest(text);
      text = "";
      const right = answerTo(request, state, traits);
      const echoed = {
        ...right,
        headers: { ...right.headers, "request-id": request.headers["request-id"] ?? "none" },
      };
      write(socket, request, traits.change?.(echoed, request, state) ?? echoed, traits);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
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
  // Only once the header has left, and been read: by then a client may think that it has everything.
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
